import { type ComponentType, useEffect, useState } from 'react'
import { dismiss, SWIPE_THRESHOLD_PX, TOAST_DURATION_MS, useToasts } from '../../lib/toasts.ts'
import type { ToastAreaProps } from '../../ui/toast.tsx'

/** How long the first screen may keep the machine to itself before the toasts' code is fetched. */
const SETTLE_MS = 1500

/**
 * Joins the toasts' store to their looks. The looks are fetched once the first screen has settled, or with the first
 * toast; a fetch that fails is tried again with the next toast.
 */
export function Toaster() {
  const toasts = useToasts()
  const [Area, setArea] = useState<ComponentType<ToastAreaProps> | null>(null)
  const waiting = toasts.some((it) => it.open)

  useEffect(() => {
    if (Area) return
    const load = () => {
      import('../../ui/toast.tsx').then(
        (module) => setArea(() => module.ToastArea),
        (error: unknown) => console.warn('The notification area could not be loaded', error),
      )
    }
    const timer = setTimeout(load, waiting ? 0 : SETTLE_MS)
    return () => clearTimeout(timer)
  }, [Area, waiting])

  return Area ? (
    <Area
      toasts={toasts}
      onDismiss={dismiss}
      durationMs={TOAST_DURATION_MS}
      swipeThresholdPx={SWIPE_THRESHOLD_PX}
    />
  ) : null
}
