import { createHash } from 'node:crypto'

/** A finished page for visitors. */
export interface CachedPage {
  status: number
  html: string
  etag: string
}

interface Entry {
  page: Promise<CachedPage>
  readAtMs: number
}

/** Long enough for a crowd, too short for anybody to notice. */
const MAX_AGE_MS = 1_000
const PAGES_MAX = 200

/**
 * Caches the pages of visitors without cookies for a moment, so that a crowd costs one rendering (ADR 62).
 * Concurrent visitors share one. The oldest page is dropped first.
 */
export function createPageCache(nowMs: () => number = performance.now.bind(performance)) {
  const entries = new Map<string, Entry>()
  return (key: string, render: () => Promise<Omit<CachedPage, 'etag'>>): Promise<CachedPage> => {
    const known = entries.get(key)
    if (known && nowMs() - known.readAtMs < MAX_AGE_MS) return known.page
    entries.delete(key)
    const page = render().then((rendered) => ({ ...rendered, etag: etagOf(rendered.html) }))
    const entry = { page, readAtMs: nowMs() }
    entries.set(key, entry)
    const [oldest] = entries.keys()
    if (entries.size > PAGES_MAX && oldest !== undefined) entries.delete(oldest)
    const forget = () => entries.get(key) === entry && entries.delete(key)
    page.then(({ status }) => status === 200 || forget(), forget)
    return page
  }
}

/** Weak, because the page is the same with every compression. */
const etagOf = (html: string) => `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`
