import type { ModerationAction } from '@sought/contract/moderation'
import type { ReportKind } from '@sought/contract/reports'
import { and, asc, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../../database/database.ts'
import { columns, insertRow } from '../../../database/rows.ts'
import {
  moderationCases,
  moderationDecisions,
  notifications,
  reports,
  users,
} from '../../../database/schema.ts'

export type Case = typeof moderationCases.$inferSelect
export type Decision = typeof moderationDecisions.$inferSelect

const claimants = alias(users, 'claimants')
const appealed = alias(moderationDecisions, 'appealed')

function selectCases(db: Db) {
  return db
    .select({ case: moderationCases, claimant: claimants, appealed })
    .from(moderationCases)
    .leftJoin(claimants, eq(claimants.id, moderationCases.claimedBy))
    .leftJoin(appealed, eq(appealed.id, moderationCases.appealedId))
}

export type CaseRow = Awaited<ReturnType<typeof selectCases>>[number]

export async function findCase(db: Db, id: number): Promise<CaseRow | undefined> {
  const [found] = await selectCases(db).where(eq(moderationCases.id, id))
  return found
}

/** The most severe first, then the oldest. Leaves out cases about the moderator. */
export function findOpenCases(
  db: Db,
  moderatorId: string,
  { kind, limit }: { kind?: ReportKind | undefined; limit: number },
): Promise<CaseRow[]> {
  return selectCases(db)
    .where(
      and(
        eq(moderationCases.status, 'open'),
        ne(moderationCases.personId, moderatorId),
        kind && eq(moderationCases.kind, kind),
      ),
    )
    .orderBy(desc(moderationCases.severity), asc(moderationCases.id))
    .limit(limit)
}

/** Counts the cases that this moderator may decide. */
export const countOpenCases = (db: Db, moderatorId: string) =>
  db.$count(
    moderationCases,
    and(eq(moderationCases.status, 'open'), ne(moderationCases.personId, moderatorId)),
  )

/** Concurrent moderators wait for each other, so the second one sees the claim or decision of the first. */
export async function lockCase(tx: Tx, id: number): Promise<Case | undefined> {
  const [found] = await tx.select().from(moderationCases).where(eq(moderationCases.id, id)).for('update')
  return found
}

export async function updateCase(
  tx: Tx,
  id: number,
  change: Partial<typeof moderationCases.$inferInsert>,
): Promise<void> {
  await tx.update(moderationCases).set(change).where(eq(moderationCases.id, id))
}

export async function insertAppealCase(
  tx: Tx,
  appeal: Pick<Case, 'kind' | 'targetId' | 'personId' | 'severity'> & { appealedId: number },
): Promise<number> {
  const { id } = await insertRow(tx, moderationCases, { ...appeal, createdAt: tx.now })
  return id
}

export function findReports(db: Db, caseIds: number[]) {
  return db
    .select({ report: reports, reporter: users })
    .from(reports)
    .leftJoin(users, eq(users.id, reports.reporterId))
    .where(inArray(reports.caseId, caseIds))
    .orderBy(asc(reports.id))
}

export async function insertDecision(
  tx: Tx,
  decision: Omit<typeof moderationDecisions.$inferInsert, 'id' | 'createdAt'>,
): Promise<Decision> {
  return insertRow(tx, moderationDecisions, { ...decision, createdAt: tx.now })
}

export async function updateDecision(
  tx: Tx,
  id: number,
  change: Partial<typeof moderationDecisions.$inferInsert>,
): Promise<void> {
  await tx.update(moderationDecisions).set(change).where(eq(moderationDecisions.id, id))
}

/** Concurrent appeals wait for each other, so the second one sees the first. */
export async function lockDecision(tx: Tx, id: number): Promise<Decision | undefined> {
  const [found] = await tx
    .select()
    .from(moderationDecisions)
    .where(eq(moderationDecisions.id, id))
    .for('update')
  return found
}

const isInForce = sql`not ${moderationDecisions.undo} ? 'undoneAt'`

/** The latest decision that hides this content. */
export async function findHiding(tx: Tx, { kind, targetId }: Pick<Case, 'kind' | 'targetId'>) {
  const [found] = await tx
    .select({ decision: moderationDecisions })
    .from(moderationDecisions)
    .innerJoin(moderationCases, eq(moderationCases.id, moderationDecisions.caseId))
    .where(
      and(
        eq(moderationCases.kind, kind),
        eq(moderationCases.targetId, targetId),
        eq(moderationDecisions.action, 'hide'),
        isInForce,
      ),
    )
    .orderBy(desc(moderationDecisions.id))
    .limit(1)
  return found?.decision
}

/** The latest decision in force of a case. */
export async function findDecisionOf(tx: Tx, caseId: number): Promise<Decision | undefined> {
  const [found] = await tx
    .select()
    .from(moderationDecisions)
    .where(and(eq(moderationDecisions.caseId, caseId), isInForce))
    .orderBy(desc(moderationDecisions.id))
    .limit(1)
  return found
}

/** A person's latest restriction or suspension that was not undone. Its period may be over. */
export async function findSanction(
  tx: Tx,
  personId: string,
  action: 'restrict' | 'suspend',
): Promise<Decision | undefined> {
  const [found] = await tx
    .select()
    .from(moderationDecisions)
    .where(and(eq(moderationDecisions.personId, personId), eq(moderationDecisions.action, action), isInForce))
    .orderBy(desc(moderationDecisions.id))
    .limit(1)
  return found
}

/** Latest first. */
export function findDecisionsAbout(db: Db, personIds: string[], actions: readonly ModerationAction[]) {
  return db
    .select({ decision: moderationDecisions, case: moderationCases })
    .from(moderationDecisions)
    .innerJoin(moderationCases, eq(moderationCases.id, moderationDecisions.caseId))
    .where(
      and(
        inArray(moderationDecisions.personId, personIds),
        inArray(moderationDecisions.action, [...actions]),
      ),
    )
    .orderBy(desc(moderationDecisions.id))
}

export type AnnouncedDecision = Pick<Decision, 'action' | 'reason' | 'until' | 'appealAnswer'> &
  Pick<Case, 'kind'>

/** The decisions that people are notified of, by the ids of the notifications. */
export async function findAnnouncedDecisions(db: Db, ids: number[]): Promise<Map<number, AnnouncedDecision>> {
  const found = await db
    .select({
      id: notifications.id,
      ...columns(moderationDecisions, 'action', 'reason', 'until', 'appealAnswer'),
      kind: moderationCases.kind,
    })
    .from(notifications)
    .innerJoin(
      moderationDecisions,
      and(
        eq(moderationDecisions.personId, notifications.userId),
        sql`${moderationDecisions.id}::text = split_part(${notifications.key}, ':', 2)`,
      ),
    )
    .innerJoin(moderationCases, eq(moderationCases.id, moderationDecisions.caseId))
    .where(inArray(notifications.id, ids))
  return new Map(found.map((decision) => [decision.id, decision]))
}
