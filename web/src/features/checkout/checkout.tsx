import type { DeliveryAddress } from '@sought/contract/delivery-address'
import { paths } from '@sought/contract/paths'
import { getWantedItem } from '@sought/contract/requests'
import { lazy, Suspense } from 'react'
import { useRead } from '../../data/calls.ts'
import { PaymentPath } from '../../shared/deals/payment-path.tsx'
import { ItemNotFound } from '../../shared/deals/payment-unavailable.tsx'
import { useCurrency } from '../../shared/market/currency.ts'
import { BackButton } from '../../shared/navigation/back-button.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { AlreadyPaid } from './already-paid.tsx'
import { CardForm } from './card-form.tsx'
import { AddressStepSkeleton, CardFormSkeleton } from './card-form-skeleton.tsx'
import { EscrowSteps } from './escrow-steps.tsx'
import type { Order } from './order.ts'
import { OrderSummary } from './order-summary.tsx'
import { isAddressRefused, useDeliveryStep } from './use-delivery-step.ts'
import { START_FAILURE, useStartFailure } from './use-start-failure.ts'
import { useStartPayment } from './use-start-payment.ts'

/* The rules of addresses are large, so they are loaded only for items that are shipped. */
const AddressStep = lazy(() => import('./address-step.tsx'))
const AddressLines = lazy(async () => ({
  default: (await import('../../shared/addresses/address-lines.tsx')).AddressLines,
}))

interface CheckoutProps {
  title: string
  order: Order
}

/** Used by both checkouts: order summary, card form and escrow steps. */
export function Checkout({ title, order }: CheckoutProps) {
  const isEscrow = order.offerId !== undefined
  const delivery = useDeliveryStep(order)
  const { offer, address, isLoading } = delivery
  const payment = useStartPayment(order, { address, enabled: delivery.isDone })
  useStartFailure(order, payment)
  const isAsking = delivery.isAsking || isAddressRefused(payment.error)
  const item = useRead(getWantedItem, { params: { id: String(order.itemId) } })
  const deploymentCurrency = useCurrency()
  // A payment that was started earlier may have another currency than the deployment's current one.
  const currency = payment.data?.currency ?? deploymentCurrency
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
          {!isAsking && payment.error && !isEscrow && (
            <ErrorState
              title="Checkout Error"
              message={payment.error.userMessage ?? START_FAILURE}
              reference={payment.error.requestId}
              onRetry={payment.retry}
            />
          )}
          {!isAsking && payment.data && (
            <CardForm
              clientSecret={payment.data.clientSecret}
              amountCents={order.amount}
              currency={currency}
              escrow={isEscrow}
            />
          )}
        </Card>
      </div>
      <div className="mt-12 grid gap-8">
        <PaymentPath at="unpaid" className="lg:hidden" />
        <EscrowSteps amountCents={order.amount} isShipped={offer?.delivery === 'shipping'} />
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
