import { partyIn } from '@sought/escrow/moves'
import { eq, type SQL, sql } from 'drizzle-orm'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { prepareOnce } from '../../../database/prepared.ts'
import { payments } from '../../../database/schema.ts'
import type { User } from '../../../http/session.ts'
import type { Payment } from './queries.ts'

export type LockedPayment = Payment

export async function lockPayment(tx: Tx, id: number): Promise<Payment | undefined> {
  const [found] = await lockById(tx).execute({ id })
  return found
}

export async function lockPaymentByIntent(tx: Tx, intentId: string): Promise<Payment | undefined> {
  const [found] = await lockByIntent(tx).execute({ intentId })
  return found
}

const lockWhere = (db: Db, condition: SQL) => db.select().from(payments).where(condition).for('update')

const lockById = prepareOnce((db) => lockWhere(db, eq(payments.id, sql.placeholder('id'))).prepare(''))
const lockByIntent = prepareOnce((db) =>
  lockWhere(db, eq(payments.stripePaymentIntentId, sql.placeholder('intentId'))).prepare(''),
)

/** Locks a payment for its buyer or seller. For everyone else it does not exist. */
export async function lockOwnPayment(tx: Tx, id: number, user: Pick<User, 'id'>) {
  const payment = await lockPayment(tx, id)
  const party = payment && partyIn(payment, user.id)
  if (!payment || !party) throw refuse('payment_not_found')
  return { payment, party }
}
