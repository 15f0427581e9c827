import { type ComponentType, useEffect, useState } from 'react'
import { dismiss, SWIPE_THRESHOLD_PX, TOAST_DURATION_MS, useToasts } from '../../lib/toasts.ts'
import type { ToastAreaProps } from '../../ui/toast.tsx'

/** A toast answers something that somebody did, so its code is on its way from their first key or touch. */
const FIRST_SIGNS = ['pointerdown', 'keydown'] as const

/**
 * Joins the toasts' store to their looks. The looks are fetched when they may soon be wanted: a visitor who only reads
 * never pays for them. A fetch that fails is tried again at the next sign, and with the next toast.
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
    if (waiting) load()
    for (const sign of FIRST_SIGNS) document.addEventListener(sign, load)
    return () => {
      for (const sign of FIRST_SIGNS) document.removeEventListener(sign, load)
    }
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
