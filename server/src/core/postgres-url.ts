/**
 * Whether a URL means what its author meant. With an unescaped /, ? or # in the password, a part of the password becomes
 * the host, the database or an option. It would be printed when the host cannot be found.
 */
export function isPostgresUrl(text: string): boolean {
  // With the host in a parameter, as for a socket, the URL has none.
  const url = URL.parse(text) ?? URL.parse(text.replace('@/', '@localhost/'))
  if (!url) return false
  const { username, hostname, pathname, search, hash } = url
  const isInSearch = search.includes('@') && username === '' && hostname !== ''
  return !pathname.includes('@') && hash === '' && !isInSearch
}
