import { Id } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'
import { createEscrowPayment } from '@sought/contract/payments'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { getQueryKey } from '../../data/calls.ts'
import type { CallError } from '../../data/client.ts'
import { toast } from '../../data/toasts.ts'
import { isUnauthenticated } from '../../data/unauthenticated.ts'
import { PaymentUnavailable } from '../../shared/deals/payment-unavailable.tsx'
import { Checkout } from './checkout.tsx'
import { isAddressRefused, useDeliveryStep } from './use-delivery-step.ts'
import { useStartPayment } from './use-start-payment.ts'

/** Pays the offer from the URL into escrow. */
export function EscrowCheckoutScreen() {
  const [query] = useSearchParams()
  const parseId = (name: string) => Id.safeParse(Number(query.get(name))).data
  const [itemId, offerId, amount] = [parseId('itemId'), parseId('offerId'), parseId('amount')]
  if (!itemId || !offerId || !amount) {
    return (
      <PaymentUnavailable title="Invalid Request">
        Missing item, offer, or amount information
      </PaymentUnavailable>
    )
  }
  return <EscrowCheckout order={{ itemId, offerId, amount }} />
}

interface EscrowOrder {
  itemId: number
  offerId: number
  amount: number
}

function EscrowCheckout({ order }: { order: EscrowOrder }) {
  const delivery = useDeliveryStep(order)
  const body = { ...order, ...delivery.address }
  const payment = useStartPayment(createEscrowPayment, { body }, { enabled: delivery.isDone })
  useLeaveOnError(payment.error, order)
  // After a failure the user is redirected to the home page.
  return (
    <Checkout
      title="Escrow Checkout"
      order={order}
      delivery={delivery}
      payment={payment}
      escrow
      failure={null}
    />
  )
}

/** If the payment cannot be started, shows a toast and goes to the home page. */
function useLeaveOnError(error: CallError | null, order: EscrowOrder): void {
  const [, navigate] = useLocation()
  const cache = useQueryClient()
  const checkoutPath = paths.escrowCheckout(order)
  useEffect(() => {
    if (!error || isAddressRefused(error) || error.code === 'offer_already_paid' || isUnauthenticated(error))
      return
    const tryAgain = () => {
      // While the home page is loading, this screen is only hidden and would keep its error.
      void cache.resetQueries({ queryKey: getQueryKey(createEscrowPayment) })
      navigate(checkoutPath)
    }
    const retry = { label: 'Try Again', onPress: tryAgain }
    toast({
      title: 'Escrow Payment Error',
      description: error.userMessage ?? 'Failed to initialize payment',
      variant: 'destructive',
      ...(isTemporary(error) && { action: retry }),
    })
    navigate(paths.home())
  }, [error, checkoutPath, navigate, cache])
}

/** The server was busy, failed or was unreachable, so a retry may succeed. */
const isTemporary = ({ status }: CallError) => !(status >= 400 && status < 500) || status === 429
