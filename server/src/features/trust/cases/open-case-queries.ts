import { and, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { moderationCases, reports } from '../../../database/schema.ts'

type NewCase = Pick<typeof moderationCases.$inferInsert, 'kind' | 'targetId' | 'personId' | 'severity'>
type NewReport = Omit<typeof reports.$inferInsert, 'id' | 'createdAt'>

export async function findReport(
  db: Db,
  { reporterId, kind, targetId }: { reporterId: string } & Pick<NewReport, 'kind' | 'targetId'>,
) {
  const [found] = await db
    .select({ caseId: reports.caseId })
    .from(reports)
    .where(and(eq(reports.reporterId, reporterId), eq(reports.kind, kind), eq(reports.targetId, targetId)))
  return found
}

/** Concurrent reports wait for each other and for a decision, because a report cannot join a decided case. */
export async function openOrJoinCase(tx: Tx, newCase: NewCase): Promise<number> {
  const [found] = await tx
    .insert(moderationCases)
    .values({ ...newCase, createdAt: tx.now })
    .onConflictDoUpdate({
      target: [moderationCases.kind, moderationCases.targetId],
      targetWhere: sql`status = 'open' and appealed_id is null`,
      set: { severity: sql`greatest(${moderationCases.severity}, excluded.severity)` },
    })
    .returning({ id: moderationCases.id })
  if (!found) throw new Error('insert returned no row')
  return found.id
}

/** Ignores a second report by the same person. */
export async function insertReport(tx: Tx, report: NewReport): Promise<void> {
  await tx
    .insert(reports)
    .values({ ...report, createdAt: tx.now })
    .onConflictDoNothing({ target: [reports.reporterId, reports.kind, reports.targetId] })
}
