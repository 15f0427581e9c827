/**
 * Shows enough to recognise one's own address: 'a•••@example.com'. Used on pages of links, which may be
 * forwarded.
 */
export const maskEmail = (email: string) => email.replace(/^(.).*@/u, '$1•••@')
