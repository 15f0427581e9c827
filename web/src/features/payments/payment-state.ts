import type { PaymentStatus, PaymentWithItem } from '@sought/contract/payments'
import { UNDISPUTED_STATUSES } from '@sought/escrow/payment-status'
import { formatDate } from '../../lib/dates.ts'

/** The date of the automatic release, for payments in escrow. */
export function describeRelease({
  status,
  escrowHoldUntil,
}: Pick<PaymentWithItem, 'status' | 'escrowHoldUntil'>): string | undefined {
  if (status !== 'held_in_escrow' || escrowHoldUntil === null) return undefined
  return `Released to the seller on ${formatDate(escrowHoldUntil)}, unless a problem is reported`
}

const undisputed: readonly PaymentStatus[] = UNDISPUTED_STATUSES

/** Whether there is a dispute to show, open or resolved. */
export function hasDispute({ status }: Pick<PaymentWithItem, 'status'>): boolean {
  return !undisputed.includes(status)
}
