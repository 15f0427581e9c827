import { type RefObject, useEffect } from 'react'

export interface OlderMessages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

const AHEAD_PX = 200

/** Reads older messages as the top of the thread comes near. */
export function useOlder(
  view: RefObject<HTMLElement | null>,
  top: RefObject<HTMLElement | null>,
  { hasNextPage, isFetchingNextPage, fetchNextPage }: OlderMessages,
): void {
  useEffect(() => {
    if (!hasNextPage || isFetchingNextPage || !top.current) return
    const near = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) void fetchNextPage()
      },
      { root: view.current, rootMargin: `${AHEAD_PX}px 0px 0px` },
    )
    near.observe(top.current)
    return () => near.disconnect()
  }, [view, top, hasNextPage, isFetchingNextPage, fetchNextPage])
}
