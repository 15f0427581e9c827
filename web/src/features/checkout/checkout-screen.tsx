import { Id } from '@sought/contract/fields'
import { useSearchParams } from 'wouter'
import { PaymentUnavailable } from '../../shared/deals/payment-unavailable.tsx'
import { Checkout } from './checkout.tsx'

/** Pays the buyer's accepted offer for this item and amount into escrow (ADR 6). */
export function CheckoutScreen() {
  const { itemId, amount } = useIds()
  if (!itemId || !amount) {
    return (
      <PaymentUnavailable title="Invalid Payment">
        Missing payment information. Please try again.
      </PaymentUnavailable>
    )
  }
  return <Checkout title="Checkout" order={{ itemId, amount }} />
}

/** Pays the offer from the URL into escrow. */
export function EscrowCheckoutScreen() {
  const { itemId, offerId, amount } = useIds()
  if (!itemId || !offerId || !amount) {
    return (
      <PaymentUnavailable title="Invalid Request">
        Missing item, offer, or amount information
      </PaymentUnavailable>
    )
  }
  return <Checkout title="Escrow Checkout" order={{ itemId, offerId, amount }} />
}

/** The numbers in the URL. Undefined where one is missing or invalid. */
function useIds() {
  const [query] = useSearchParams()
  const parseId = (name: string) => Id.safeParse(Number(query.get(name))).data
  return { itemId: parseId('itemId'), offerId: parseId('offerId'), amount: parseId('amount') }
}
