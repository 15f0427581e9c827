import { PAGE_DATA_ID } from '@sought/contract/constants'

/** Metadata of a page for search engines and link previews. */
export interface PageHead {
  title: string
  description: string
  /** The URLs are absolute. */
  url: string
  imageUrl: string | null
  /** schema.org, as JSON-LD. */
  data: object
}

/** Replaces the title and description of the built page and adds the tags for link previews. */
export function withHead(page: string, head: PageHead): string {
  const tags = [
    `<title>${escaped(head.title)} · Sought</title>`,
    meta('name', 'description', head.description),
    `<link rel="canonical" href="${escaped(head.url)}">`,
    meta('property', 'og:site_name', 'Sought'),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:title', head.title),
    meta('property', 'og:description', head.description),
    meta('property', 'og:url', head.url),
    ...(head.imageUrl ? [meta('property', 'og:image', head.imageUrl)] : []),
    meta('name', 'twitter:card', head.imageUrl ? 'summary_large_image' : 'summary'),
    `<script type="application/ld+json">${escapeJson(JSON.stringify(head.data))}</script>`,
  ]
  return page
    .replace(/<title>[^<]*<\/title>/, '')
    .replace(/<meta\s+name="description"[^>]*>/, '')
    .replace('</head>', () => `${tags.join('\n')}\n</head>`)
}

/**
 * Adds JSON that the app reads when it starts, escaped with `escapeJson`. Browsers do not run it, so the content security
 * policy allows it.
 */
export function withData(page: string, json: string): string {
  const headEnd = page.indexOf('</head>')
  const element = `<script type="application/json" id="${PAGE_DATA_ID}">${json}</script>\n`
  return page.slice(0, headEnd) + element + page.slice(headEnd)
}

const meta = (kind: 'name' | 'property', key: string, content: string) =>
  `<meta ${kind}="${key}" content="${escaped(content)}">`

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Escapes `<`, so that the JSON cannot close its script element. */
export function escapeJson(json: string): string {
  return json.replace(/</g, '\\u003c')
}
