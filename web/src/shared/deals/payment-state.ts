import type { PaymentStatus, PaymentWithItem } from '@sought/contract/payments'
import { isReleasedByClock } from '@sought/escrow/delivery'
import { UNDISPUTED_STATUSES } from '@sought/escrow/payment-status'
import { formatDate } from '../../format/dates.ts'
import { parseDelivery } from './deal-step.ts'
import type { Party } from './payment-status.ts'

/** When payments in escrow are released, or what has to happen first. */
export function describeRelease(
  payment: Pick<
    PaymentWithItem,
    'status' | 'escrowHoldUntil' | 'needsCheck' | 'delivery' | 'shipBy' | 'shippedAt' | 'deliveredAt'
  >,
  party: Party,
): string | undefined {
  const { status, escrowHoldUntil, needsCheck } = payment
  if (status === 'held_in_escrow' && needsCheck) return 'Our team is checking this payment'
  if (status !== 'held_in_escrow' || escrowHoldUntil === null) return undefined
  if (!isReleasedByClock(parseDelivery(payment))) {
    return 'The money stays in escrow until the item is shipped'
  }
  const whom = party === 'seller' ? 'you' : 'the seller'
  return `Released to ${whom} on ${formatDate(escrowHoldUntil)}, unless a problem is reported`
}

const undisputed: readonly PaymentStatus[] = UNDISPUTED_STATUSES

/** Whether there is a dispute to show, open or resolved. */
export function hasDispute({ status }: Pick<PaymentWithItem, 'status'>): boolean {
  return !undisputed.includes(status)
}

/** One sentence for a payment that the card's bank is reviewing. */
export function describeBankReview(payment: PaymentWithItem, party: Party): string | undefined {
  if (!payment.bankDecides) return undefined
  return party === 'buyer'
    ? 'Your bank is reviewing this payment. We’ll let you know when it has decided.'
    : 'The buyer’s bank is reviewing this payment. The money cannot be paid out until it has decided.'
}
