import type { QueryOf } from '@sought/contract/call'
import type { listDebts } from '@sought/contract/debts'
import { settleDebts } from '@sought/escrow/debts'
import { type ChargeFee, cancellationFeePosting, debtTakenPosting } from '@sought/escrow/postings'
import type { Db, Tx } from '../../../database/database.ts'
import { findSettings } from '../../../database/market-settings.ts'
import type { payments, payouts } from '../../../database/schema.ts'
import { post } from '../ledger/post.ts'
import { addSettled, findChargeFee, findDebts, insertDebt, lockOpenDebts, setAmount } from './queries.ts'

/* What users owe the market. It is taken from their payouts before these are sent (ADR 90). */

type Deal = Pick<typeof payments.$inferSelect, 'id' | 'sellerId' | 'currency'>
type Payout = Pick<typeof payouts.$inferSelect, 'paymentId' | 'sellerId' | 'attempt'>

/** A user's debts, latest first. */
export async function readDebts(db: Db, userId: string, page: QueryOf<typeof listDebts>) {
  const found = await findDebts(db, userId, page)
  return found.map(({ amountCents, ...debt }) => ({ ...debt, amount: amountCents }))
}

/**
 * What the seller would owe if the deal were cancelled now. Null for nothing, because the market bears the fee. The
 * amount is null if the provider has not reported its fee yet.
 */
export async function cancellationFeeOf(
  db: Db,
  { id }: Pick<Deal, 'id'>,
): Promise<{ amount: number | null; fee: ChargeFee | null } | null> {
  const { cancellationFeePayer } = await findSettings(db)
  if (cancellationFeePayer !== 'seller') return null
  const fee = await findChargeFee(db, id)
  return fee?.cents ? { amount: fee.cents, fee } : { amount: null, fee: null }
}

/** The seller owes the provider's fee of a cancelled deal. The caller has locked the payment. */
export async function oweCancellationFee(tx: Tx, deal: Deal): Promise<void> {
  const owed = await cancellationFeeOf(tx, deal)
  if (!owed) return
  const { id: paymentId, sellerId: userId, currency } = deal
  await insertDebt(tx, { userId, paymentId, reason: 'cancellation', amountCents: owed.amount, currency })
  if (owed.fee) await post(tx, cancellationFeePosting(deal, owed.fee))
}

/** The provider reported its fee after the deal was cancelled. Returns whether the seller owes it. */
export async function oweReportedFee(tx: Tx, deal: Deal): Promise<boolean> {
  const fee = await findChargeFee(tx, deal.id)
  if (!fee?.cents || !(await setAmount(tx, deal.id, fee.cents))) return false
  await post(tx, cancellationFeePosting(deal, fee))
  return true
}

/** Settles the seller's debts from an unsent payout. Returns the cents taken, which the caller deducts from it. */
export async function takeFromDebts(
  tx: Tx,
  payout: Payout,
  availableCents: number,
  currency: Deal['currency'],
): Promise<number> {
  const open = await lockOpenDebts(tx, payout.sellerId, currency)
  const taken = settleDebts(availableCents, open)
  for (const { debt, cents } of taken) {
    await addSettled(tx, debt, cents)
    await post(tx, debtTakenPosting(payout, debt, cents))
  }
  return taken.reduce((sum, { cents }) => sum + cents, 0)
}
