import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../../database/database.ts'
import { columns } from '../../../database/rows.ts'
import {
  disputeAppeals,
  disputeCases,
  disputeTimeline,
  goodwillPayments,
  ledgerEntries,
  offerRequests,
  payments,
  users,
} from '../../../database/schema.ts'
import { publicColumns } from '../../users/public-user.ts'

export type Appeal = typeof disputeAppeals.$inferSelect

const RULINGS = ['refund_full', 'refund_partial', 'release_seller', 'split_difference'] as const

const buyers = alias(users, 'buyers')
const sellers = alias(users, 'sellers')
const rulers = alias(users, 'rulers')
const deciders = alias(users, 'deciders')

/** Open appeals come first. */
const rank = sql<string>`${disputeAppeals.id} + case when ${disputeAppeals.decidedAt} is null then 2147483648 else 0 end`

function selectAppeals(db: Db) {
  return db
    .select({
      appeal: disputeAppeals,
      ruledCase: disputeCases,
      payment: payments,
      title: offerRequests.title,
      buyer: publicColumns(buyers),
      seller: publicColumns(sellers),
      ruledBy: publicColumns(rulers),
      decidedBy: publicColumns(deciders),
      grantedCents: goodwillPayments.amountCents,
      rank,
    })
    .from(disputeAppeals)
    .innerJoin(disputeCases, eq(disputeCases.id, disputeAppeals.caseId))
    .innerJoin(payments, eq(payments.id, disputeAppeals.paymentId))
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .innerJoin(buyers, eq(buyers.id, payments.buyerId))
    .innerJoin(sellers, eq(sellers.id, payments.sellerId))
    .leftJoin(rulers, eq(rulers.id, disputeCases.ruledBy))
    .leftJoin(deciders, eq(deciders.id, disputeAppeals.decidedBy))
    .leftJoin(goodwillPayments, eq(goodwillPayments.appealId, disputeAppeals.id))
}

export type AppealRow = Awaited<ReturnType<typeof findAppeals>>[number]

export function findAppeals(db: Db, { cursor, limit }: { cursor?: number | undefined; limit: number }) {
  return selectAppeals(db)
    .where(cursor === undefined ? undefined : lt(rank, sql`${cursor}::bigint`))
    .orderBy(desc(rank))
    .limit(limit)
}

export async function findAppeal(db: Db, id: number): Promise<AppealRow | undefined> {
  const [found] = await selectAppeals(db).where(eq(disputeAppeals.id, id))
  return found
}

export async function findLatestCase(db: Db, paymentId: number) {
  const [found] = await db
    .select()
    .from(disputeCases)
    .where(eq(disputeCases.paymentId, paymentId))
    .orderBy(desc(disputeCases.id))
    .limit(1)
  return found
}

export function findAppealsAgainst(db: Db, caseId: number) {
  return db
    .select()
    .from(disputeAppeals)
    .where(eq(disputeAppeals.caseId, caseId))
    .orderBy(asc(disputeAppeals.id))
}

export function findAppealsBy(db: Db, appellantId: string) {
  return db
    .select({ appeal: disputeAppeals, payment: payments })
    .from(disputeAppeals)
    .innerJoin(payments, eq(payments.id, disputeAppeals.paymentId))
    .where(eq(disputeAppeals.appellantId, appellantId))
    .orderBy(asc(disputeAppeals.id))
}

export function findLedgerOf(db: Db, paymentIds: number[]) {
  return db
    .select(columns(ledgerEntries, 'paymentId', 'key', 'account', 'amount'))
    .from(ledgerEntries)
    .where(inArray(ledgerEntries.paymentId, paymentIds))
}

/** Oldest first. A payment that was disputed more than once may have several rulings. */
export async function findRulings(db: Db, paymentIds: number[]) {
  const found = await db
    .select()
    .from(disputeTimeline)
    .where(and(inArray(disputeTimeline.disputeId, paymentIds), inArray(disputeTimeline.action, [...RULINGS])))
    .orderBy(asc(disputeTimeline.id))
  return found.map((entry) => ({ ...entry, action: RULINGS.find((action) => action === entry.action) }))
}
