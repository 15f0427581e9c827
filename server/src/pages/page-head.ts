import { ACCENT_STYLE_ID, accentStyle } from '@sought/contract/accent-colours'
import { PAGE_DATA_ID } from '@sought/contract/constants'
import type { MarketSettings } from '@sought/contract/market-settings'
import type { PageData } from '@sought/contract/rendering'

import { escaped } from '../core/escape-html.ts'
import type { Services } from '../services.ts'

/** The values that the metadata of every page depends on. */
export interface Site {
  publicUrl: string
  market: Pick<MarketSettings, 'name' | 'categories' | 'accentColor'>
}

export const siteOf = ({ config, market }: Pick<Services, 'config' | 'market'>): Site => ({
  publicUrl: config.publicUrl,
  market: market.latest(),
})

/** Metadata of a page for search engines and link previews. */
export interface PageHead {
  title: string
  description: string
  /** The URLs are absolute. */
  url: string
  imageUrl: string
  /** Replaces the title in the browser tab, which otherwise ends with the name of the site. */
  tabTitle?: string
  /** schema.org, as JSON-LD. */
  data?: object
  /** The path from the home page to this page. */
  breadcrumbs?: readonly Breadcrumb[]
  /** Asks search engines not to list the page. */
  noindex?: boolean
}

/**
 * Null if a page has no metadata of its own, 'missing' if its content does not exist, and 'gone' if it was removed
 * permanently.
 */
export type HeadResult = PageHead | 'missing' | 'gone' | null

interface Breadcrumb {
  name: string
  url: string
}

/** The built page with the market's colours and logo. */
export function withBrand(
  page: string,
  { name, accentColor }: Pick<MarketSettings, 'name' | 'accentColor'>,
): string {
  const titled = withTitle(page, name)
  if (accentColor === null) return titled
  return withTags(titled, `<style id="${ACCENT_STYLE_ID}">${accentStyle(accentColor)}</style>`)
}

const withTitle = (page: string, title: string) =>
  page.replace(TITLE, () => `<title>${escaped(title)}</title>`)

/** Replaces the title and description of the built page and adds the tags for link previews. */
export function withHead(page: string, head: PageHead, siteName: string): string {
  const tags = [
    `<title>${escaped(head.tabTitle ?? `${head.title} · ${siteName}`)}</title>`,
    meta('name', 'description', head.description),
    `<link rel="canonical" href="${escaped(head.url)}">`,
    meta('property', 'og:site_name', siteName),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:title', head.title),
    meta('property', 'og:description', head.description),
    meta('property', 'og:url', head.url),
    meta('property', 'og:image', head.imageUrl),
    meta('name', 'twitter:card', 'summary_large_image'),
    ...(head.noindex ? [NOINDEX] : []),
    ...(head.data ? [jsonLd(head.data)] : []),
    ...(head.breadcrumbs ? [jsonLd(breadcrumbList(head.breadcrumbs))] : []),
  ]
  return withTags(page.replace(TITLE, '').replace(/<meta\s+name="description"[^>]*>/, ''), tags.join('\n'))
}

/** For pages that search engines should not list. Without their own title, they have the site's. */
export function withoutIndex(page: string, title: string | null): string {
  const titled = title === null ? page : withTitle(page, title)
  return withTags(titled, NOINDEX)
}

const TITLE = /<title>[^<]*<\/title>/

const NOINDEX = '<meta name="robots" content="noindex">'

const withTags = (page: string, tags: string) => page.replace('</head>', () => `${tags}\n</head>`)

const jsonLd = (data: object) =>
  `<script type="application/ld+json">${escapeJson(JSON.stringify(data))}</script>`

const breadcrumbList = (breadcrumbs: readonly Breadcrumb[]) => ({
  '@context': 'https://schema.org',
  '@type': 'BreadcrumbList',
  itemListElement: breadcrumbs.map(({ name, url }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: url,
  })),
})

/**
 * Embeds data that the app reads when it starts. Browsers do not execute it, so the content security policy allows
 * it.
 */
export function withData(page: string, data: PageData): string {
  const json = escapeJson(JSON.stringify(data))
  // After the content, which should be shown first.
  const end = page.lastIndexOf('</body>')
  const element = `<script type="application/json" id="${PAGE_DATA_ID}">${json}</script>\n`
  return page.slice(0, end) + element + page.slice(end)
}

const meta = (kind: 'name' | 'property', key: string, content: string) =>
  `<meta ${kind}="${key}" content="${escaped(content)}">`

/** Escapes `<`, so that the JSON cannot close its script element. */
function escapeJson(json: string): string {
  return json.replace(/</g, '\\u003c')
}
