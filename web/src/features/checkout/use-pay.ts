import { paths } from '@sought/contract/paths'
import { submitPayment } from '@sought/contract/payments'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { refreshAfter } from '../../data/calls.ts'
import { toastFailure } from '../../data/toasts.ts'
import { useTimeout } from '../../shared/time/use-timeout.ts'
import type { Outcome } from './outcome.ts'

const SUCCESS_REDIRECT_MS = 500

export interface ReturnOptions {
  escrow: boolean
}

export function getReturnUrl({ escrow }: ReturnOptions): string {
  return window.location.origin + paths.paymentSuccess(escrow ? { escrow } : {})
}

/** Why the last attempt failed. */
export type Failure = Extract<Outcome, { state: 'refused' | 'unexpected' }>

/** Confirms the payment with any provider and handles the outcome. Runs one confirmation at a time. */
export function usePay(returnOptions: ReturnOptions) {
  const [, navigate] = useLocation()
  const cache = useQueryClient()
  const startTimeout = useTimeout()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  // A second click may arrive before React disables the button.
  const isRunning = useRef(false)

  const allowRetry = useCallback(() => {
    isRunning.current = false
    setBusy(false)
  }, [])

  // The back button on the bank's page may restore this page from the cache, with the button still busy.
  useEffect(() => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) allowRetry()
    }
    window.addEventListener('pageshow', onPageShow)
    return () => window.removeEventListener('pageshow', onPageShow)
  }, [allowRetry])

  async function pay(confirm: () => Promise<Outcome>): Promise<Outcome | null> {
    if (isRunning.current) return null
    isRunning.current = true
    setBusy(true)
    setFailure(null)
    const outcome = await confirm().catch((): Outcome => ({ state: 'unexpected' }))
    handleOutcome(outcome)
    return outcome
  }

  function handleOutcome(outcome: Outcome): void {
    switch (outcome.state) {
      case 'paid':
      case 'waiting':
        void refreshAfter(cache, submitPayment)
        startTimeout(() => navigate(getSuccessPath(returnOptions, outcome.intentId)), SUCCESS_REDIRECT_MS)
        return
      case 'redirect':
        window.location.assign(outcome.url)
        return
      case 'refused':
        toastFailure('Payment Failed', outcome.message ?? 'Payment processing failed')
        setFailure(outcome)
        allowRetry()
        return
      case 'unexpected':
        toastFailure('Payment Error', 'An unexpected error occurred. Please try again.')
        setFailure(outcome)
        allowRetry()
        return
    }
  }

  return { pay, busy, failure }
}

const getSuccessPath = ({ escrow }: ReturnOptions, intentId: string) =>
  paths.paymentSuccess({ ...(escrow && { escrow }), payment_intent: intentId })
