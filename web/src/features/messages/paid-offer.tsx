import type { PaymentStatus } from '@sought/contract/payments'
import { Link } from 'wouter'

const inDispute = { buyer: 'In dispute', seller: 'In dispute' }
const settled = { buyer: 'Settled after a dispute', seller: 'Settled after a dispute' }

/** What a payment means for each of the two. While it is pending, nobody can know yet that it will succeed. */
const words = {
  pending: { buyer: 'Being processed.', seller: 'Being processed. Send nothing before it is in escrow.' },
  held_in_escrow: {
    buyer: 'Waiting for delivery',
    seller: 'In escrow, and yours once delivery is confirmed',
  },
  completed: { buyer: 'Delivery confirmed', seller: 'Released to you' },
  disputed: inDispute,
  under_review: inDispute,
  resolved_buyer: settled,
  resolved_seller: settled,
  resolved_partial: settled,
} satisfies Record<PaymentStatus, { buyer: string; seller: string }>

/** Those that spec §4 counts as paid. */
const counted: readonly PaymentStatus[] = ['pending', 'held_in_escrow', 'completed']

interface Props {
  status: PaymentStatus
  asBuyer: boolean
  checkout: string
}

/** How an accepted offer stands that has a payment. */
export function PaidOffer({ status, asBuyer, checkout }: Props) {
  return (
    <div>
      {counted.includes(status) && (
        <p className="font-strong">{asBuyer ? 'Payment Complete' : 'Payment Received'}</p>
      )}
      <p className="text-fine text-ink-soft">
        {words[status][asBuyer ? 'buyer' : 'seller']}
        {asBuyer && status === 'pending' && (
          <>
            {' Left before paying? '}
            <Link href={checkout} className="link">
              Back to the checkout
            </Link>
          </>
        )}
      </p>
    </div>
  )
}
