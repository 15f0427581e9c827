import { type ComponentType, useEffect, useState } from 'react'
import { dismiss, SWIPE_THRESHOLD_PX, TOAST_DURATION_MS, useToasts } from '../../data/toasts.ts'
import type { ToastAreaProps } from '../../ui/overlays/toast.tsx'

/** Toasts follow user actions, so their code is loaded on the first interaction. */
const INTERACTIONS = ['pointerdown', 'keydown'] as const

/**
 * Shows the toasts. Their code is loaded on the first interaction, so that visitors who only read never load it. If
 * loading fails, it is retried on the next interaction and with the next toast.
 */
export function Toaster({ durationMs = TOAST_DURATION_MS }: { durationMs?: number }) {
  const toasts = useToasts()
  const [Area, setArea] = useState<ComponentType<ToastAreaProps> | null>(null)
  const hasOpenToast = toasts.some((it) => it.open)

  useEffect(() => {
    if (Area) return
    const load = () => {
      import('../../ui/overlays/toast.tsx').then(
        (module) => setArea(() => module.ToastArea),
        (error: unknown) => console.warn('The notification area could not be loaded', error),
      )
    }
    if (hasOpenToast) load()
    for (const event of INTERACTIONS) document.addEventListener(event, load)
    return () => {
      for (const event of INTERACTIONS) document.removeEventListener(event, load)
    }
  }, [Area, hasOpenToast])

  return Area ? (
    <Area toasts={toasts} onDismiss={dismiss} durationMs={durationMs} swipeThresholdPx={SWIPE_THRESHOLD_PX} />
  ) : null
}
