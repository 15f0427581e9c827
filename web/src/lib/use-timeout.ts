import { useCallback, useEffect, useRef } from 'react'

/** Does something a while from now, unless the screen has been left by then. */
export function useTimeout(): (act: () => void, afterMs: number) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const left = useRef(false)
  useEffect(() => {
    left.current = false
    return () => {
      left.current = true
      clearTimeout(timer.current)
    }
  }, [])
  return useCallback((act, afterMs) => {
    if (left.current) return
    clearTimeout(timer.current)
    timer.current = setTimeout(act, afterMs)
  }, [])
}
