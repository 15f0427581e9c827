import { PAGE_DATA_ID } from '@sought/contract/constants'
import type { PageData } from '@sought/contract/rendering'
import type { QueryClient } from '@tanstack/react-query'
import { CallError } from './client.ts'

export function fillCache(cache: QueryClient, data: PageData): void {
  for (const [queryKey, reply, refusal] of data) {
    if (refusal) {
      const error = new CallError(refusal.status, '', refusal.body)
      const query = cache.getQueryCache().build(cache, { queryKey })
      query.setState({ ...query.state, status: 'error', error })
    } else {
      cache.setQueryData(queryKey, reply)
    }
  }
}

/** Fills the cache with the replies that the server embedded in the page. The development server embeds none. */
export function readPageData(cache: QueryClient): void {
  const element = document.getElementById(PAGE_DATA_ID)
  if (!element?.textContent) return
  fillCache(cache, JSON.parse(element.textContent))
  // When the user goes back, the browser may show an outdated stored page.
  if (performance.getEntriesByType('navigation').some(isReturn)) void cache.invalidateQueries()
}

const isReturn = (entry: PerformanceEntry) => (entry as PerformanceNavigationTiming).type === 'back_forward'
