import type { Payment, PaymentStatus } from '@sought/contract/payments'
import { isPaymentMethod, METHOD_RULES } from '@sought/escrow/payment-methods'
import { formatShortDate } from '../../format/dates.ts'
import type { BadgeTone } from '../../ui/display/badge.tsx'
import { disputeStatusBadge, isResolved } from '../disputes/dispute-status.ts'
import type { PaymentPlace } from './payment-path.tsx'

export type Party = 'buyer' | 'seller'

/** These fields are missing in lists that never contain drafts or waiting payments. */
type State = Pick<Payment, 'status'> & Partial<Pick<Payment, 'submittedAt' | 'method' | 'waitingUntil'>>

/** These fields are missing in lists that never contain cancelled or delivered deals. */
type Delivered = State & Partial<Pick<Payment, 'deliveredAt' | 'cancelledBy'>>

/** Whether the buyer has only opened the checkout, without submitting a card. */
export const isDraft = ({ status, submittedAt }: State): boolean =>
  status === 'pending' && submittedAt === null

/** Whether the money of a submitted payment takes days. `waitingUntil` is null if they are over. */
export const isWaiting = ({ status, submittedAt, method, waitingUntil }: State): boolean => {
  if (status !== 'pending' || submittedAt === null) return false
  const isDelayed = method && isPaymentMethod(method) && METHOD_RULES[method].arrival === 'later'
  return Boolean(waitingUntil || isDelayed)
}

const paymentPlaces = {
  pending: 'paying',
  held_in_escrow: 'escrow',
  completed: 'released',
  refunded: 'returned',
  disputed: 'disputed',
  under_review: 'disputed',
  resolved_buyer: 'refunded',
  resolved_seller: 'released-after-dispute',
  resolved_partial: 'shared',
} satisfies Record<PaymentStatus, PaymentPlace>

/** The position of the money on the payment path. */
export function getPaymentPlace(payment: Delivered): PaymentPlace {
  if (isDraft(payment)) return 'unpaid'
  if (isWaiting(payment)) return 'waiting'
  if (payment.status === 'held_in_escrow' && payment.deliveredAt) return 'delivered'
  return payment.cancelledBy ? 'cancelled' : paymentPlaces[payment.status]
}

export const paymentTones = {
  pending: 'outline',
  held_in_escrow: 'accent',
  completed: 'accent',
  refunded: 'neutral',
  disputed: 'danger',
  under_review: 'danger',
  resolved_buyer: 'neutral',
  resolved_seller: 'neutral',
  resolved_partial: 'neutral',
} satisfies Record<PaymentStatus, BadgeTone>

const same = (label: string) => ({ buyer: label, seller: label })

const labels = {
  pending: same('Processing'),
  held_in_escrow: same('In Escrow'),
  completed: same('Payment Released'),
  refunded: { buyer: 'Refunded to you', seller: 'Refunded to the buyer' },
  disputed: same('In Dispute'),
  under_review: same('Under Review'),
  resolved_buyer: { buyer: 'Refunded to you', seller: 'Refunded to the buyer' },
  resolved_seller: { buyer: 'Released to the seller', seller: 'Released to you' },
  resolved_partial: { buyer: 'Partly refunded to you', seller: 'Partly released to you' },
} satisfies Record<PaymentStatus, Record<Party, string>>

const draftLabels = { buyer: 'Not paid yet', seller: 'Awaiting payment' }

export const describeWaitShort = (waitingUntil: string | null | undefined) =>
  waitingUntil ? `Waiting for payment until ${formatShortDate(waitingUntil)}` : 'Payment has not arrived'

/** The status of a payment, in words for its buyer or seller. */
export function getPaymentLabel(payment: State, party: Party): string {
  if (isWaiting(payment)) return describeWaitShort(payment.waitingUntil)
  return (isDraft(payment) ? draftLabels : labels[payment.status])[party]
}

/**
 * The status in words for the team: no label addresses the reader, and resolved disputes read as in the list of
 * disputes.
 */
export function getTeamLabel(payment: State): string {
  return isResolved(payment) ? disputeStatusBadge(payment.status).label : getPaymentLabel(payment, 'seller')
}
