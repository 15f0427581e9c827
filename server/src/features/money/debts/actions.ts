import type { QueryOf } from '@sought/contract/call'
import { rulesOf } from '@sought/contract/currencies'
import type { listDebts } from '@sought/contract/debts'
import { findCollectable, findLoss, type LossCause, settleDebts } from '@sought/escrow/debts'
import {
  type ChargeFee,
  cancellationFeePosting,
  debtTakenPosting,
  lossOwedPosting,
  payableFee,
} from '@sought/escrow/postings'
import type { Db, Tx } from '../../../database/database.ts'
import { findSettings } from '../../../database/market-settings.ts'
import type { payments, payouts } from '../../../database/schema.ts'
import { notify } from '../../notifications/actions.ts'
import { post } from '../ledger/post.ts'
import { debtOwed, debtTaken } from './notifications.ts'
import {
  addSettled,
  type Debt,
  findChargeFee,
  findDebts,
  findDecision,
  findEntries,
  findOwedRefund,
  insertDebt,
  lockOpenDebts,
  setAmount,
} from './queries.ts'

export { findDecision }

/* What users owe the market. It is taken from their payouts before these are sent (ADR 90). */

type Deal = Pick<typeof payments.$inferSelect, 'id' | 'sellerId' | 'currency'>
type Payout = Pick<typeof payouts.$inferSelect, 'paymentId' | 'sellerId' | 'attempt'>

/** The debts of a user or of a deal, latest first. */
export async function readDebts(
  db: Db,
  of: { userId: string } | { paymentId: number },
  page: QueryOf<typeof listDebts>,
) {
  return (await findDebts(db, of, page)).map(({ debt, ...deal }) => ({ ...asDebt(debt), ...deal }))
}

export const asDebt = ({ settled, ...debt }: Debt) => ({ ...debt, settledAmount: settled })

/**
 * What the seller would owe if the deal were cancelled now. Null for nothing, because the market bears the fee. The
 * amount is null if the provider has not reported its fee yet.
 */
export async function cancellationFeeOf(
  db: Db,
  { id, currency }: Pick<Deal, 'id' | 'currency'>,
): Promise<{ amount: number | null; fee: ChargeFee | null } | null> {
  const { cancellationFeePayer } = await findSettings(db)
  if (cancellationFeePayer !== 'seller') return null
  const fee = await findPayableFee(db, { id, currency })
  return fee?.amount ? { amount: fee.amount, fee } : { amount: null, fee: null }
}

async function findPayableFee(db: Db, { id, currency }: Pick<Deal, 'id' | 'currency'>) {
  const fee = await findChargeFee(db, id)
  return fee && payableFee(fee, currency, rulesOf(currency))
}

/** The seller owes the provider's fee of a cancelled deal. The caller has locked the payment. */
export async function oweCancellationFee(tx: Tx, deal: Deal): Promise<void> {
  const owed = await cancellationFeeOf(tx, deal)
  if (!owed) return
  const { id: paymentId, sellerId: userId, currency } = deal
  const debt = { userId, paymentId, reason: 'cancellation', amount: owed.amount, currency } as const
  const id = await insertDebt(tx, debt)
  if (owed.fee) await bookCancellationFee(tx, deal, id, owed.fee)
}

/** The provider reported its fee after the deal was cancelled. Returns whether the seller owes it. */
export async function oweReportedFee(tx: Tx, deal: Deal): Promise<boolean> {
  const fee = await findPayableFee(tx, deal)
  const id = fee?.amount ? await setAmount(tx, deal.id, fee.amount) : null
  if (!fee || id === null) return false
  await bookCancellationFee(tx, deal, id, fee)
  return true
}

async function bookCancellationFee(tx: Tx, deal: Deal, id: number, fee: ChargeFee): Promise<void> {
  await post(tx, cancellationFeePosting(deal, fee))
  await notify(tx, debtOwed({ id, userId: deal.sellerId, paymentId: deal.id }, fee.amount))
}

/** What to take back from the seller for a loss. The caller has locked the payment. */
export async function findCollectableOf(
  tx: Tx,
  { id, currency }: Pick<Deal, 'id' | 'currency'>,
  cause: LossCause,
): Promise<number> {
  const decision = await findDecision(tx, cause)
  const entries = await findEntries(tx, id)
  const owedRefund = await findOwedRefund(tx, id)
  return findCollectable(entries, cause, decision, owedRefund, rulesOf(currency))
}

/** What was taken back for a lost chargeback or a refund and is more than its cost. */
export async function findSurplus(tx: Tx, paymentId: number, cause: LossCause): Promise<number> {
  const decision = await findDecision(tx, cause)
  if (decision.outcome !== 'lost') return 0
  return Math.max(0, -findLoss(await findEntries(tx, paymentId), cause, decision.lost))
}

/**
 * The seller owes what is left of a loss, unless a bank still decides. Returns whether they owe anything. The caller has
 * locked the payment.
 */
export async function oweLoss(tx: Tx, deal: Deal, cause: LossCause): Promise<boolean> {
  const { outcome } = await findDecision(tx, cause)
  const amount = outcome === 'lost' ? await findCollectableOf(tx, deal, cause) : 0
  if (amount === 0) return false
  const { id: paymentId, sellerId: userId, currency } = deal
  const { reason, causeId } = cause
  const id = await insertDebt(tx, { userId, paymentId, reason, amount, currency, cause: causeId })
  await post(tx, lossOwedPosting(deal, cause, amount))
  await notify(tx, debtOwed({ id, userId, paymentId }, amount))
  return true
}

/** Settles the seller's debts from an unsent payout. Returns what was taken, which the caller deducts from it. */
export async function takeFromDebts(
  tx: Tx,
  payout: Payout,
  available: number,
  currency: Deal['currency'],
): Promise<number> {
  const open = await lockOpenDebts(tx, payout.sellerId, currency)
  const taken = settleDebts(available, open, rulesOf(currency))
  for (const { debt, taken: amount } of taken) {
    await addSettled(tx, debt, amount)
    await post(tx, debtTakenPosting(payout, debt, amount))
    await notify(tx, debtTaken(debt, amount, [payout.paymentId, payout.attempt]))
  }
  return taken.reduce((sum, { taken: amount }) => sum + amount, 0)
}
