import type { Payment, PaymentStatus } from '@sought/contract/payments'
import { getPaymentLabel, isWaiting } from '../../../shared/deals/payment-status.ts'
import { describeWait } from '../../../shared/deals/waiting-payment.tsx'
import { TextLink } from '../../../shared/navigation/links.tsx'

const disputed = { buyer: 'In dispute', seller: 'In dispute' }
const resolved = { buyer: 'Dispute resolved', seller: 'Dispute resolved' }

const cancelled = {
  buyer: 'The deal was cancelled, so we refunded this payment to you.',
  seller: 'The deal was cancelled, so the buyer gets this payment back. Please don’t ship.',
}

/** The card step of a pending payment was submitted, but it may still fail, so the seller must wait. */
const statusTexts = {
  pending: {
    buyer: 'Your payment is being processed.',
    seller: 'The payment is being processed. Don’t ship until it is in escrow.',
  },
  held_in_escrow: {
    buyer: 'Waiting for delivery',
    seller: 'In escrow. Released to you once delivery is confirmed.',
  },
  completed: { buyer: 'Delivery confirmed', seller: 'Released to you' },
  refunded: {
    buyer: 'The request was already paid, so we refunded this payment to you.',
    seller: 'The request was already paid, so the buyer gets this payment back. Please don’t ship.',
  },
  disputed: disputed,
  under_review: disputed,
  resolved_buyer: resolved,
  resolved_seller: resolved,
  resolved_partial: resolved,
} satisfies Record<PaymentStatus, { buyer: string; seller: string }>

/** The statuses that count as paid. */
const paidStatuses: readonly PaymentStatus[] = ['pending', 'held_in_escrow', 'completed']

interface Props {
  payment: Payment
  isBuyer: boolean
  checkoutPath: string
}

/** The payment status of an accepted offer. */
export function PaidOffer({ payment, isBuyer, checkoutPath }: Props) {
  const { status, cancelledBy } = payment
  if (isWaiting(payment)) {
    const party = isBuyer ? 'buyer' : 'seller'
    return (
      <div>
        <p className="font-strong">{getPaymentLabel(payment, party)}</p>
        <p className="text-fine text-ink-soft">
          {describeWait(payment, party)} {isBuyer && <TextLink to={checkoutPath}>View payment</TextLink>}
        </p>
      </div>
    )
  }
  return (
    <div>
      {paidStatuses.includes(status) && (
        <p className="font-strong">{isBuyer ? 'Payment Complete' : 'Payment Received'}</p>
      )}
      <p className="text-fine text-ink-soft">
        {(cancelledBy ? cancelled : statusTexts[status])[isBuyer ? 'buyer' : 'seller']}
        {isBuyer && status === 'pending' && (
          <>
            {' Not paid yet? '}
            <TextLink to={checkoutPath}>Back to checkout</TextLink>
          </>
        )}
      </p>
    </div>
  )
}
