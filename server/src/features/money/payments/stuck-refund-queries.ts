import { and, asc, desc, eq, exists, gt, inArray, isNotNull, isNull, lt, or } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { payments, refundSteps, users, wantedItems } from '../../../database/schema.ts'

interface StuckFilter {
  paymentId?: number
  status?: 'owed' | 'paid'
  cursor?: number | undefined
  limit: number
}

const isStuck = and(
  gt(payments.refundCents, 0),
  isNull(payments.refundedAt),
  or(isNotNull(payments.refundFailedAt), gt(payments.refundAttempt, 0)),
)

export const countStuckRefunds = (db: Db) => db.$count(payments, isStuck)

/** Refunds that need an admin's attention or that admins have paid, latest payment first. */
export function findStuckRefunds(db: Db, { paymentId, status, cursor, limit }: StuckFilter) {
  const paidByAdmin = db
    .select({ id: refundSteps.id })
    .from(refundSteps)
    .where(and(eq(refundSteps.paymentId, payments.id), eq(refundSteps.action, 'marked_paid')))
  return db
    .select({ payment: payments, buyer: users, itemTitle: wantedItems.title })
    .from(payments)
    .innerJoin(wantedItems, eq(wantedItems.id, payments.wantedItemId))
    .innerJoin(users, eq(users.id, payments.buyerId))
    .where(
      and(
        paymentId ? eq(payments.id, paymentId) : undefined,
        status === 'owed' ? isStuck : undefined,
        status === 'paid' ? and(isNotNull(payments.refundedAt), exists(paidByAdmin)) : undefined,
        cursor ? lt(payments.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(payments.id))
    .limit(limit)
}

export async function insertRefundStep(
  tx: Tx,
  step: Omit<typeof refundSteps.$inferInsert, 'id' | 'createdAt'>,
): Promise<void> {
  await tx.insert(refundSteps).values({ ...step, createdAt: tx.now })
}

/** Admins' steps on the refunds of these payments, earliest first. */
export function findRefundSteps(db: Db, paymentIds: number[]) {
  return db
    .select({ step: refundSteps, admin: users })
    .from(refundSteps)
    .innerJoin(users, eq(users.id, refundSteps.adminId))
    .where(inArray(refundSteps.paymentId, paymentIds))
    .orderBy(asc(refundSteps.id))
}
