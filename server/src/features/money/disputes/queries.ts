import type { DeskStatus, DisputeSort } from '@sought/contract/disputes'
import { parseTransactionNumber } from '@sought/contract/transaction-number'
import { isInDispute } from '@sought/escrow/moves'
import { UNDISPUTED_STATUSES } from '@sought/escrow/payment-status'
import { nextDue } from '@sought/escrow/promised-times'
import {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  like,
  lt,
  lte,
  not,
  notExists,
  notInArray,
  or,
  sql,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../../database/database.ts'
import { columns, findRow, insertRow } from '../../../database/rows.ts'
import {
  chargebacks,
  disputeCases,
  disputeEvidence,
  disputeTimeline,
  fraudSignals,
  offerRequestColumns,
  offerRequests,
  payments,
  payouts,
  users,
} from '../../../database/schema.ts'
import { publicColumns } from '../../users/public-user.ts'
import type { DisputeCase } from '../dispute-records/dispute-records.ts'
import { isTurn, type Turn } from '../set-aside/set-aside.ts'

type Payment = typeof payments.$inferSelect

const buyers = alias(users, 'buyers')
const sellers = alias(users, 'sellers')
const assignees = alias(users, 'assignees')

function selectDisputes(db: Db) {
  return db
    .select({
      payment: payments,
      item: offerRequestColumns,
      buyer: { ...publicColumns(buyers), email: buyers.email },
      seller: publicColumns(sellers),
      openCase: disputeCases,
      assignee: publicColumns(assignees),
    })
    .from(payments)
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .innerJoin(buyers, eq(buyers.id, payments.buyerId))
    .innerJoin(sellers, eq(sellers.id, payments.sellerId))
    .leftJoin(disputeCases, and(eq(disputeCases.paymentId, payments.id), isNull(disputeCases.endedAt)))
    .leftJoin(assignees, eq(assignees.id, disputeCases.assignedTo))
}

/** A payment that is or was in dispute. */
export async function findDispute(db: Db, id: number) {
  const [found] = await selectDisputes(db).where(
    and(eq(payments.id, id), notInArray(payments.status, [...UNDISPUTED_STATUSES])),
  )
  return found
}

export async function findPayment(db: Db, id: number) {
  const [found] = await selectDisputes(db).where(eq(payments.id, id))
  return found
}

/** A payment that the desk lists. Includes every payment that is or was in dispute. */
export async function findDeskDispute(db: Db, id: number) {
  const [found] = await selectDisputes(db).where(and(eq(payments.id, id), isNotNull(payments.deskStatus)))
  return found
}

/** The chargebacks, fraud signals and payouts of these payments. */
export async function findBankRecords(db: Db, paymentIds: number[]) {
  return {
    chargebacks: await db
      .select()
      .from(chargebacks)
      .where(inArray(chargebacks.paymentId, paymentIds))
      .orderBy(asc(chargebacks.openedAt), asc(chargebacks.id)),
    fraudSignals: await db
      .select()
      .from(fraudSignals)
      .where(inArray(fraudSignals.paymentId, paymentIds))
      .orderBy(asc(fraudSignals.openedAt), asc(fraudSignals.id)),
    payouts: await db.select().from(payouts).where(inArray(payouts.paymentId, paymentIds)),
  }
}

export async function markEvidenceSent(tx: Tx, chargebackId: string): Promise<void> {
  await tx.update(chargebacks).set({ evidenceSentAt: tx.now }).where(eq(chargebacks.id, chargebackId))
}

export interface DisputeFilter {
  search?: string | undefined
  status?: DeskStatus | undefined
  /** The time used to decide what is due or overdue. */
  now: Date
  /** Only open disputes assigned to this admin. Null: only unassigned ones. */
  assignedTo?: string | null | undefined
  sort?: DisputeSort | undefined
  /** The last dispute of the previous page. Its due time is null once the list has reached those without one. */
  after?: { id: number; dueAt: Date | null } | undefined
  limit: number
}

/** Latest first, or earliest due time first. */
export async function findDisputes(db: Db, filter: DisputeFilter) {
  if (filter.sort !== 'due') return findLatestDisputes(db, filter)
  const isPastDue = filter.after?.dueAt === null
  const due = isPastDue ? [] : await findDueDisputes(db, filter)
  if (due.length === filter.limit) return due
  const others = await findLatestDisputes(db, {
    ...filter,
    after: isPastDue ? filter.after : undefined,
    limit: filter.limit - due.length,
    isDue: false,
  })
  return [...due, ...others]
}

interface LatestFilter extends DisputeFilter {
  /** False leaves out disputes with a promised time. */
  isDue?: false
}

/**
 * Latest first. The search text may match anywhere in a word. The subquery picks the page before the joins, so that
 * a thousand matches are not all joined to return fifty.
 */
function findLatestDisputes(db: Db, filter: LatestFilter) {
  const page = db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        matches(db, filter),
        filter.isDue === false ? notInArray(payments.id, findDueIds(db)) : undefined,
        filter.after ? lt(payments.id, filter.after.id) : undefined,
      ),
    )
    .orderBy(desc(payments.id))
    .limit(filter.limit)
  return selectDisputes(db).where(inArray(payments.id, page)).orderBy(desc(payments.id))
}

/** Only open disputes have a promised time, and they are few. */
function findDueDisputes(db: Db, filter: DisputeFilter) {
  const { after, limit } = filter
  return selectDisputes(db)
    .where(
      and(
        matches(db, filter),
        isDue,
        after?.dueAt
          ? sql`(${dueTime}, ${payments.id}) > (${after.dueAt.toISOString()}::timestamptz, ${after.id})`
          : undefined,
      ),
    )
    .orderBy(dueTime, asc(payments.id))
    .limit(limit)
}

const findDueIds = (db: Db) =>
  db
    .select({ id: payments.id })
    .from(payments)
    .innerJoin(disputeCases, and(eq(disputeCases.paymentId, payments.id), isNull(disputeCases.endedAt)))
    .where(isDue)

/**
 * The next time that we promised the parties. While a bank decides, this is only the first answer, because
 * our team cannot rule.
 */
export function dueAtOf(payment: Payment, open: DisputeCase | null): Date | null {
  if (!open || !isInDispute(payment.status)) return null
  return payment.bankDecides && open.firstStepAt ? null : nextDue(open)
}

/** The condition of `dueAtOf` in SQL. `deskStatus` has an index and is the status of open disputes. */
const isDue = and(
  inArray(payments.deskStatus, ['disputed', 'under_review']),
  inArray(payments.status, ['disputed', 'under_review']),
  or(not(payments.bankDecides), isNull(disputeCases.firstStepAt)),
)
const dueTime = sql`case
  when ${disputeCases.firstStepAt} is null then ${disputeCases.openedAt} + interval '24 hours'
  else ruling_due(${disputeCases.openedAt})
end`

function matches(db: Db, { search, status, now, assignedTo }: DisputeFilter) {
  const text = search && (parseTransactionNumber(search) ?? search)
  const pattern = text?.toLowerCase().replace(/[\\%_]/g, '\\$&')
  return and(
    // One condition only. With `is not null` in addition, the planner would underestimate the number of rows.
    hasStatus(db, status, now),
    // Both sides are already lower case. `ilike` would be the most expensive part of this query.
    pattern ? like(payments.disputeWords, `%${pattern}%`) : undefined,
    assignedTo === undefined ? undefined : isAssignedTo(db, assignedTo),
  )
}

function hasStatus(db: Db, status: DeskStatus | undefined, now: Date) {
  switch (status) {
    case undefined:
      return isNotNull(payments.deskStatus)
    case 'overdue':
      return inArray(payments.id, findOverdue(db, now))
    case 'bank_deadline':
      return inArray(payments.id, findBankDeadlines(db, now))
    default:
      return eq(payments.deskStatus, status)
  }
}

/** Open disputes whose promised answer or ruling is late. If a bank decides, only the answer counts. */
function findOverdue(db: Db, now: Date) {
  const at = sql`${now.toISOString()}::timestamptz`
  return db
    .select({ paymentId: disputeCases.paymentId })
    .from(disputeCases)
    .innerJoin(payments, eq(payments.id, disputeCases.paymentId))
    .where(
      and(
        isNull(disputeCases.endedAt),
        or(
          and(isNull(disputeCases.firstStepAt), lte(disputeCases.openedAt, sql`${at} - interval '24 hours'`)),
          and(not(payments.bankDecides), lte(sql`ruling_due(${disputeCases.openedAt})`, at)),
        ),
      ),
    )
}

/** Chargebacks that still need evidence and whose bank still accepts it. */
function findBankDeadlines(db: Db, now: Date) {
  return db
    .select({ paymentId: chargebacks.paymentId })
    .from(chargebacks)
    .where(
      and(
        isNull(chargebacks.closedAt),
        eq(chargebacks.outcome, 'open'),
        isNull(chargebacks.evidenceSentAt),
        gt(chargebacks.deadline, now),
      ),
    )
}

export const countOverdueDisputes = (db: Db, now: Date) =>
  db.$count(payments, inArray(payments.id, findOverdue(db, now)))

export const countBankDeadlines = (db: Db, now: Date) =>
  db.$count(payments, inArray(payments.id, findBankDeadlines(db, now)))

function isAssignedTo(db: Db, adminId: string | null) {
  const assigned = db
    .select({ id: disputeCases.id })
    .from(disputeCases)
    .where(
      and(
        eq(disputeCases.paymentId, payments.id),
        isNull(disputeCases.endedAt),
        adminId === null ? isNotNull(disputeCases.assignedTo) : eq(disputeCases.assignedTo, adminId),
      ),
    )
  return adminId === null ? and(isOpen, notExists(assigned)) : exists(assigned)
}

const isOpen = inArray(payments.status, ['disputed', 'under_review'])

/** Open disputes with their record. Without `ids`, all of them. */
export function findOpenDisputes(db: Db, ids?: number[]) {
  return db
    .select({ payment: payments, openCase: disputeCases })
    .from(payments)
    .innerJoin(disputeCases, and(eq(disputeCases.paymentId, payments.id), isNull(disputeCases.endedAt)))
    .where(
      and(
        isOpen,
        // Lets PostgreSQL use the index.
        inArray(payments.deskStatus, ['disputed', 'under_review']),
        ids && inArray(payments.id, ids),
      ),
    )
    .orderBy(asc(payments.id))
}

/** Payments that have been in escrow since before this time, and that admins were not notified of yet. */
export function findLongHeldPayments(
  tx: Tx,
  { chargedBefore, turn, limit }: { chargedBefore: Date; turn: Turn; limit: number },
) {
  return tx
    .select(
      columns(
        payments,
        'id',
        'buyerId',
        'sellerId',
        'amount',
        'offerId',
        'transactionNumber',
        'disputeReason',
      ),
    )
    .from(payments)
    .where(
      and(
        inArray(payments.status, ['held_in_escrow', 'disputed', 'under_review']),
        isNull(payments.escalatedAt),
        lte(payments.chargedAt, chargedBefore),
        isTurn(tx, 'reminder', turn),
      ),
    )
    .orderBy(payments.chargedAt)
    .limit(limit)
}

export async function escalatePayment(tx: Tx, id: number, disputeWords: string): Promise<void> {
  await tx.update(payments).set({ escalatedAt: tx.now, disputeWords }).where(eq(payments.id, id))
}

/** The number of payments on the desk that are not decided yet. */
export async function countOpenDisputes(db: Db): Promise<number> {
  const [found] = await db
    .select({ open: count() })
    .from(payments)
    .where(inArray(payments.deskStatus, ['disputed', 'under_review']))
  return found?.open ?? 0
}

export function findEvidence(db: Db, disputeId: number) {
  return db
    .select()
    .from(disputeEvidence)
    .where(eq(disputeEvidence.disputeId, disputeId))
    .orderBy(asc(disputeEvidence.id))
}

export function findEvidenceBy(db: Db, submittedBy: string) {
  return db
    .select()
    .from(disputeEvidence)
    .where(eq(disputeEvidence.submittedBy, submittedBy))
    .orderBy(asc(disputeEvidence.id))
}

export async function findEvidenceById(db: Db, disputeId: number, id: number) {
  return findRow(db, disputeEvidence, { disputeId, id })
}

export async function insertEvidence(
  tx: Tx,
  evidence: Omit<typeof disputeEvidence.$inferInsert, 'id' | 'createdAt'>,
) {
  return insertRow(tx, disputeEvidence, { ...evidence, createdAt: tx.now })
}

/** The number of files and of written answers that a user has submitted. */
export async function countEvidence(tx: Tx, disputeId: number, submittedBy: string) {
  const [found] = await tx
    .select({ all: count(), files: count(disputeEvidence.fileUrl) })
    .from(disputeEvidence)
    .where(and(eq(disputeEvidence.disputeId, disputeId), eq(disputeEvidence.submittedBy, submittedBy)))
  return { files: found?.files ?? 0, texts: (found?.all ?? 0) - (found?.files ?? 0) }
}

/** Each entry with the user who acted, if it was a user. */
export function findTimeline(db: Db, disputeId: number) {
  return db
    .select({ entry: disputeTimeline, person: publicColumns(users) })
    .from(disputeTimeline)
    .leftJoin(users, eq(users.id, disputeTimeline.actor))
    .where(eq(disputeTimeline.disputeId, disputeId))
    .orderBy(asc(disputeTimeline.id))
}
