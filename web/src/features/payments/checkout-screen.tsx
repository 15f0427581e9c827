import { Id } from '@sought/contract/fields'
import { createPaymentIntent } from '@sought/contract/payments'
import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { toast } from '../../lib/toasts.ts'
import { useSessionEnded } from '../../lib/use-session-ended.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Checkout } from './checkout.tsx'
import { NoPayment } from './dead-ends.tsx'
import { useStartedPayment } from './use-started-payment.ts'

const FAILED = 'Failed to initialize payment. Please try again.'

/** The short way to the same escrow: the buyer's accepted offer for this item, at this amount (ADR 6). */
export function CheckoutScreen() {
  const [query] = useSearchParams()
  const read = (name: string) => Id.safeParse(Number(query.get(name))).data
  const [itemId, amount] = [read('itemId'), read('amount')]
  if (!itemId || !amount) {
    return <NoPayment title="Invalid Payment">Missing payment information. Please try again.</NoPayment>
  }
  return <ShortCheckout order={{ itemId, amount }} />
}

function ShortCheckout({ order }: { order: { itemId: number; amount: number } }) {
  const payment = useStartedPayment(createPaymentIntent, { body: order })
  const sessionEnded = useSessionEnded()
  const { error } = payment
  useEffect(() => {
    if (!error || error.code === 'offer_already_paid' || sessionEnded(error)) return
    toast({ title: 'Checkout Error', description: FAILED, variant: 'destructive' })
  }, [error, sessionEnded])
  return (
    <Checkout
      title="Checkout"
      order={order}
      payment={payment}
      escrow={false}
      failed={
        <ErrorState
          title="Checkout Error"
          message={error?.userMessage ?? FAILED}
          onRetry={() => void payment.refetch()}
          busy={payment.isFetching}
        />
      }
    />
  )
}
