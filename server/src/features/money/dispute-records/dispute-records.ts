import type { Currency } from '@sought/contract/currencies'
import { findDisputeType } from '@sought/contract/dispute-draft'
import { formatForInput } from '@sought/contract/money'
import { isInDispute } from '@sought/escrow/moves'
import { and, asc, eq } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { findRow, insertRow } from '../../../database/rows.ts'
import {
  chargebacks,
  disputeCases,
  disputeTimeline,
  offerRequests,
  type payments,
} from '../../../database/schema.ts'

/*
 * Records of disputes: who opened one and how it ended, each event on its timeline, and the text that the desk
 * searches.
 */

type Payment = typeof payments.$inferSelect
export type DisputeCase = typeof disputeCases.$inferSelect
type NewCase = typeof disputeCases.$inferInsert

/** `reason` is the buyer's. */
export async function openCase(
  tx: Tx,
  paymentId: number,
  { actor, reason }: { actor: 'buyer' | 'seller' | 'provider'; reason: string },
): Promise<void> {
  const opening =
    actor === 'provider'
      ? ({ openedBy: 'bank', reason: 'chargeback' } as const)
      : ({ openedBy: 'buyer', reason: findDisputeType(reason) } as const)
  await tx.insert(disputeCases).values({ paymentId, ...opening, openedAt: tx.now })
}

/** How often the buyer has filed a dispute about the deal. */
export function countFilings(tx: Tx, paymentId: number): Promise<number> {
  return tx.$count(
    disputeCases,
    and(eq(disputeCases.paymentId, paymentId), eq(disputeCases.openedBy, 'buyer')),
  )
}

/** Records that an admin answered the parties. Only the first answer counts for the promised answer time. */
export async function recordAdminStep(tx: Tx, payment: Payment): Promise<void> {
  if (!isInDispute(payment.status)) return
  const { id, firstStepAt } = await findOpenCase(tx, payment.id)
  if (firstStepAt === null) await updateCase(tx, id, { firstStepAt: tx.now })
}

/** Records the end of a dispute, and does nothing if the payment was in none. `payment` is the state before. */
export async function endCase(
  tx: Tx,
  payment: Payment,
  ending: Pick<NewCase, 'ending' | 'ruledBy'>,
): Promise<void> {
  if (!isInDispute(payment.status)) return
  const { id } = await findOpenCase(tx, payment.id)
  await updateCase(tx, id, { ...ending, endedAt: tx.now })
}

/** The record of an open dispute. */
export async function findOpenCase(tx: Tx, paymentId: number): Promise<DisputeCase> {
  const found = await findRow(tx, disputeCases, { paymentId, endedAt: null })
  if (!found) throw new Error(`payment ${paymentId} has no open dispute`)
  return found
}

export async function updateCase(
  tx: Tx,
  id: number,
  changes: Partial<Omit<DisputeCase, 'id'>>,
): Promise<void> {
  await tx.update(disputeCases).set(changes).where(eq(disputeCases.id, id))
}

type TimelineAction =
  | 'filed'
  | 'chargeback'
  | 'evidence'
  | 'evidence_sent'
  | 'fraud_warning'
  | 'review'
  | 'suspicion_dismissed'
  | 'answered'
  | 'withdrawn'
  | 'settlement_proposed'
  | 'settled'
  | 'under_review'
  | 'request_more_info'
  | 'refund_full'
  | 'refund_partial'
  | 'release_seller'
  | 'split_difference'
  | 'refunded_later'

export interface TimelineEntry {
  action: TimelineAction
  /** A user's id, or 'provider'. */
  actor: string
  details?: string | undefined
}

/** Returns the id of the new entry. */
export async function addTimelineEntry(tx: Tx, paymentId: number, entry: TimelineEntry): Promise<number> {
  const { id } = await insertRow(tx, disputeTimeline, { ...entry, disputeId: paymentId, timestamp: tx.now })
  return id
}

/** A settlement on the timeline. */
export const describeRefund = (refund: number, currency: Currency) =>
  `${formatForInput(refund, currency)} back to the buyer`

export const describeChargeback = ({ reason }: { reason: string }) =>
  `Chargeback by the buyer's bank: ${reason.replaceAll('_', ' ')}`

type SearchedPayment = Pick<
  Payment,
  'id' | 'offerId' | 'buyerId' | 'sellerId' | 'transactionNumber' | 'disputeReason'
>

/**
 * The text for the desk's search, with the reasons of the buyer and of banks. Lower case, so that the database need
 * not convert it for each search.
 */
export async function composeSearchWords(tx: Tx, payment: SearchedPayment): Promise<string> {
  const { id, offerId, buyerId, sellerId, transactionNumber, disputeReason } = payment
  const [item] = await tx
    .select({ title: offerRequests.title })
    .from(offerRequests)
    .where(eq(offerRequests.offerId, offerId))
  const ofBanks = await tx
    .select({ reason: chargebacks.reason })
    .from(chargebacks)
    .where(eq(chargebacks.paymentId, id))
    .orderBy(asc(chargebacks.openedAt), asc(chargebacks.id))
  const reasons = [disputeReason ?? '', ...ofBanks.map(describeChargeback)]
  return [id, item?.title ?? '', ...reasons, buyerId, sellerId, transactionNumber].join('\n').toLowerCase()
}
