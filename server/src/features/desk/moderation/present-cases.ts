import { MODERATION_ACTIONS } from '@sought/contract/moderation'
import type { ReportKind } from '@sought/contract/reports'
import { and, eq, inArray, or } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { moderationCases, payments, reports, users } from '../../../database/schema.ts'
import type { User } from '../../../http/session.ts'
import { findRelatedAccounts } from '../../board/profiles/related-accounts.ts'
import { asPublicUser } from '../../users/public-user.ts'
import { type Content, keyOf, readContents, readContext, withoutPrivatePictures } from './case-content.ts'
import type { Case, CaseRow, Decision } from './queries.ts'
import * as queries from './queries.ts'

type Moderator = Pick<User, 'id'>

export { countOpenCases } from './queries.ts'

export async function openCases(
  db: Db,
  filter: { kind?: ReportKind | undefined; limit: number },
  moderator: Moderator,
  now: Date,
) {
  return presentCases(db, await queries.findOpenCases(db, moderator.id, filter), moderator, now)
}

export async function readCase(tx: Tx, id: number, moderator: Moderator) {
  const found = await queries.findCase(tx, id)
  const [presented] = await presentCases(tx, found ? [found] : [], moderator, tx.now)
  if (!presented) throw new Error(`the locked case ${id} is missing`)
  return presented
}

async function presentCases(db: Db, rows: CaseRow[], moderator: Moderator, now: Date) {
  if (rows.length === 0) return []
  const cases = rows.map((row) => row.case)
  const reports = Map.groupBy(
    await queries.findReports(
      db,
      cases.map(({ id }) => id),
    ),
    ({ report }) => report.caseId,
  )
  const contents = await readContents(db, cases)
  const people = await readRecords(db, [...new Set(cases.map(({ personId }) => personId))], now)
  const presented = []
  for (const row of rows) {
    const { id, kind, targetId, severity, status, personId, createdAt } = row.case
    const claim = claimOf(row, moderator, now)
    const content = contents.get(keyOf(row.case))
    presented.push({
      id,
      kind,
      targetId,
      severity,
      status,
      createdAt,
      appeal: appealOf(row),
      reports: (reports.get(id) ?? []).map(({ report, reporter }) => ({
        ...report,
        by: reporter && asPublicUser(reporter),
      })),
      content: content ? await presentContent(db, row.case, content, claim?.isMine === true) : null,
      person: people.get(personId) ?? null,
      claim,
    })
  }
  return presented
}

/** Only the moderator who has claimed the case sees what others wrote, and `claimCase` records it. */
async function presentContent(db: Db, found: Case, content: Content, isMine: boolean) {
  if (!isMine) return { ...withoutPrivatePictures(content), context: [] }
  return { ...content, context: await readContext(db, found) }
}

function claimOf({ case: found, claimant }: CaseRow, moderator: Moderator, now: Date) {
  const { status, claimedUntil } = found
  if (status === 'decided' || !claimant || !claimedUntil || claimedUntil <= now) return null
  return { by: asPublicUser(claimant), isMine: claimant.id === moderator.id, until: claimedUntil }
}

function appealOf({ appealed }: CaseRow) {
  if (!appealed?.appealedAt) return null
  return { decisionId: appealed.id, text: appealed.appeal ?? '', createdAt: appealed.appealedAt }
}

export function asPastDecision(decision: Decision, { kind }: Case) {
  const { id, action, reason, until, createdAt } = decision
  return { id, action, kind, reason, until, createdAt }
}

async function readRecords(db: Db, ids: string[], now: Date) {
  const found = await queries.findDecisionsAbout(db, ids, MODERATION_ACTIONS)
  const decisions = Map.groupBy(found, ({ decision }) => decision.personId)
  const records = new Map<string, Awaited<ReturnType<typeof readRecord>>>()
  for (const person of await findPeople(db, ids))
    records.set(person.user.id, await readRecord(db, person, decisions.get(person.user.id) ?? [], now))
  return records
}

async function readRecord(
  db: Db,
  { user, ...counts }: Awaited<ReturnType<typeof findPeople>>[number],
  decisions: Awaited<ReturnType<typeof queries.findDecisionsAbout>>,
  now: Date,
) {
  const isAfterNow = (end: Date | null) => end !== null && end > now
  return {
    user: asPublicUser(user),
    memberSince: user.createdAt,
    ...counts,
    decisions: decisions.map((row) => asPastDecision(row.decision, row.case)),
    isRestricted: isAfterNow(user.restrictedUntil),
    isSuspended: isAfterNow(user.suspendedUntil),
    related: await findRelatedAccounts(db, user.id),
  }
}

/** People with the numbers of their completed deals, lost disputes and reports. */
function findPeople(db: Db, ids: string[]) {
  const isBuyer = eq(payments.buyerId, users.id)
  const isSeller = eq(payments.sellerId, users.id)
  const ofPerson = db
    .select({ id: moderationCases.id })
    .from(moderationCases)
    .where(eq(moderationCases.personId, users.id))
  return db
    .select({
      user: users,
      completedDeals: db.$count(payments, and(or(isBuyer, isSeller), eq(payments.status, 'completed'))),
      lostDisputes: db.$count(
        payments,
        or(
          and(isSeller, eq(payments.status, 'resolved_buyer')),
          and(isBuyer, eq(payments.status, 'resolved_seller')),
        ),
      ),
      reports: db.$count(reports, inArray(reports.caseId, ofPerson)),
    })
    .from(users)
    .where(inArray(users.id, ids))
}
