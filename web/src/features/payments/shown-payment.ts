import type { PaymentStatus, PaymentWithItem } from '@sought/contract/payments'
import { UNDISPUTED_STATUSES } from '@sought/escrow/payment-status'
import { formatDate } from '../../lib/dates.ts'

export type ShownPayment = PaymentWithItem

/** When the money goes to the seller by itself, for as long as it would. */
export function releaseNote({
  status,
  escrowHoldUntil,
}: Pick<PaymentWithItem, 'status' | 'escrowHoldUntil'>): string | undefined {
  if (status !== 'held_in_escrow' || escrowHoldUntil === null) return undefined
  return `Released to the seller on ${formatDate(escrowHoldUntil)}, unless a problem is reported`
}

const undisputed: readonly PaymentStatus[] = UNDISPUTED_STATUSES

/** Whether there is a dispute to look at, decided or not. */
export function hasDispute({ status }: Pick<PaymentWithItem, 'status'>): boolean {
  return !undisputed.includes(status)
}
