import type { BodyOf, QueryOf } from '@sought/contract/call'
import type { Currency } from '@sought/contract/currencies'
import { highestLimits } from '@sought/contract/currency-defaults'
import type { createGoodwill, listGoodwill } from '@sought/contract/goodwill'
import { limitsOf } from '@sought/contract/market-settings'
import { findStepProblem, formatMoney } from '@sought/contract/money'
import { partyIn } from '@sought/escrow/moves'
import { goodwillPaidPosting } from '@sought/escrow/postings'
import { refuse, requireValid } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { findSettings } from '../../../database/market-settings.ts'
import { findRow } from '../../../database/rows.ts'
import { goodwillPayments } from '../../../database/schema.ts'
import type { Actor } from '../../../http/session.ts'
import { notify } from '../../notifications/actions.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { asPublicUser } from '../../users/public-user.ts'
import { post } from '../ledger/post.ts'
import { asPosted, bookGoodwill, grantGoodwill, requestGoodwill, requireActive } from './grant-goodwill.ts'
import { goodwillPaid } from './notifications.ts'
import type { Goodwill } from './queries.ts'
import * as queries from './queries.ts'

/*
 * Money that the platform gives to a party of a deal (ADR 86). Two admins decide above a limit, and an admin pays it
 * outside the card provider.
 */

export async function readGoodwill(db: Db, query: QueryOf<typeof listGoodwill>) {
  return (await queries.findGoodwill(db, query)).map(present)
}

/** The goodwill payments to a person. */
export const goodwillFor = (db: Db, recipientId: string) => queries.findReceived(db, recipientId)

type Row = Awaited<ReturnType<typeof queries.findGoodwill>>[number]

function present({ goodwill, rank, recipient, requester, decider, ...deal }: Row) {
  const { recipient: to, amountCents: amount, ...rest } = goodwill
  return {
    ...rest,
    ...deal,
    rank,
    to,
    amount,
    recipient: asPublicUser(recipient),
    recipientEmail: recipient.email,
    requestedBy: asPublicUser(requester),
    decidedBy: decider && asPublicUser(decider),
  }
}

/** Grants up to the limit, and above it only requests. A retry with the same client id returns the first result. */
export async function create(tx: Tx, body: BodyOf<typeof createGoodwill>, admin: Actor) {
  const { paymentId, to: recipient, amount: amountCents, reason, clientId } = body
  const payment = await queries.findPayment(tx, paymentId)
  if (!payment) throw refuse('payment_not_found')
  if (partyIn(payment, admin.id)) throw refuse('not_impartial')
  if (payment.status === 'pending') throw refuse('goodwill_not_possible')
  const { currency } = payment
  await queries.lockGrants(tx)
  const first = clientId && (await findRow(tx, goodwillPayments, { requestedBy: admin.id, clientId }))
  if (first) return asFirst(first, body)
  const recipientId = recipient === 'buyer' ? payment.buyerId : payment.sellerId
  const sums = await queries.sumGoodwill(tx, { paymentId, currency, recipientId, requestedBy: admin.id })
  requireAmount(amountCents, sums.ofDealCents, currency)
  const { goodwillApprovalCents } = limitsOf(await findSettings(tx), currency)
  const isAboveLimit = sums.highestCents + amountCents > goodwillApprovalCents
  const add = isAboveLimit ? requestGoodwill : grantGoodwill
  const added = await add(tx, { payment, recipient, amountCents, reason, requestedBy: admin.id, clientId })
  await recordAudit(tx, {
    action: 'goodwill_requested',
    ...by(admin),
    subjectId: recipientId,
    details: { goodwillId: added.id, paymentId },
  })
  return added
}

function asFirst(
  { id, status, ...first }: Goodwill,
  { paymentId, to, amount, reason }: BodyOf<typeof createGoodwill>,
) {
  const isSame =
    first.paymentId === paymentId &&
    first.recipient === to &&
    first.amountCents === amount &&
    first.reason === reason
  if (isSame) return { id, status }
  const message = 'Was already used for another goodwill payment'
  throw refuse('invalid', { issues: [{ path: 'clientId', message }] })
}

function requireAmount(amount: number, given: number, currency: Currency): void {
  const max = highestLimits(currency).goodwill
  const isTooHigh = given + amount > max
  const highest = `A deal can get at most ${formatMoney(max, currency)} of goodwill in total`
  requireValid('amount', isTooHigh ? highest : findStepProblem(amount, currency))
}

export async function approve(tx: Tx, id: number, admin: Actor) {
  await queries.lockGrants(tx)
  const goodwill = await lockWaiting(tx, id, admin)
  await requireActive(tx, goodwill.recipientId)
  await queries.updateGoodwill(tx, id, { status: 'done', decidedBy: admin.id, decidedAt: tx.now })
  await bookGoodwill(tx, goodwill)
  return recordStep(tx, 'goodwill_approved', goodwill, admin)
}

export async function reject(tx: Tx, id: number, note: string | undefined, admin: Actor) {
  const goodwill = await lockWaiting(tx, id, admin)
  const decision = { decidedBy: admin.id, decidedAt: tx.now, note: note ?? null }
  await queries.updateGoodwill(tx, id, { status: 'rejected', ...decision })
  return recordStep(tx, 'goodwill_rejected', goodwill, admin)
}

/** Two people take part in each payment: who granted or requested it does not pay it. */
export async function markPaid(tx: Tx, id: number, reference: string, admin: Actor) {
  const goodwill = await lockImpartially(tx, id, admin)
  if (goodwill.status !== 'done' || goodwill.paidAt) throw refuse('goodwill_not_owed')
  if (goodwill.requestedBy === admin.id) throw refuse('second_admin_required')
  await queries.updateGoodwill(tx, id, { paidAt: tx.now, paidReference: reference, paidBy: admin.id })
  await post(tx, goodwillPaidPosting(asPosted(goodwill)))
  await notify(tx, goodwillPaid(goodwill))
  return recordStep(tx, 'goodwill_marked_paid', goodwill, admin)
}

async function lockWaiting(tx: Tx, id: number, admin: Actor): Promise<Goodwill> {
  const goodwill = await lockImpartially(tx, id, admin)
  if (goodwill.requestedBy === admin.id) throw refuse('same_admin')
  if (goodwill.status !== 'waiting') throw refuse('goodwill_decided')
  return goodwill
}

async function lockImpartially(tx: Tx, id: number, admin: Actor): Promise<Goodwill> {
  const goodwill = await queries.lockGoodwill(tx, id)
  if (!goodwill) throw refuse('goodwill_not_found')
  const payment = await queries.findPayment(tx, goodwill.paymentId)
  if (payment && partyIn(payment, admin.id)) throw refuse('not_impartial')
  return goodwill
}

type StepAction = 'goodwill_approved' | 'goodwill_rejected' | 'goodwill_marked_paid'

async function recordStep(tx: Tx, action: StepAction, goodwill: Goodwill, admin: Actor) {
  const { id, paymentId, recipientId } = goodwill
  await recordAudit(tx, {
    action,
    ...by(admin),
    subjectId: recipientId,
    details: { goodwillId: id, paymentId },
  })
  const [shown] = await queries.findGoodwill(tx, { id, limit: 1 })
  if (!shown) throw new Error('the updated goodwill payment is missing')
  return present(shown)
}
