import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { Entry } from './thread-entries.ts'

const NEAR_END_PX = 48

/**
 * Keeps the reader's place: at the end, if that is where they were or if they have just written; else
 * on the very words they were reading, whatever is added above.
 */
export function useThreadScroll(view: RefObject<HTMLElement | null>, entries: readonly Entry[]): void {
  const atEnd = useRef(true)
  /** What the reader was looking at, and how far down it stood. */
  const anchor = useRef<{ words: HTMLElement | undefined; top: number }>({ words: undefined, top: 0 })
  const lastKey = useRef<string>(undefined)

  useLayoutEffect(() => {
    const box = view.current
    if (!box) return
    const { words, top } = anchor.current
    const last = entries.at(-1)
    const justWrote = last?.kind === 'outgoing' && last.key !== lastKey.current
    lastKey.current = last?.key
    if (atEnd.current || justWrote) box.scrollTop = box.scrollHeight
    else if (words?.isConnected) box.scrollTop += words.offsetTop - top
    anchor.current = firstInView(box)
  }, [view, entries])

  useEffect(() => {
    const box = view.current
    if (!box) return
    const onScroll = () => {
      anchor.current = firstInView(box)
      atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END_PX
    }
    // The composer grows, the offer panel opens: the end stays in view.
    const resized = new ResizeObserver(() => {
      if (atEnd.current) box.scrollTop = box.scrollHeight
    })
    box.addEventListener('scroll', onScroll, { passive: true })
    resized.observe(box)
    return () => {
      box.removeEventListener('scroll', onScroll)
      resized.disconnect()
    }
  }, [view])
}

function firstInView(box: HTMLElement) {
  const words = [...box.querySelectorAll<HTMLElement>('[data-anchor]')].find(
    ({ offsetTop, offsetHeight }) => offsetTop + offsetHeight > box.scrollTop,
  )
  return { words, top: words?.offsetTop ?? 0 }
}
