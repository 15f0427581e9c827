import { PAGE_DATA_ID } from '@sought/contract/constants'
import type { QueryClient } from '@tanstack/react-query'

/** What is read again each time a screen opens is not read right after the page came with it. */
export const PAGE_DATA_FRESH_MS = 10_000

/** A cached reply by its key in the cache. */
export type PageData = readonly (readonly [key: readonly unknown[], reply: unknown])[]

/** Fills the cache with the replies that the server wrote into the page. The development server writes none. */
export function readPageData(cache: QueryClient): void {
  const element = document.getElementById(PAGE_DATA_ID)
  if (!element?.textContent) return
  const entries: PageData = JSON.parse(element.textContent)
  for (const [key, reply] of entries) cache.setQueryData(key, reply)
  // The browser may show a page that it has stored when somebody goes back to it.
  if (performance.getEntriesByType('navigation').some(isReturn)) void cache.invalidateQueries()
}

const isReturn = (entry: PerformanceEntry) => (entry as PerformanceNavigationTiming).type === 'back_forward'
