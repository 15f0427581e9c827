import { useEffect, useState } from 'react'

/** Whether a value has stayed as it is for this long. */
export function useSettled(value: string, forMs: number): boolean {
  const [settled, setSettled] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), forMs)
    return () => clearTimeout(timer)
  }, [value, forMs])
  return settled === value
}
