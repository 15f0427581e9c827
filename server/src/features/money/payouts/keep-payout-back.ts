import type { Tx } from '../../../database/database.ts'
import { findRow } from '../../../database/rows.ts'
import { payouts } from '../../../database/schema.ts'
import { dueCents, hasLookUp, hasOpenChargeback, type Payout, updatePayout } from './queries.ts'
import { enqueuePayouts } from './send-payouts.ts'

/*
 * Changes to a payout while the buyer's bank decides about its payment, and afterwards. The caller has locked
 * the payment.
 */

export { dueCents, hasLookUp, hasOpenChargeback, type Payout }

/** A payment has at most one payout. It does not change while the caller has locked the payment. */
export async function findPayoutOf(tx: Tx, paymentId: number): Promise<Payout | undefined> {
  return findRow(tx, payouts, { paymentId })
}

export const freezePayout = (tx: Tx, { id }: Payout) => updatePayout(tx, id, { status: 'frozen' })

/**
 * A payout that was paid and not reversed becomes paid again. Any other is sent. It stays frozen while another
 * chargeback is open.
 */
export async function unfreezePayout(tx: Tx, paymentId: number): Promise<void> {
  const payout = await findPayoutOf(tx, paymentId)
  if (payout?.status !== 'frozen' || (await hasOpenChargeback(tx, paymentId))) return
  if (payout.paidAt) await updatePayout(tx, payout.id, { status: 'paid' })
  else await sendPayout(tx, payout)
}

/** Sends a payout that is no longer frozen. */
export async function sendPayout(tx: Tx, { id }: Payout): Promise<void> {
  await updatePayout(tx, id, { status: 'owed', tryAt: tx.now })
  await enqueuePayouts(tx, [{ id }])
}

/** Records that a transfer was reversed in the provider's dashboard. It is not sent again automatically. */
export async function recordReversal(tx: Tx, payout: Payout, cents: number): Promise<void> {
  const { id, status, reversedCents } = payout
  // A paid payout no longer owes an earlier reversal, because it was sent again.
  const owedCents = status === 'paid' ? 0 : reversedCents
  await updatePayout(tx, id, { status: 'reversed', reversedCents: owedCents + cents })
}
