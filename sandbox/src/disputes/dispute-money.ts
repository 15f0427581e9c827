import type Stripe from 'stripe'
import { lockBalanceShared, recordMovement } from '../balance.ts'
import type { Tx } from '../database.ts'
import { convert } from '../exchange-rates.ts'
import { DISPUTE_FEE } from '../fees.ts'
import { lockObject, type Stored, saveObject, settledOf } from '../objects.ts'

/** The part of the charge that was neither refunded nor withdrawn by another dispute. */
export const disputableAmount = ({ body, hidden }: Stored<'charge'>): number =>
  body.amount - body.amount_refunded - hidden.withdrawn

/** Takes the disputed amount and the fee from the platform's balance. The charge is locked. */
export async function withdrawFunds(tx: Tx, { id, body }: Stored<'dispute'>): Promise<Stripe.Dispute> {
  const charge = await lockObject(tx, 'charge', String(body.charge))
  await lockBalanceShared(tx)
  const { amount, currency } = body
  const taken = await convert(tx, amount, currency, settledOf(charge).currency)
  const withdrawal = await recordMovement(tx, {
    type: 'adjustment',
    ...taken,
    amount: -taken.amount,
    source: id,
    description: `Chargeback withdrawal for ${charge.id}`,
    reportingCategory: 'dispute',
    fee: DISPUTE_FEE,
    availableOn: charge.hidden.availableOn,
    charge: charge.id,
  })
  const dispute = { ...body, balance_transactions: [...body.balance_transactions, withdrawal] }
  await saveObject(tx, { id, body: dispute, hidden: { fee: DISPUTE_FEE.amount } })
  await changeWithdrawn(tx, charge, amount)
  return dispute
}

/** Returns the disputed amount. Returns the fee too if the dispute should not have become a chargeback. */
export async function returnFunds(
  tx: Tx,
  { id, body, hidden }: Stored<'dispute'>,
  returned: { amount: boolean; fee: boolean },
): Promise<Stripe.BalanceTransaction> {
  const charge = await lockObject(tx, 'charge', String(body.charge))
  await lockBalanceShared(tx)
  const amount = returned.amount ? body.amount : 0
  const fee = returned.fee ? { amount: -(hidden.fee ?? 0), description: DISPUTE_FEE.description } : undefined
  if (returned.amount) await changeWithdrawn(tx, charge, -amount)
  return recordMovement(tx, {
    type: 'adjustment',
    ...(await convert(tx, amount, body.currency, settledOf(charge).currency)),
    source: id,
    description: `Chargeback reversal for ${charge.id}`,
    reportingCategory: 'dispute_reversal',
    ...(fee && { fee }),
    availableOn: charge.hidden.availableOn,
    charge: charge.id,
  })
}

async function changeWithdrawn(tx: Tx, charge: Stored<'charge'>, by: number): Promise<void> {
  const { hidden } = charge
  await saveObject(tx, { ...charge, hidden: { ...hidden, withdrawn: hidden.withdrawn + by } })
}
