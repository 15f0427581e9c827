import type { SELLER_COUNTRIES } from '@sought/contract/constants'
import { paths } from '@sought/contract/paths'
import { setUpStripeConnect } from '@sought/contract/sellers'
import { useEffect, useRef } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { toast, toastFailure } from '../../data/toasts.ts'
import { useAction } from '../../data/use-action.ts'
import { useTimeout } from '../../shared/time/use-timeout.ts'

const POLL_MS = 1_000
const RELOAD_MS = 2_000
const BLOCKED_REDIRECT_MS = 1_000
const POPUP_NAME = 'sought-onboarding'
const POPUP_FEATURES = 'popup,width=560,height=760'

const failureToast = (description: string) =>
  ({ title: 'Setup Failed', description, variant: 'destructive' }) as const

/** Opens Stripe's onboarding in a pop-up window, and reloads the page after the pop-up closes. */
export function useOnboarding() {
  const popup = useRef<Window | null>(null)
  const startTimeout = useTimeout()
  const onClose = usePollClosed(() => {
    toast({ title: 'Setup Complete?', description: 'Checking your account...' })
    startTimeout(() => window.location.reload(), RELOAD_MS)
  })
  const { run, isPending } = useAction(setUpStripeConnect, {
    failure: ({ userMessage }) => failureToast(userMessage ?? 'Please try again.'),
    onDone: ({ onboardingUrl }) => {
      if (!onboardingUrl) toast(failureToast('No onboarding URL received from Stripe'))
      else if (popup.current) showOnboarding(popup.current, onboardingUrl)
      else redirectTo(onboardingUrl)
    },
  })

  function showOnboarding(opened: Window, url: string): void {
    opened.location.replace(url)
    onClose(opened)
    popup.current = null
  }

  function redirectTo(url: string): void {
    toastFailure('Popup Blocked', 'Your browser blocked the pop-up window. Opening the setup here instead...')
    startTimeout(() => window.location.assign(url), BLOCKED_REDIRECT_MS)
  }

  async function open(country: (typeof SELLER_COUNTRIES)[number]): Promise<void> {
    if (popup.current) return
    // Opened before the call: browsers block pop-ups that do not open directly on a click.
    popup.current = openBlankPopup()
    await run({ body: { country } })
    // Still blank, because the call failed or the user has left the screen.
    popup.current?.close()
    popup.current = null
  }

  return { open, isPending }
}

function openBlankPopup(): Window | null {
  const popup = window.open('', POPUP_NAME, POPUP_FEATURES)
  if (popup) popup.document.title = 'Opening...'
  return popup
}

/** Checks every second whether a window has been closed, while the screen is shown. */
function usePollClosed(onClosed: () => void): (popup: Window) => void {
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

const returnToasts = {
  success: {
    title: 'Setup Complete!',
    description: 'Stripe is verifying your account. It will be ready soon.',
  },
  refresh: {
    title: 'Setup Incomplete',
    description: 'Please finish the setup to receive payouts.',
    variant: 'destructive',
  },
} as const

/** Shows the onboarding result from the URL, then clears the URL. */
export function useOnboardingReturn(): void {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const result =
    query.get('success') === 'true' ? 'success' : query.get('refresh') === 'true' ? 'refresh' : null
  useEffect(() => {
    if (!result) return
    toast(returnToasts[result])
    navigate(paths.sellerSetup(), { replace: true })
    // The page that opened the pop-up waits for it to close.
    if (result === 'success' && window.name === POPUP_NAME) window.close()
  }, [result, navigate])
}
