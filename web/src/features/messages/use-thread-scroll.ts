import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { Entry } from './thread-entries.ts'

const NEAR_END_PX = 48

/**
 * Keeps the scroll position when entries are added: at the end if the reader was there or has just sent a message,
 * otherwise at the entry that they were reading.
 */
export function useThreadScroll(view: RefObject<HTMLElement | null>, entries: readonly Entry[]): void {
  const isAtEnd = useRef(true)
  /** The first visible entry and its offset. */
  const anchor = useRef<{ element: HTMLElement | undefined; top: number }>({ element: undefined, top: 0 })
  const lastKey = useRef<string>(undefined)

  useLayoutEffect(() => {
    const box = view.current
    if (!box) return
    const { element, top } = anchor.current
    const last = entries.at(-1)
    const hasJustSent = last?.kind === 'outgoing' && last.key !== lastKey.current
    lastKey.current = last?.key
    if (isAtEnd.current || hasJustSent) box.scrollTop = box.scrollHeight
    else if (element?.isConnected) box.scrollTop += element.offsetTop - top
    anchor.current = findFirstVisible(box)
  }, [view, entries])

  useEffect(() => {
    const box = view.current
    if (!box) return
    const onScroll = () => {
      anchor.current = findFirstVisible(box)
      isAtEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END_PX
    }
    // Keeps the end visible when the composer grows or the offer panel opens.
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) box.scrollTop = box.scrollHeight
    })
    box.addEventListener('scroll', onScroll, { passive: true })
    observer.observe(box)
    return () => {
      box.removeEventListener('scroll', onScroll)
      observer.disconnect()
    }
  }, [view])
}

function findFirstVisible(box: HTMLElement) {
  const element = [...box.querySelectorAll<HTMLElement>('[data-anchor]')].find(
    ({ offsetTop, offsetHeight }) => offsetTop + offsetHeight > box.scrollTop,
  )
  return { element, top: element?.offsetTop ?? 0 }
}
