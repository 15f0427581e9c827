import { type RefObject, useEffect } from 'react'

/** If less of the thread is visible, toasts stay in their usual corner. */
const MIN_VISIBLE_PX = 96

/** Moves toasts to the top of the thread, because their usual corner would cover the composer. */
export function useToastPosition(thread: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const box = thread.current
    if (!box) return
    const page = document.documentElement
    const { style } = page
    const setPx = (name: string, px: number) => style.setProperty(name, `${Math.max(0, Math.round(px))}px`)
    const reset = () => {
      for (const name of ['--toast-right', '--toast-bottom', '--toast-height']) style.removeProperty(name)
    }
    const update = () => {
      const { top, right, bottom } = box.getBoundingClientRect()
      if (bottom < MIN_VISIBLE_PX) return reset()
      const visibleBottom = Math.min(bottom, window.innerHeight)
      setPx('--toast-right', page.clientWidth - right)
      setPx('--toast-bottom', window.innerHeight - visibleBottom)
      setPx('--toast-height', visibleBottom - Math.max(0, top))
    }
    const observer = new ResizeObserver(update)
    observer.observe(box)
    window.addEventListener('resize', update)
    window.addEventListener('scroll', update, { passive: true })
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', update)
      window.removeEventListener('scroll', update)
      reset()
    }
  }, [thread])
}
