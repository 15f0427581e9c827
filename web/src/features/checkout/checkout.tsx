import type { Currency } from '@sought/contract/currencies'
import type { DeliveryAddress } from '@sought/contract/delivery-address'
import { paths } from '@sought/contract/paths'
import { getConfig } from '@sought/contract/platform'
import { getWantedItem } from '@sought/contract/requests'
import { HOLD_DAYS_AFTER_DELIVERY, HOLD_DAYS_AFTER_SHIPPING } from '@sought/escrow/delivery'
import { getHoldDays } from '@sought/escrow/hold'
import { lazy, Suspense, useEffect, useId } from 'react'
import { useLocation } from 'wouter'
import { useRead } from '../../data/calls.ts'
import type { CallError } from '../../data/client.ts'
import { toast, toastFailure } from '../../data/toasts.ts'
import { isUnauthenticated } from '../../data/unauthenticated.ts'
import { PaymentPath } from '../../shared/deals/payment-path.tsx'
import { ItemNotFound, PaymentUnavailable } from '../../shared/deals/payment-unavailable.tsx'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { useFirstCurrency } from '../../shared/market/currency.ts'
import { useLimits, useMarket } from '../../shared/market/market.ts'
import { BackButton } from '../../shared/navigation/back-button.tsx'
import { PayoutsStopped } from '../../shared/offers/payouts-stopped.tsx'
import { usePayoutTiming } from '../../shared/payouts/use-payout-timing.ts'
import { Steps } from '../../ui/display/steps.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { AlreadyPaid } from './already-paid.tsx'
import { AddressStepSkeleton, CardFormSkeleton } from './card-form-skeleton.tsx'
import type { Order } from './order.ts'
import { OrderSummary } from './order-summary.tsx'
import type { PaymentFormProps } from './payment-form.ts'
import { isAddressRefused, useDeliveryStep } from './use-delivery-step.ts'
import { useStartPayment } from './use-start-payment.ts'
import { VerifyEmailFirst } from './verify-email-first.tsx'
import { WaitingStep } from './waiting-step.tsx'

/* The rules of addresses are large, so they are loaded only for items that are shipped. */
const AddressStep = lazy(() => import('./address-step.tsx'))
const AddressLines = lazy(async () => ({
  default: (await import('../../shared/addresses/address-lines.tsx')).AddressLines,
}))

interface CheckoutProps {
  title: string
  order: Order
}

/** Used by both checkouts. Without working keys of the provider, nothing is asked of the buyer. */
export function Checkout(props: CheckoutProps) {
  const config = useRead(getConfig)
  if (config.data?.publishableKey !== null) return <OpenCheckout {...props} />
  return (
    <PaymentUnavailable title="Payments are not available at the moment">
      Nothing is charged now. Please try again later.
    </PaymentUnavailable>
  )
}

/** Order summary, payment form and escrow steps. */
function OpenCheckout({ title, order }: CheckoutProps) {
  const isEscrow = order.offerId !== undefined
  const delivery = useDeliveryStep(order)
  const { offer, address, isLoading } = delivery
  const payment = useStartPayment(order, { address, enabled: delivery.isDone })
  useStartFailure(order, payment)
  const isAsking = delivery.isAsking || isAddressRefused(payment.error)
  const isSubmitted = (payment.data?.method ?? null) !== null
  const isUnverified = payment.error?.code === 'verify_email_first'
  const item = useRead(getWantedItem, { params: { id: String(order.itemId) } })
  const firstCurrency = useFirstCurrency()
  const currency = payment.data?.currency ?? offer?.currency ?? item.data?.currency ?? firstCurrency
  if (payment.error?.code === 'offer_already_paid') return <AlreadyPaid order={order} />
  if (item.error?.status === 404) return <ItemNotFound />
  return (
    <Page title={title} back={<BackButton fallback={paths.messages()} />}>
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <aside className="grid content-start gap-6 lg:sticky lg:top-24 lg:order-2 lg:self-start">
          <OrderSummary
            item={offer?.request ?? (isLoading ? undefined : item.data)}
            offer={offer}
            amountCents={order.amount}
            currency={currency}
          >
            {address && !isAsking && <SentTo address={address.deliveryAddress} onChange={delivery.edit} />}
          </OrderSummary>
          {offer?.sellerPayoutsStopped && <PayoutsStopped offer={offer} />}
          <PaymentPath at="unpaid" className="max-lg:hidden" />
        </aside>
        <Card padding="lg" className="self-start">
          {isAsking && (
            <Suspense fallback={<AddressStepSkeleton />}>
              <AddressStep
                sellerName={offer?.seller.name ?? 'the seller'}
                entered={address}
                error={payment.error}
                onEntered={delivery.enter}
              />
            </Suspense>
          )}
          {!isAsking && !payment.data && !payment.error && <CardFormSkeleton />}
          {isUnverified && (
            <VerifyEmailFirst message={payment.error?.userMessage ?? null} onRetry={payment.retry} />
          )}
          {!isAsking && payment.error && !isEscrow && !isUnverified && (
            <ErrorState
              title="Checkout Error"
              message={payment.error.userMessage ?? START_FAILURE}
              reference={payment.error.requestId}
              onRetry={payment.retry}
            />
          )}
          {!isAsking && payment.data && isSubmitted && (
            <WaitingStep payment={{ ...payment.data, amount: order.amount }} onChange={payment.retry} />
          )}
          {!isAsking && payment.data && !isSubmitted && (
            <PaymentForm
              clientSecret={payment.data.clientSecret}
              methods={payment.data.methods}
              amountCents={order.amount}
              currency={currency}
              escrow={isEscrow}
            />
          )}
        </Card>
      </div>
      <div className="mt-12 grid gap-8">
        <PaymentPath at="unpaid" className="lg:hidden" />
        <EscrowSteps amount={order.amount} currency={currency} isShipped={offer?.delivery === 'shipping'} />
      </div>
    </Page>
  )
}

function SentTo({ address, onChange }: { address: DeliveryAddress; onChange: () => void }) {
  return (
    <div className="grid gap-1">
      <div className="flex items-baseline justify-between gap-4">
        <h3 className="font-strong">Sent to</h3>
        <button type="button" className="link text-fine" onClick={onChange}>
          Change
        </button>
      </div>
      <Suspense>
        <AddressLines address={address} />
      </Suspense>
    </div>
  )
}

const StripePaymentForm = lazy(async () => ({
  default: (await import('./stripe-payment-form.tsx')).StripePaymentForm,
}))
const SandboxPaymentForm = lazy(async () => ({
  default: (await import('./sandbox-payment-form.tsx')).SandboxPaymentForm,
}))

/** The form of the configured provider. */
function PaymentForm(props: PaymentFormProps) {
  const config = useRead(getConfig)
  return (
    <Loaded query={config} loading={<CardFormSkeleton />}>
      {({ provider, publishableKey, sandboxUrl }) => (
        <Suspense fallback={<CardFormSkeleton />}>
          {provider === 'stripe' && publishableKey && (
            <StripePaymentForm publishableKey={publishableKey} {...props} />
          )}
          {provider === 'sandbox' && publishableKey && sandboxUrl && (
            <SandboxPaymentForm access={{ sandboxUrl, publishableKey }} {...props} />
          )}
        </Suspense>
      )}
    </Loaded>
  )
}

interface StepsProps {
  amount: number
  currency: Currency
  isShipped: boolean
}

/** Explains escrow in four steps. */
function EscrowSteps({ amount, currency, isShipped }: StepsProps) {
  const headingId = useId()
  const days = getHoldDays(amount, {
    ...useMarket(),
    highValue: useLimits(currency).highValueCents,
  })
  const timing = usePayoutTiming('buyer')
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-5 font-display font-strong text-title">
        How escrow protects you
      </h2>
      <Steps
        steps={[
          { title: 'Payment secured', text: 'We take your payment and hold the money in escrow.' },
          { title: 'Seller delivers', text: 'The seller sees your payment and sends the item.' },
          {
            title: 'You confirm',
            text: 'When you have the item, confirm delivery. The seller is then paid.',
          },
          {
            title: `Auto-release after ${days} days`,
            text: isShipped
              ? `If you do nothing, the payment is then released to the seller, but not before ${HOLD_DAYS_AFTER_SHIPPING} days after shipping and ${HOLD_DAYS_AFTER_DELIVERY} days after delivery. If nothing is shipped, you get it back.`
              : 'If you do nothing, the payment is then released to the seller.',
          },
        ]}
      />
      {timing && <p className="mt-5 text-ink-soft">{timing}</p>}
    </section>
  )
}

const START_FAILURE = 'Failed to initialize payment. Please try again.'

/** Says that the payment could not be started. The escrow checkout then goes to the home page. */
function useStartFailure(
  { itemId, offerId, amount }: Order,
  { error, retry }: ReturnType<typeof useStartPayment>,
): void {
  const [, navigate] = useLocation()
  useEffect(() => {
    if (!error || isAddressRefused(error) || isShown(error) || isUnauthenticated(error)) return
    if (offerId === undefined) {
      toastFailure('Checkout Error', START_FAILURE)
      return
    }
    const tryAgain = () => {
      // While the home page is loading, this screen is only hidden and would keep its error.
      retry()
      navigate(paths.escrowCheckout({ itemId, offerId, amount }))
    }
    toast({
      title: 'Escrow Payment Error',
      description: error.userMessage ?? 'Failed to initialize payment',
      variant: 'destructive',
      ...(isTemporary(error) && { action: { label: 'Try Again', onPress: tryAgain } }),
    })
    navigate(paths.home())
  }, [error, itemId, offerId, amount, navigate, retry])
}

/** The checkout itself shows what to do. */
const isShown = ({ code }: CallError) => code === 'offer_already_paid' || code === 'verify_email_first'

/** The server was busy, failed or was unreachable, so a retry may succeed. */
const isTemporary = ({ status }: CallError) => !(status >= 400 && status < 500) || status === 429
