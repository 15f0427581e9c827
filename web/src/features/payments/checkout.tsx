import { listOffers } from '@sought/contract/offers'
import { paths } from '@sought/contract/paths'
import { getWantedItem } from '@sought/contract/requests'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { BackButton } from '../../lib/back-button.tsx'
import { useRead } from '../../lib/calls.ts'
import type { CallError } from '../../lib/client.ts'
import { useCurrency } from '../../lib/currency.ts'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { PaymentPath } from '../../ui/payment-path.tsx'
import { AlreadyPaid } from './already-paid.tsx'
import { CardForm } from './card-form.tsx'
import { CardFormSkeleton } from './card-form-skeleton.tsx'
import { EscrowSteps } from './escrow-steps.tsx'
import { isOfferFor, type Order } from './order.ts'
import { OrderSummary } from './order-summary.tsx'
import { ItemNotFound } from './payment-unavailable.tsx'
import type { StartedPayment } from './use-start-payment.ts'

interface CheckoutProps {
  title: string
  order: Order
  payment: UseQueryResult<StartedPayment, CallError>
  escrow: boolean
  /** Shown instead of the card form if the payment could not be started. */
  failure: ReactNode
}

/** Used by both checkouts: order summary, card form and escrow steps. */
export function Checkout({ title, order, payment, escrow, failure }: CheckoutProps) {
  const item = useRead(getWantedItem, { params: { id: String(order.itemId) } })
  const offers = useRead(listOffers, { query: { wantedItemId: String(order.itemId) } })
  const seller = offers.data?.find((offer) => isOfferFor(order, offer))?.seller
  const deploymentCurrency = useCurrency()
  // A payment that was started before may have another currency than the deployment has now.
  const currency = payment.data?.currency ?? deploymentCurrency
  if (payment.error?.code === 'offer_already_paid') return <AlreadyPaid order={order} />
  if (item.error?.status === 404) return <ItemNotFound />
  return (
    <Page title={title} back={<BackButton fallback={paths.messages()} />}>
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <aside className="grid content-start gap-6 lg:sticky lg:top-24 lg:order-2 lg:self-start">
          <OrderSummary item={item.data} seller={seller} amountCents={order.amount} currency={currency} />
          <PaymentPath at="unpaid" className="max-lg:hidden" />
        </aside>
        <Card padding="lg" className="self-start">
          {payment.isPending && <CardFormSkeleton />}
          {payment.isError && failure}
          {payment.isSuccess && (
            <CardForm
              clientSecret={payment.data.clientSecret}
              amountCents={order.amount}
              currency={currency}
              escrow={escrow}
            />
          )}
        </Card>
      </div>
      <div className="mt-12 grid gap-8">
        <PaymentPath at="unpaid" className="lg:hidden" />
        <EscrowSteps amountCents={order.amount} />
      </div>
    </Page>
  )
}
