import { type RefObject, useEffect } from 'react'

export interface OlderMessages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

const LOAD_AHEAD_PX = 200

/** Loads older messages when the user scrolls near the top of the thread. */
export function useLoadOlder(
  view: RefObject<HTMLElement | null>,
  top: RefObject<HTMLElement | null>,
  { hasNextPage, isFetchingNextPage, fetchNextPage }: OlderMessages,
): void {
  useEffect(() => {
    if (!hasNextPage || isFetchingNextPage || !top.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void fetchNextPage()
      },
      { root: view.current, rootMargin: `${LOAD_AHEAD_PX}px 0px 0px` },
    )
    observer.observe(top.current)
    return () => observer.disconnect()
  }, [view, top, hasNextPage, isFetchingNextPage, fetchNextPage])
}
