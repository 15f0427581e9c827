import type { DisputeStatus } from '@sought/contract/disputes'
import { UNDISPUTED_STATUSES } from '@sought/escrow/payment-status'
import { and, asc, count, desc, eq, inArray, like, lt, notInArray } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../platform/database.ts'
import { disputeEvidence, disputeTimeline, payments, users, wantedItems } from '../../platform/schema.ts'

const buyers = alias(users, 'buyers')
const sellers = alias(users, 'sellers')

function selectDisputes(db: Db) {
  return db
    .select({ payment: payments, item: wantedItems, buyer: buyers, seller: sellers })
    .from(payments)
    .innerJoin(wantedItems, eq(wantedItems.id, payments.wantedItemId))
    .innerJoin(buyers, eq(buyers.id, payments.buyerId))
    .innerJoin(sellers, eq(sellers.id, payments.sellerId))
}

/** A payment that is in dispute, or came out of one. */
export async function findDispute(db: Db, id: number) {
  const [found] = await selectDisputes(db).where(
    and(eq(payments.id, id), notInArray(payments.status, [...UNDISPUTED_STATUSES])),
  )
  return found
}

export interface DisputeFilter {
  search?: string | undefined
  status?: DisputeStatus | undefined
  cursor?: number | undefined
  limit: number
}

/**
 * The latest payments first. What is looked for may stand anywhere in a word. The page is found among the
 * payments alone: joined with their people first, a thousand that match would all be joined for the fifty shown.
 */
export function findDisputes(db: Db, { search, status, cursor, limit }: DisputeFilter) {
  const pattern = search?.toLowerCase().replace(/[\\%_]/g, '\\$&')
  const page = db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        // One or the other: with both, the planner takes the status for rarer than it is.
        status ? eq(payments.status, status) : notInArray(payments.status, [...UNDISPUTED_STATUSES]),
        // Both are in small letters already: having PostgreSQL fold them again would cost the most of all.
        pattern ? like(payments.disputeWords, `%${pattern}%`) : undefined,
        cursor ? lt(payments.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(payments.id))
    .limit(limit)
  return selectDisputes(db).where(inArray(payments.id, page)).orderBy(desc(payments.id))
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

export async function findPiece(db: Db, disputeId: number, id: number) {
  const [found] = await db
    .select()
    .from(disputeEvidence)
    .where(and(eq(disputeEvidence.disputeId, disputeId), eq(disputeEvidence.id, id)))
  return found
}

export async function insertEvidence(
  tx: Tx,
  evidence: Omit<typeof disputeEvidence.$inferInsert, 'id' | 'createdAt'>,
) {
  const [inserted] = await tx
    .insert(disputeEvidence)
    .values({ ...evidence, createdAt: tx.now })
    .returning()
  if (!inserted) throw new Error('insert returned no row')
  return inserted
}

/** How many files, and how many words without one, a person has brought. */
export async function countEvidence(tx: Tx, disputeId: number, submittedBy: string) {
  const [found] = await tx
    .select({ all: count(), files: count(disputeEvidence.fileUrl) })
    .from(disputeEvidence)
    .where(and(eq(disputeEvidence.disputeId, disputeId), eq(disputeEvidence.submittedBy, submittedBy)))
  return { files: found?.files ?? 0, texts: (found?.all ?? 0) - (found?.files ?? 0) }
}

/** Each line with the person who did it, if it was a person. */
export function findTimeline(db: Db, disputeId: number) {
  return db
    .select({ entry: disputeTimeline, person: users })
    .from(disputeTimeline)
    .leftJoin(users, eq(users.id, disputeTimeline.actor))
    .where(eq(disputeTimeline.disputeId, disputeId))
    .orderBy(asc(disputeTimeline.id))
}
