import { Id } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'
import { createEscrowPayment } from '@sought/contract/payments'
import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { CallError } from '../../lib/client.ts'
import { toast } from '../../lib/toasts.ts'
import { useSessionEnded } from '../../lib/use-session-ended.ts'
import { Checkout } from './checkout.tsx'
import { NoPayment } from './dead-ends.tsx'
import { useStartedPayment } from './use-started-payment.ts'

/** Pays the offer that the address names into escrow. */
export function EscrowCheckoutScreen() {
  const [query] = useSearchParams()
  const read = (name: string) => Id.safeParse(Number(query.get(name))).data
  const [itemId, offerId, amount] = [read('itemId'), read('offerId'), read('amount')]
  if (!itemId || !offerId || !amount) {
    return <NoPayment title="Invalid Request">Missing item, offer, or amount information</NoPayment>
  }
  return <EscrowCheckout order={{ itemId, offerId, amount }} />
}

interface EscrowOrder {
  itemId: number
  offerId: number
  amount: number
}

function EscrowCheckout({ order }: { order: EscrowOrder }) {
  const payment = useStartedPayment(createEscrowPayment, { body: order })
  useLeaveOnError(payment.error, order)
  // Whoever cannot pay here is on their way home.
  return <Checkout title="Escrow Checkout" order={order} payment={payment} escrow failed={null} />
}

/** A payment that cannot be started is said in a toast, and the buyer goes home (spec §8). */
function useLeaveOnError(error: CallError | null, order: EscrowOrder): void {
  const [, navigate] = useLocation()
  const sessionEnded = useSessionEnded()
  const here = paths.escrowCheckout(order)
  useEffect(() => {
    if (!error || error.code === 'offer_already_paid' || sessionEnded(error)) return
    // Only what may go better another time is worth another try.
    const again = { label: 'Try Again', onPress: () => navigate(here) }
    toast({
      title: 'Escrow Payment Error',
      description: error.userMessage ?? 'Failed to initialize payment',
      variant: 'destructive',
      ...(isPassing(error) && { action: again }),
    })
    navigate(paths.home())
  }, [error, here, navigate, sessionEnded])
}

/** Not a refusal: the server was busy or broken, or was not reached at all. */
const isPassing = ({ status }: CallError) => !(status >= 400 && status < 500) || status === 429
