import type { ReportKind, ReportReason } from '@sought/contract/reports'
import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { findRow } from '../../../database/rows.ts'
import { moderationCases, reports } from '../../../database/schema.ts'

export type Severity = 1 | 2 | 3

/** The harm that content can do until moderators decide. */
export const severityOf = {
  scam: 3,
  private_data: 3,
  prohibited: 3,
  offensive: 2,
  counterfeit: 2,
  spam: 1,
  other: 1,
} as const satisfies Record<ReportReason, Severity>

interface NewCase {
  kind: ReportKind
  /** The id of the content, or the address of a picture. */
  targetId: string
  /** The person who is responsible for the content. */
  personId: string
  severity: Severity
  report: {
    /** Null for automatic checks. */
    reporterId: string | null
    reason: ReportReason
    note?: string | null | undefined
  }
}

/**
 * Opens a case, or adds the report to the open case about the same content, whose severity can only rise.
 * Returns the id of the case. A second report by the same person changes nothing, even after the decision.
 */
export async function openCase(tx: Tx, { report, ...newCase }: NewCase): Promise<number> {
  const { kind, targetId } = newCase
  const { reporterId } = report
  const earlier = reporterId === null ? undefined : await findReport(tx, { reporterId, kind, targetId })
  if (earlier) return earlier.caseId
  const caseId = await openOrJoinCase(tx, newCase)
  await insertReport(tx, { caseId, kind, targetId, ...report })
  return caseId
}

type NewReport = Omit<typeof reports.$inferInsert, 'id' | 'createdAt'>

async function findReport(
  db: Db,
  { reporterId, kind, targetId }: { reporterId: string } & Pick<NewReport, 'kind' | 'targetId'>,
) {
  return findRow(db, reports, { reporterId, kind, targetId }, ['caseId'])
}

/** Concurrent reports wait for each other and for a decision, because a report cannot join a decided case. */
async function openOrJoinCase(tx: Tx, newCase: Omit<NewCase, 'report'>): Promise<number> {
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
async function insertReport(tx: Tx, report: NewReport): Promise<void> {
  await tx
    .insert(reports)
    .values({ ...report, createdAt: tx.now })
    .onConflictDoNothing({ target: [reports.reporterId, reports.kind, reports.targetId] })
}
