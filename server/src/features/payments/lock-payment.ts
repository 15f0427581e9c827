import { partyIn } from '@sought/escrow/moves'
import { eq, type SQL } from 'drizzle-orm'
import type { Tx } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import { payments } from '../../platform/schema.ts'
import type { User } from '../../platform/session.ts'
import type { Payment } from './queries.ts'

export type LockedPayment = Payment

export function lockPayment(tx: Tx, id: number): Promise<Payment | undefined> {
  return lockWhere(tx, eq(payments.id, id))
}

export function lockPaymentByIntent(tx: Tx, intentId: string): Promise<Payment | undefined> {
  return lockWhere(tx, eq(payments.stripePaymentIntentId, intentId))
}

async function lockWhere(tx: Tx, condition: SQL): Promise<Payment | undefined> {
  const [found] = await tx.select().from(payments).where(condition).for('update')
  return found
}

/** Locks a payment for its buyer or seller. For everyone else it does not exist. */
export async function lockOwnPayment(tx: Tx, id: number, user: Pick<User, 'id'>) {
  const payment = await lockPayment(tx, id)
  const party = payment && partyIn(payment, user.id)
  if (!payment || !party) throw refuse('payment_not_found')
  return { payment, party }
}
