import type { Tx } from '../../../database/database.ts'
import { takeFromDebts } from '../debts/actions.ts'
import { dueCents, findPaymentOf, type Payout, updatePayout } from './queries.ts'

/* Changes to the amount of a payout. The caller has locked the payout. */

/** The seller keeps what was not reversed. */
async function closePayout(tx: Tx, { id, amount, reversedCents, paidAt }: Payout): Promise<void> {
  const keptCents = amount - reversedCents
  if (keptCents === 0) await updatePayout(tx, id, { status: 'cancelled' })
  else {
    const kept = { amount: keptCents, reversedCents: 0, paidAt: paidAt ?? tx.now }
    await updatePayout(tx, id, { status: 'paid', ...kept })
  }
}

/** A part of a payout that was sent is reversed for good. Returns the payout after that. */
export async function keepRest(tx: Tx, payout: Payout, cents: number): Promise<Payout> {
  const { id, amount, reversedCents } = payout
  const rest = cents === amount ? { status: 'cancelled' as const } : { amount: amount - cents, reversedCents }
  await updatePayout(tx, id, rest)
  return { ...payout, ...rest }
}

/** Reduces an unpaid payout by money that the buyer got back, or that the seller owes. */
export async function takeFromPayout(tx: Tx, payout: Payout, cents: number): Promise<void> {
  const { id, amount, reversedCents } = payout
  if (cents === 0) return
  if (cents === amount) await updatePayout(tx, id, { status: 'cancelled' })
  else if (cents === reversedCents) await closePayout(tx, payout)
  else
    await updatePayout(tx, id, {
      amount: amount - cents,
      reversedCents: Math.max(0, reversedCents - cents),
    })
}

/**
 * Settles the seller's debts from a payout that is still to be sent (ADR 90). Returns false if nothing is left to send.
 * What was taken stays taken if the provider then refuses the transfer.
 */
export async function settleDebtsFrom(tx: Tx, payout: Payout): Promise<boolean> {
  const { currency } = await findPaymentOf(tx, payout)
  const takenCents = await takeFromDebts(tx, payout, dueCents(payout), currency)
  await takeFromPayout(tx, payout, takenCents)
  return takenCents < dueCents(payout)
}
