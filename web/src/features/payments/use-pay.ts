import { paths } from '@sought/contract/paths'
import { listPayments } from '@sought/contract/payments'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { refresh } from '../../lib/calls.ts'
import { toast } from '../../lib/toasts.ts'
import { useTimeout } from '../../lib/use-timeout.ts'
import type { Outcome } from './outcome.ts'

const SUCCESS_REDIRECT_MS = 500

/** Where the provider sends the buyer back to. */
export interface Destination {
  escrow: boolean
}

export function returnUrlOf({ escrow }: Destination): string {
  return window.location.origin + paths.paymentSuccess(escrow ? { escrow } : {})
}

/** Pays once at a time, and says or does what follows from the outcome. The same for every provider. */
export function usePay(destination: Destination) {
  const [, navigate] = useLocation()
  const cache = useQueryClient()
  const startTimeout = useTimeout()
  const [busy, setBusy] = useState(false)
  // Two presses can come before the first is drawn: this is set at once.
  const underWay = useRef(false)

  const tryAgain = useCallback(() => {
    underWay.current = false
    setBusy(false)
  }, [])

  // Whoever turns back at the bank's page may find this one as they left it, with the button still busy.
  useEffect(() => {
    const restored = ({ persisted }: PageTransitionEvent) => {
      if (persisted) tryAgain()
    }
    window.addEventListener('pageshow', restored)
    return () => window.removeEventListener('pageshow', restored)
  }, [tryAgain])

  async function pay(confirm: () => Promise<Outcome>): Promise<Outcome | null> {
    if (underWay.current) return null
    underWay.current = true
    setBusy(true)
    const outcome = await confirm().catch((): Outcome => ({ state: 'unexpected' }))
    follow(outcome)
    return outcome
  }

  function follow(outcome: Outcome): void {
    switch (outcome.state) {
      case 'paid':
        void refresh(cache, [listPayments])
        startTimeout(() => navigate(successPath(destination, outcome.intentId)), SUCCESS_REDIRECT_MS)
        return
      case 'elsewhere':
        window.location.assign(outcome.url)
        return
      case 'refused':
        say('Payment Failed', outcome.message ?? 'Payment processing failed')
        tryAgain()
        return
      case 'unexpected':
        say('Payment Error', 'An unexpected error occurred. Please try again.')
        tryAgain()
        return
    }
  }

  return { pay, busy }
}

const say = (title: string, description: string) => toast({ title, description, variant: 'destructive' })

const successPath = ({ escrow }: Destination, intentId: string) =>
  paths.paymentSuccess({ ...(escrow && { escrow }), payment_intent: intentId })
