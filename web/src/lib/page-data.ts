import { PAGE_DATA_ID } from '@sought/contract/constants'
import type { QueryClient } from '@tanstack/react-query'

/** Fills the cache with the replies that the server wrote into the page. The development server writes none. */
export function readPageData(cache: QueryClient): void {
  const element = document.getElementById(PAGE_DATA_ID)
  if (!element?.textContent) return
  for (const [path, reply] of Object.entries(JSON.parse(element.textContent))) {
    cache.setQueryData([path], reply)
  }
}
