import { useCallback, useEffect, useRef } from 'react'

/** Runs a function after a delay, unless the component is unmounted by then. */
export function useTimeout(): (callback: () => void, delayMs: number) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isUnmounted = useRef(false)
  useEffect(() => {
    isUnmounted.current = false
    return () => {
      isUnmounted.current = true
      clearTimeout(timer.current)
    }
  }, [])
  return useCallback((callback, delayMs) => {
    if (isUnmounted.current) return
    clearTimeout(timer.current)
    timer.current = setTimeout(callback, delayMs)
  }, [])
}
