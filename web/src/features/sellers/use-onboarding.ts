import type { SELLER_COUNTRIES } from '@sought/contract/constants'
import { setUpStripeConnect } from '@sought/contract/sellers'
import { useEffect, useRef, useState } from 'react'
import { useSend } from '../../lib/calls.ts'
import { CallError } from '../../lib/client.ts'
import { toast } from '../../lib/toasts.ts'
import { useSessionEnded } from '../../lib/use-session-ended.ts'
import { useTimeout } from '../../lib/use-timeout.ts'

const POLL_MS = 1_000
const RELOAD_MS = 2_000
const BLOCKED_REDIRECT_MS = 1_000
const POPUP_FEATURES = 'popup,width=560,height=760'

const MISSING_URL = 'No onboarding URL received from Stripe'

/** Opens the provider's onboarding in a window of its own, and watches for that to close. */
export function useOnboarding() {
  const [busy, setBusy] = useState(false)
  const send = useSend(setUpStripeConnect)
  const sessionEnded = useSessionEnded()
  const startTimeout = useTimeout()
  const watchClose = useWatchClose(() => {
    toast({ title: 'Setup Complete?', description: 'Looking at your account again...' })
    startTimeout(() => window.location.reload(), RELOAD_MS)
  })

  async function open(country: (typeof SELLER_COUNTRIES)[number]): Promise<void> {
    setBusy(true)
    // Opened by the press itself, before anything is waited for: later, a browser would block it.
    const popup = openEmpty()
    try {
      const { onboardingUrl } = await send.mutateAsync({ body: { country } })
      if (!onboardingUrl) throw new Error(MISSING_URL)
      if (popup) lead(popup, onboardingUrl)
      else leaveFor(onboardingUrl)
    } catch (error) {
      popup?.close()
      if (!sessionEnded(error)) sayFailed(error)
    }
    setBusy(false)
  }

  function lead(popup: Window, url: string): void {
    popup.location.replace(url)
    watchClose(popup)
  }

  function leaveFor(url: string): void {
    toast({
      title: 'Popup Blocked',
      description: 'Your browser blocked the window. Taking you there instead...',
      variant: 'destructive',
    })
    startTimeout(() => window.location.assign(url), BLOCKED_REDIRECT_MS)
  }

  return { open, busy }
}

function openEmpty(): Window | null {
  const popup = window.open('', 'sought-onboarding', POPUP_FEATURES)
  if (popup) popup.document.title = 'Opening...'
  return popup
}

function sayFailed(error: unknown): void {
  const words = error instanceof CallError ? error.userMessage : error instanceof Error ? error.message : null
  toast({ title: 'Setup Failed', description: words ?? 'Please try again.', variant: 'destructive' })
}

/** Looks every second whether a window is still open, as long as the screen is. */
function useWatchClose(onClosed: () => void): (popup: Window) => void {
  const timer = useRef<ReturnType<typeof setInterval>>(undefined)
  useEffect(() => () => clearInterval(timer.current), [])
  return (popup) => {
    clearInterval(timer.current)
    timer.current = setInterval(() => {
      if (!popup.closed) return
      clearInterval(timer.current)
      onClosed()
    }, POLL_MS)
  }
}
