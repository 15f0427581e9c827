import { and, asc, count, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { providerTransactions, reconciliationDifferences, reconciliations } from '../../../database/schema.ts'
import type { Difference } from '../ledger/provider-movements.ts'

export type Run = typeof reconciliations.$inferSelect

export async function findLastRun(db: Db): Promise<Run | undefined> {
  const [found] = await db.select().from(reconciliations).orderBy(desc(reconciliations.day)).limit(1)
  return found
}

/** Returns false if another process finished this night's run first. */
export async function insertRun(tx: Tx, run: Run): Promise<boolean> {
  const inserted = await tx
    .insert(reconciliations)
    .values(run)
    .onConflictDoNothing()
    .returning({ day: reconciliations.day })
  return inserted.length > 0
}

/** Differences keep the day when they were first found. */
export async function upsertDifferences(tx: Tx, day: string, found: Difference[]): Promise<void> {
  if (found.length === 0) return
  const excluded = (column: string) => sql.raw(`excluded.${column}`)
  await tx
    .insert(reconciliationDifferences)
    .values(found.map((difference) => ({ ...difference, day })))
    .onConflictDoUpdate({
      target: reconciliationDifferences.key,
      set: {
        transactionId: excluded('transaction_id'),
        expectedCents: excluded('expected_cents'),
        actualCents: excluded('actual_cents'),
        text: excluded('text'),
      },
    })
}

/** Deletes the differences of these payments that were not found again. */
export async function deleteResolved(tx: Tx, paymentIds: number[], foundKeys: string[]): Promise<void> {
  await tx
    .delete(reconciliationDifferences)
    .where(
      and(
        inArray(reconciliationDifferences.paymentId, paymentIds),
        sql`${reconciliationDifferences.key} <> all(${sql.param(foundKeys)})`,
      ),
    )
}

/** Deletes differences about movements that have a payment by now. */
export async function deleteAssigned(tx: Tx): Promise<void> {
  const unassigned = tx
    .select({ id: providerTransactions.id })
    .from(providerTransactions)
    .where(isNull(providerTransactions.paymentId))
  await tx
    .delete(reconciliationDifferences)
    .where(
      and(
        isNull(reconciliationDifferences.paymentId),
        sql`${reconciliationDifferences.transactionId} not in ${unassigned}`,
      ),
    )
}

export async function countDifferences(db: Db): Promise<number> {
  const [found] = await db.select({ total: count() }).from(reconciliationDifferences)
  return found?.total ?? 0
}

export function findDifferences(db: Db, limit: number) {
  return db
    .select()
    .from(reconciliationDifferences)
    .orderBy(asc(reconciliationDifferences.day), asc(reconciliationDifferences.key))
    .limit(limit)
}

export function findOwnMovements(db: Db, limit: number) {
  return db
    .select()
    .from(providerTransactions)
    .where(eq(providerTransactions.kind, 'own'))
    .orderBy(desc(providerTransactions.createdAt))
    .limit(limit)
}
