import { type RefObject, useEffect } from 'react'

/** With less of the thread than this in view, the corner of the window is as good a place. */
const LEAST_PX = 96

/** Has toasts stand at the top of the thread: over the corner, where they usually are, people write and answer here. */
export function useToastRoom(thread: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const box = thread.current
    if (!box) return
    const page = document.documentElement
    const { style } = page
    const say = (name: string, px: number) => style.setProperty(name, `${Math.max(0, Math.round(px))}px`)
    const leave = () => {
      for (const name of ['--toast-right', '--toast-bottom', '--toast-height']) style.removeProperty(name)
    }
    const place = () => {
      const { top, right, bottom } = box.getBoundingClientRect()
      if (bottom < LEAST_PX) return leave()
      const lowest = Math.min(bottom, window.innerHeight)
      say('--toast-right', page.clientWidth - right)
      say('--toast-bottom', window.innerHeight - lowest)
      say('--toast-height', lowest - Math.max(0, top))
    }
    const resized = new ResizeObserver(place)
    resized.observe(box)
    window.addEventListener('resize', place)
    window.addEventListener('scroll', place, { passive: true })
    return () => {
      resized.disconnect()
      window.removeEventListener('resize', place)
      window.removeEventListener('scroll', place)
      leave()
    }
  }, [thread])
}
