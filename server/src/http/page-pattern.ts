import { routes } from '@sought/contract/paths'

const patterns = Object.values(routes).map((route) => ({
  route,
  pattern: new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}/?$`),
}))

/** The route of a page for the log, because its path may contain a token. */
export function pagePatternOf(path: string): string {
  return patterns.find(({ pattern }) => pattern.test(path))?.route ?? 'other'
}
