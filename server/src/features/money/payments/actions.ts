import type { QueryOf } from '@sought/contract/call'
import type { listPayments } from '@sought/contract/payments'
import { partyIn } from '@sought/escrow/moves'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import type { User } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import { applyMove } from './apply-move.ts'
import { asPair, asPayment, asSummary } from './presenters.ts'
import * as queries from './queries.ts'
import { lockOwnPayment, type Payment } from './stored-payment.ts'
import { askOrRefuse, checkCharge, syncPayment } from './sync-payment.ts'

export async function readPayments(db: Db, user: User, query: QueryOf<typeof listPayments>) {
  const found = await queries.findPaymentsOf(db, user.id, query)
  return found.map(asPair)
}

export async function readPayment(db: Db, id: number, user: User) {
  return asPayment(await findOwnPayment(db, id, user))
}

export async function readPaymentSummary(db: Db, id: number, user: User) {
  return asSummary(await findOwnPayment(db, id, user))
}

export async function findOwnPayment(db: Db, id: number, user: User) {
  const row = await queries.findPayment(db, id)
  if (!row || !partyIn(row.payment, user.id)) throw refuse('payment_not_found')
  return row
}

export async function confirm(tx: Tx, id: number, user: User) {
  const { payment, party } = await lockOwnPayment(tx, id, user)
  const isRelease = payment.status === 'held_in_escrow' && party === 'buyer'
  if (isRelease && payment.needsCheck) throw refuse('payment_needs_check')
  await applyMove(tx, payment, { name: 'confirm', actor: party })
  return readPayment(tx, id, user)
}

/** Asks the provider and releases the payment if its answer allows it. Without an answer, nothing is released. */
export async function checkAndConfirm(services: Services, id: number, user: User) {
  const { database } = services
  const { payment } = await findOwnPayment(database.read, id, user)
  const isRelease = payment.status === 'held_in_escrow' && partyIn(payment, user.id) === 'buyer'
  if (isRelease) await checkCharge(services, payment.stripePaymentIntentId)
  return database.transact((tx) => confirm(tx, id, user))
}

/** Reads a payment from the provider after the browser reported that the card step was submitted (ADR 6). */
export async function syncSubmission(services: Services, id: number, user: User) {
  const { database } = services
  const { payment } = await findOwnPayment(database.read, id, user)
  if (partyIn(payment, user.id) !== 'buyer') throw refuse('not_the_buyer')
  await syncIfPending(services, payment)
  return readPayment(database.read, id, user)
}

async function syncIfPending(services: Services, payment: Payment): Promise<void> {
  const { cards } = services
  const { status, stripePaymentIntentId: intentId } = payment
  if (status !== 'pending' || !intentId) return
  if (!cards) throw refuse('provider_failed')
  await askOrRefuse(() => syncPayment(services, cards, intentId))
}

/** Confirms a payment that may still be pending because its webhook is late, so it is synced first (ADR 5). */
export async function syncAndConfirm(services: Services, id: number, user: User) {
  const { payment } = await findOwnPayment(services.database.read, id, user)
  if (partyIn(payment, user.id) !== 'buyer') throw refuse('not_the_buyer')
  await syncIfPending(services, payment)
  return checkAndConfirm(services, id, user)
}
