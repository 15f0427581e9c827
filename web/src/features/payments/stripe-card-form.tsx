import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { type FormEvent, useEffect, useState } from 'react'
import { ErrorState } from '../../ui/error-state.tsx'
import { CardFormSkeleton } from './card-form-skeleton.tsx'
import { outcomeOf } from './outcome.ts'
import { PayButton } from './pay-button.tsx'
import { useStripeLook } from './stripe-look.ts'
import { type Destination, returnUrlOf, usePay } from './use-pay.ts'

/* Stripe's code, ours about it and theirs, is fetched by who pays with Stripe and nobody else. */

interface StripeCardFormProps extends Destination {
  publishableKey: string
  clientSecret: string
  amountCents: number
}

/** Stripe's own card form: the card's data never touches our page. */
export function StripeCardForm({ publishableKey, clientSecret, amountCents, escrow }: StripeCardFormProps) {
  const stripe = useLoadedStripe(publishableKey)
  const appearance = useStripeLook()
  if (stripe === 'failed') return <DidNotLoad />
  if (!stripe) return <CardFormSkeleton />
  return (
    <Elements key={clientSecret} stripe={stripe} options={{ clientSecret, appearance }}>
      <StripeFields amountCents={amountCents} escrow={escrow} />
    </Elements>
  )
}

function useLoadedStripe(publishableKey: string): Stripe | 'failed' | null {
  const [stripe, setStripe] = useState<Stripe | 'failed' | null>(null)
  useEffect(() => {
    let left = false
    const arrived = (it: Stripe | 'failed' | null) => {
      if (!left) setStripe(it)
    }
    loadStripe(publishableKey).then(arrived, () => arrived('failed'))
    return () => {
      left = true
    }
  }, [publishableKey])
  return stripe
}

function StripeFields({ amountCents, escrow }: Destination & { amountCents: number }) {
  const stripe = useStripe()
  const elements = useElements()
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const { pay, busy } = usePay({ escrow })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!stripe || !elements) return
    void pay(async () =>
      outcomeOf(
        await stripe.confirmPayment({
          elements,
          confirmParams: { return_url: returnUrlOf({ escrow }) },
          redirect: 'if_required',
        }),
      ),
    )
  }

  if (state === 'failed') return <DidNotLoad />
  return (
    <form noValidate aria-label="Card payment" onSubmit={submit} className="grid gap-6">
      <h2 className="font-display font-strong text-title">Pay by card</h2>
      {state === 'loading' && <CardFormSkeleton fieldsOnly />}
      <PaymentElement onReady={() => setState('ready')} onLoadError={() => setState('failed')} />
      <PayButton amountCents={amountCents} busy={busy} disabled={state !== 'ready'} />
    </form>
  )
}

function DidNotLoad() {
  return (
    <ErrorState
      title="The card form did not load"
      message="Nothing was charged. A content blocker may have stopped Stripe’s script."
      retryLabel="Reload"
      onRetry={() => window.location.reload()}
    />
  )
}
