import type { ReportKind, ReportReason } from '@sought/contract/reports'
import type { Tx } from '../../../database/database.ts'
import { findReport, insertReport, openOrJoinCase } from './open-case-queries.ts'

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
