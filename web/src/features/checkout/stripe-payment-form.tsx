import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Appearance, Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { type FormEvent, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { CardFormSkeleton } from './card-form-skeleton.tsx'
import { toOutcome } from './outcome.ts'
import { PayButton } from './pay-button.tsx'
import { PaymentFailure } from './payment-failure.tsx'
import type { PaymentFormProps } from './payment-form.ts'
import { getReturnUrl, usePay } from './use-pay.ts'

/* Loaded lazily, so that only payments with Stripe load Stripe's code. */

interface StripePaymentFormProps extends Omit<PaymentFormProps, 'methods'> {
  publishableKey: string
}

/** Stripe's form for all methods of the payment, in its own frame, so that our page never sees what is entered. */
export function StripePaymentForm({
  publishableKey,
  clientSecret,
  amountCents,
  currency,
  escrow,
}: StripePaymentFormProps) {
  const stripe = useStripeScript(publishableKey)
  const appearance = useStripeAppearance()
  if (stripe === 'failed') return <LoadError />
  if (!stripe) return <CardFormSkeleton />
  return (
    <Elements key={clientSecret} stripe={stripe} options={{ clientSecret, appearance }}>
      <StripeFields amountCents={amountCents} currency={currency} escrow={escrow} />
    </Elements>
  )
}

function useStripeScript(publishableKey: string): Stripe | 'failed' | null {
  const [stripe, setStripe] = useState<Stripe | 'failed' | null>(null)
  useEffect(() => {
    let isCancelled = false
    const finish = (it: Stripe | 'failed' | null) => {
      if (!isCancelled) setStripe(it)
    }
    loadStripe(publishableKey).then(finish, () => finish('failed'))
    return () => {
      isCancelled = true
    }
  }, [publishableKey])
  return stripe
}

type StripeFieldsProps = Pick<StripePaymentFormProps, 'amountCents' | 'currency' | 'escrow'>

function StripeFields({ amountCents, currency, escrow }: StripeFieldsProps) {
  const stripe = useStripe()
  const elements = useElements()
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const { pay, busy, failure } = usePay({ escrow })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!stripe || !elements) return
    void pay(async () =>
      toOutcome(
        await stripe.confirmPayment({
          elements,
          confirmParams: { return_url: getReturnUrl({ escrow }) },
          redirect: 'if_required',
        }),
      ),
    )
  }

  if (state === 'failed') return <LoadError />
  return (
    <form noValidate aria-label="Payment" onSubmit={submit} className="grid gap-6">
      <h2 className="font-display font-strong text-title">Payment</h2>
      {state === 'loading' && <CardFormSkeleton fieldsOnly />}
      <PaymentElement onReady={() => setState('ready')} onLoadError={() => setState('failed')} />
      <PaymentFailure failure={failure} advice="Check the details or pay with something else." />
      <PayButton amountCents={amountCents} currency={currency} busy={busy} disabled={state !== 'ready'} />
    </form>
  )
}

function LoadError() {
  return (
    <ErrorState
      title="The payment form did not load"
      message="You were not charged. A content blocker may have stopped Stripe’s script."
      retryLabel="Reload"
      onRetry={() => window.location.reload()}
    />
  )
}

const darkModeQuery = () => window.matchMedia('(prefers-color-scheme: dark)')

const subscribe = (listener: () => void) => {
  const query = darkModeQuery()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Our colours and shapes for Stripe's fields, which are in a frame outside our stylesheet's reach. */
function useStripeAppearance(): Appearance {
  const isDark = useSyncExternalStore(subscribe, () => darkModeQuery().matches)
  return useMemo(() => createAppearance(isDark), [isDark])
}

function createAppearance(isDark: boolean): Appearance {
  return {
    theme: isDark ? 'night' : 'stripe',
    variables: {
      colorPrimary: resolveColour('--color-accent'),
      colorBackground: resolveColour('--color-paper'),
      colorText: resolveColour('--color-ink'),
      colorTextSecondary: resolveColour('--color-ink-soft'),
      colorDanger: resolveColour('--color-danger'),
      fontFamily: 'system-ui, sans-serif',
      borderRadius: '5px',
    },
  }
}

/** Stripe does not understand oklch() or light-dark(), so a canvas converts the colour to RGB. */
function resolveColour(token: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas to convert a colour with')
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
  return `rgb(${red}, ${green}, ${blue})`
}
