import type { Tx } from '../../../database/database.ts'
import { applyMove } from './apply-move.ts'
import type { TimelineEntry } from './dispute-timeline.ts'
import { findItemTitle, type Payment } from './queries.ts'

interface Opening {
  /** The buyer files a dispute; the provider reports a chargeback. */
  actor: 'buyer' | 'seller' | 'provider'
  reason: string
  bankDecides?: boolean
  timeline?: TimelineEntry
}

/** Opens a dispute about a locked payment. The money stays in escrow and the hold stops running. */
export async function openDispute(
  tx: Tx,
  payment: Payment,
  { actor, reason, bankDecides = false, timeline }: Opening,
): Promise<Payment> {
  const changes = {
    disputeReason: reason,
    disputeWords: await composeSearchWords(tx, payment, reason),
    bankDecides,
  }
  return applyMove(tx, payment, { name: 'dispute', actor, changes, timeline })
}

/** The text for the desk's search. Lower case, so that the database need not convert it for each search. */
export async function composeSearchWords(
  tx: Tx,
  payment: Pick<Payment, 'id' | 'wantedItemId' | 'buyerId' | 'sellerId' | 'transactionNumber'>,
  reason: string,
): Promise<string> {
  const { id, wantedItemId, buyerId, sellerId, transactionNumber } = payment
  const title = await findItemTitle(tx, wantedItemId)
  return [id, title, reason, buyerId, sellerId, transactionNumber].join('\n').toLowerCase()
}
