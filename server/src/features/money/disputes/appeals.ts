import type { BodyOf, QueryOf } from '@sought/contract/call'
import type { decideAppeal, listAppeals } from '@sought/contract/casework'
import { type Currency, rulesOf } from '@sought/contract/currencies'
import { calculateFees, type FeeRates } from '@sought/escrow/fees'
import { partyIn } from '@sought/escrow/moves'
import type { PostedPayment } from '@sought/escrow/postings'
import { appealUntil } from '@sought/escrow/promised-times'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { insertRow, updateRows } from '../../../database/rows.ts'
import { disputeAppeals } from '../../../database/schema.ts'
import { announce } from '../../../http/events.ts'
import type { Actor, User } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import { findAdmins } from '../../identity/accounts/actions.ts'
import { notify } from '../../notifications/actions.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { asPublicUser } from '../../users/public-user.ts'
import { grantGoodwill } from '../goodwill/grant-goodwill.ts'
import { lockPayment, type Payment } from '../payments/stored-payment.ts'
import { checkCharge } from '../payments/sync-payment.ts'
import type { Appeal, AppealRow } from './appeal-queries.ts'
import * as appealQueries from './appeal-queries.ts'
import {
  appealByOther,
  appealClosed,
  appealReceived,
  appealWaiting,
  rulingOverturned,
  rulingUpheld,
} from './notifications.ts'
import * as queries from './queries.ts'

type Deal = Pick<Payment, 'id' | 'buyerId' | 'sellerId'>

/** An admin's ruling, if the payment's last dispute ended with one. */
async function findRuling(db: Db, { id }: Deal) {
  const last = await appealQueries.findLatestCase(db, id)
  return last?.ending === 'ruled' && last.endedAt ? { ...last, endedAt: last.endedAt } : null
}

/** Null unless an admin has ruled. */
export async function findAppealUntil(db: Db, deal: Deal): Promise<Date | null> {
  const ruling = await findRuling(db, deal)
  return ruling && appealUntil(ruling.endedAt)
}

/** For both parties: the deadline for appeals, and the appeals so far. */
export async function appealsOf(db: Db, deal: Deal) {
  const ruling = await findRuling(db, deal)
  if (!ruling) return { appealUntil: null, appeals: [] }
  const appeals = await appealQueries.findAppealsAgainst(db, ruling.id)
  return {
    appealUntil: appealUntil(ruling.endedAt),
    appeals: appeals.map((appeal) => asAppeal(appeal, deal)),
  }
}

function asAppeal(appeal: Appeal, { buyerId }: Pick<Deal, 'buyerId'>) {
  const { id, appellantId, reason, createdAt, decision, note, decidedAt } = appeal
  const party = appellantId === buyerId ? ('buyer' as const) : ('seller' as const)
  return { id, by: party, reason, createdAt, decision, note, decidedAt }
}

/** Each party can appeal once, until the deadline inclusive. */
export async function appeal(tx: Tx, paymentId: number, reason: string, user: Actor) {
  const payment = await lockPayment(tx, paymentId)
  const party = payment && partyIn(payment, user.id)
  if (!party) throw refuse('dispute_not_found')
  const ruling = await findRuling(tx, payment)
  if (!ruling) throw refuse('not_ruled')
  const earlier = await appealQueries.findAppealsAgainst(tx, ruling.id)
  if (earlier.some(({ appellantId }) => appellantId === user.id)) throw refuse('already_appealed')
  if (tx.now > appealUntil(ruling.endedAt)) throw refuse('appeal_too_late')
  const added = await insertRow(tx, disputeAppeals, {
    caseId: ruling.id,
    paymentId,
    appellantId: user.id,
    reason,
    createdAt: tx.now,
  })
  await recordAudit(tx, {
    action: 'ruling_appealed',
    ...by(user),
    details: { paymentId, appealId: added.id },
  })
  await announce(tx, [payment.buyerId, payment.sellerId], { about: 'payments' })
  await notify(tx, [
    ...appealReceived(payment, party, added.id),
    ...appealByOther(payment, user.id, added.id),
    ...appealWaiting(payment, added.id, await findAdmins(tx)),
  ])
  return asAppeal(added, payment)
}

/** All appeals of a user, in any dispute. */
export async function listAppealsBy(db: Db, { id }: Pick<User, 'id'>) {
  const found = await appealQueries.findAppealsBy(db, id)
  return found.map((row) => asAppeal(row.appeal, row.payment))
}

/** Records in the audit log who reads the list, because it contains texts of the parties. */
export async function searchAppeals(tx: Tx, page: QueryOf<typeof listAppeals>, admin: Actor) {
  await recordAudit(tx, { action: 'appeals_viewed', ...by(admin), subjectId: null })
  return asAdminAppeals(tx, await appealQueries.findAppeals(tx, page))
}

async function asAdminAppeals(db: Db, rows: AppealRow[]) {
  const paymentIds = rows.map(({ payment }) => payment.id)
  const ledger = await appealQueries.findLedgerOf(db, paymentIds)
  const rulings = await appealQueries.findRulings(db, paymentIds)
  return rows.map((row) => {
    const { appeal, payment, ruledCase } = row
    const entries = ledger.filter(({ paymentId }) => paymentId === payment.id)
    const ruling = rulings.findLast(({ disputeId }) => disputeId === payment.id)
    const shown = asAppeal(appeal, payment)
    return {
      ...shown,
      rank: Number(row.rank),
      paymentId: payment.id,
      title: row.title,
      transactionNumber: payment.transactionNumber,
      currency: payment.currency,
      buyer: asPublicUser(row.buyer),
      seller: asPublicUser(row.seller),
      ruledAt: ruledCase.endedAt ?? appeal.createdAt,
      ruledBy: row.ruledBy && asPublicUser(row.ruledBy),
      ruling: ruling?.action ?? null,
      rulingNote: ruling?.details ?? null,
      ...readRuling(entries, payment),
      stake: row.grantedCents ?? calculateStake(entries, payment, shown.by),
      decidedBy: row.decidedBy && asPublicUser(row.decidedBy),
    }
  })
}

async function readAppeal(db: Db, id: number) {
  const found = await appealQueries.findAppeal(db, id)
  if (!found) throw refuse('appeal_not_found')
  return found
}

type DecisionForm = BodyOf<typeof decideAppeal>

/**
 * Asks the provider before money moves: a chargeback may be open, or the buyer may already have the money
 * back.
 */
export async function checkAndDecide(services: Services, id: number, form: DecisionForm, admin: Actor) {
  const { database } = services
  const { payment, appeal } = await readAppeal(database.read, id)
  if (form.decision === 'overturn' && !appeal.decidedAt)
    await checkCharge(services, payment.stripePaymentIntentId)
  return database.transact((tx) => decide(tx, id, form, admin))
}

/**
 * Decided by another admin than the one who ruled. The money has left escrow, so the platform pays the appellant
 * what an overturned ruling cost them, but never pays both parties (ADR 85).
 */
export async function decide(tx: Tx, id: number, { decision, note }: DecisionForm, admin: Actor) {
  const { appeal: unlocked } = await readAppeal(tx, id)
  const payment = await lockPayment(tx, unlocked.paymentId)
  const { appeal, ruledCase } = await readAppeal(tx, id)
  const party = payment && partyIn(payment, appeal.appellantId)
  if (!payment || !party) throw new Error(`the payment of appeal ${id} is missing`)
  if (partyIn(payment, admin.id)) throw refuse('not_impartial')
  if (ruledCase.ruledBy === admin.id) throw refuse('same_admin')
  if (appeal.decidedAt) throw refuse('appeal_decided')
  const isOverturned = decision === 'overturn'
  if (isOverturned) await checkOverturnable(tx, payment, appeal)
  await updateRows(tx, disputeAppeals, { id }, { decision, note, decidedBy: admin.id, decidedAt: tx.now })
  const stakeCents = isOverturned
    ? calculateStake(await appealQueries.findLedgerOf(tx, [payment.id]), payment, party)
    : 0
  if (stakeCents > 0)
    await grantGoodwill(tx, {
      payment,
      recipient: party,
      amountCents: stakeCents,
      reason: note,
      requestedBy: admin.id,
      appealId: id,
    })
  await recordAudit(tx, {
    action: 'appeal_decided',
    ...by(admin),
    subjectId: appeal.appellantId,
    details: { paymentId: payment.id, appealId: id, decision },
  })
  await announce(tx, [payment.buyerId, payment.sellerId], { about: 'payments' })
  const decidedAppeal = { id, party, stakeCents }
  const ruling = isOverturned ? rulingOverturned : rulingUpheld
  await notify(tx, [...ruling(payment, decidedAppeal), ...appealClosed(payment, decidedAppeal)])
  const [decided] = await asAdminAppeals(tx, [await readAppeal(tx, id)])
  if (!decided) throw new Error(`appeal ${id} is missing`)
  return decided
}

async function checkOverturnable(tx: Tx, payment: Payment, { caseId }: Appeal): Promise<void> {
  const appeals = await appealQueries.findAppealsAgainst(tx, caseId)
  if (appeals.some(({ decision }) => decision === 'overturn')) throw refuse('ruling_overturned')
  const { chargebacks } = await queries.findBankRecords(tx, [payment.id])
  if (chargebacks.some(({ closedAt }) => closedAt === null)) throw refuse('bank_decides')
}

/*
 * The amounts that a ruling gave each party, and its cost for them. Read from the ledger, because the
 * payment's own columns change with later refunds and chargebacks.
 */

interface LedgerEntry {
  key: string
  account: string
  amount: number
}

/**
 * Postings of money that went back to the buyer through the provider (refunds by us or in its dashboard, and
 * chargebacks), and of refunds that failed.
 */
const PAID_TO_BUYER = /^(refund|refund-paid|refund-failed|dashboard-refund|chargeback):/

const sumOf = (entries: LedgerEntry[]) => entries.reduce((sum, { amount }) => sum + amount, 0)

function readRuling(entries: LedgerEntry[], { id, buyerId, sellerId }: PostedPayment) {
  const posted = entries.filter(({ key }) => key === `ruling:${id}`)
  const on = (account: string) => sumOf(posted.filter((entry) => entry.account === account))
  return {
    amount: 0 - on(`escrow:${id}`),
    refund: on(`buyer:${buyerId}`),
    payout: on(`seller:${sellerId}`),
  }
}

/**
 * For the buyer, the paid amount that was not returned; for the seller, what a full release would
 * have paid in addition.
 */
function calculateStake(
  entries: LedgerEntry[],
  payment: PostedPayment & FeeRates & { currency: Currency },
  party: 'buyer' | 'seller',
): number {
  const { amount, payout } = readRuling(entries, payment)
  if (party === 'seller')
    return Math.max(0, calculateFees(amount, payment, rulesOf(payment.currency)).payout - payout)
  const isBuyers = ({ key, account }: LedgerEntry) =>
    account === 'provider'
      ? PAID_TO_BUYER.test(key)
      : account === `buyer:${payment.buyerId}` && !key.startsWith('goodwill')
  return Math.max(0, payment.amount - sumOf(entries.filter(isBuyers)))
}
