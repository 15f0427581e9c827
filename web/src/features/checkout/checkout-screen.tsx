import { Id } from '@sought/contract/fields'
import { createPaymentIntent } from '@sought/contract/payments'
import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { toast } from '../../data/toasts.ts'
import { isUnauthenticated } from '../../data/unauthenticated.ts'
import { PaymentUnavailable } from '../../shared/deals/payment-unavailable.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Checkout } from './checkout.tsx'
import { isAddressRefused, useDeliveryStep } from './use-delivery-step.ts'
import { useStartPayment } from './use-start-payment.ts'

const FAILURE = 'Failed to initialize payment. Please try again.'

/** Pays the buyer's accepted offer for this item and amount into escrow (ADR 6). */
export function CheckoutScreen() {
  const [query] = useSearchParams()
  const parseId = (name: string) => Id.safeParse(Number(query.get(name))).data
  const [itemId, amount] = [parseId('itemId'), parseId('amount')]
  if (!itemId || !amount) {
    return (
      <PaymentUnavailable title="Invalid Payment">
        Missing payment information. Please try again.
      </PaymentUnavailable>
    )
  }
  return <ItemCheckout order={{ itemId, amount }} />
}

function ItemCheckout({ order }: { order: { itemId: number; amount: number } }) {
  const delivery = useDeliveryStep(order)
  const body = { ...order, ...delivery.address }
  const payment = useStartPayment(createPaymentIntent, { body }, { enabled: delivery.isDone })
  const { error } = payment
  useEffect(() => {
    if (!error || isAddressRefused(error) || error.code === 'offer_already_paid' || isUnauthenticated(error))
      return
    toast({ title: 'Checkout Error', description: FAILURE, variant: 'destructive' })
  }, [error])
  return (
    <Checkout
      title="Checkout"
      order={order}
      delivery={delivery}
      payment={payment}
      escrow={false}
      failure={
        <ErrorState
          title="Checkout Error"
          message={error?.userMessage ?? FAILURE}
          reference={error?.requestId}
          onRetry={() => void payment.refetch()}
          busy={payment.isFetching}
        />
      }
    />
  )
}
