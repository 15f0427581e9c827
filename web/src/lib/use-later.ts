import { useCallback, useEffect, useRef } from 'react'

/** Does something a while from now, unless the screen has been left meanwhile. */
export function useLater(): (act: () => void, afterMs: number) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback((act, afterMs) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(act, afterMs)
  }, [])
}
