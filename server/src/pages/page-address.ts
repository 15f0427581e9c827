import { buildQueryString, type RouteName, routes } from '@sought/contract/paths'
import { requestFilters } from '@sought/contract/request-filters'

/** The page that a URL refers to. */
export interface PageAddress {
  /** Null if the URL belongs to no screen. */
  name: RouteName | null
  params: Record<string, string>
  path: string
  /** The query parameters that the page uses. */
  query: Record<string, string>
  /** The same query as text, without the question mark. */
  search: string
  /** The same key for all URLs of one page. */
  key: string
  isScreen: boolean
  /** Everyone may read it, so it is rendered on the server. */
  isPublic: boolean
}

const LIST = [...Object.keys(requestFilters), 'cursor']

/** The screens that are rendered on the server, with the query parameters that they read. */
const publicScreens: Partial<Record<RouteName, readonly string[]>> = {
  home: LIST,
  category: LIST,
  item: [],
  user: ['requests', 'reviews', 'as'],
  termsOfService: [],
  privacyPolicy: [],
  refundPolicy: [],
  disputeResolution: [],
  help: ['paymentId'],
}

const screens = (Object.keys(routes) as RouteName[]).map((name) => ({
  name,
  pattern: new RegExp(`^${routes[name].replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`),
  forDevelopers: name === 'devUi' || name === 'devMail',
}))

export function readAddress(url: string, development: boolean): PageAddress {
  const [path = '/', text = ''] = url.split('?', 2)
  const screen = screens.find(
    ({ pattern, forDevelopers }) => pattern.test(path) && (development || !forDevelopers),
  )
  const name = screen?.name ?? null
  const fields = name === null ? [] : publicScreens[name]
  const given = new URLSearchParams(text)
  const query = Object.fromEntries((fields ?? []).flatMap((field) => pick(given, field)))
  const search = buildQueryString(query)
  return {
    name,
    params: decodeAll(screen?.pattern.exec(path)?.groups),
    path,
    query,
    search: search.slice(1),
    key: path + search,
    isScreen: name !== null,
    // An unknown URL shows a not-found page.
    isPublic: fields !== undefined,
  }
}

function decodeAll(params: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, decode(text)]))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function pick(given: URLSearchParams, field: string): [string, string][] {
  const value = given.get(field)?.trim()
  return value ? [[field, value]] : []
}
