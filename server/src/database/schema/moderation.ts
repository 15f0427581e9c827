import { MODERATION_ACTIONS } from '@sought/contract/moderation'
import { REPORT_KINDS, REPORT_REASONS } from '@sought/contract/reports'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { createdAt, id, moment, quoteAll } from './columns.ts'

/** Pairs of people who want no contact. A block applies in both directions. */
export const blocks = pgTable(
  'blocks',
  {
    blockerId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    blockedId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (it) => [
    primaryKey({ columns: [it.blockerId, it.blockedId] }),
    index('blocks_blocked').on(it.blockedId, it.blockerId),
    check('blocks_two_people', sql`${it.blockerId} <> ${it.blockedId}`),
  ],
)

/** Cases for moderators: reported by users, flagged by automatic checks, or appealed (ADR 79). */
export const moderationCases = pgTable(
  'moderation_cases',
  {
    id: id(),
    kind: text({ enum: REPORT_KINDS }).notNull(),
    /** The id of the reported content, or the address of a picture. */
    targetId: text().notNull(),
    /** The person who is responsible for the content. */
    personId: text()
      .notNull()
      .references(() => users.id),
    /** 1 (low) to 3 (high). */
    severity: smallint().notNull(),
    status: text({ enum: ['open', 'decided'] })
      .notNull()
      .default('open'),
    /** The decision that the person appeals against. */
    appealedId: integer().references((): AnyPgColumn => moderationDecisions.id),
    claimedBy: text().references(() => users.id),
    claimedUntil: moment(),
    createdAt: createdAt(),
    decidedAt: moment(),
  },
  (it) => [
    // An appeal is a separate case that reports must not join.
    uniqueIndex('moderation_cases_one_open')
      .on(it.kind, it.targetId)
      .where(sql`${it.status} = 'open' and ${it.appealedId} is null`),
    uniqueIndex('moderation_cases_appeal_unique').on(it.appealedId),
    index('moderation_cases_queue').on(it.severity, it.id).where(sql`${it.status} = 'open'`),
    index('moderation_cases_person').on(it.personId, it.id),
    check('moderation_cases_kind', sql`${it.kind} in (${quoteAll(REPORT_KINDS)})`),
    check('moderation_cases_severity', sql`${it.severity} between 1 and 3`),
    check('moderation_cases_status', sql`${it.status} in ('open', 'decided')`),
    check('moderation_cases_decided', sql`(${it.status} = 'decided') = (${it.decidedAt} is not null)`),
    check('moderation_cases_claim', sql`num_nulls(${it.claimedBy}, ${it.claimedUntil}) in (0, 2)`),
  ],
)

/** The reasons why a case was opened. */
export const reports = pgTable(
  'reports',
  {
    id: id(),
    caseId: integer()
      .notNull()
      .references(() => moderationCases.id),
    /** Null for automatic checks. */
    reporterId: text().references(() => users.id),
    kind: text({ enum: REPORT_KINDS }).notNull(),
    targetId: text().notNull(),
    reason: text({ enum: REPORT_REASONS }).notNull(),
    note: text(),
    createdAt: createdAt(),
  },
  (it) => [
    // Repeated reports by the same person change nothing, even after the case was decided.
    uniqueIndex('reports_once').on(it.reporterId, it.kind, it.targetId),
    index('reports_case').on(it.caseId, it.id),
    check('reports_kind', sql`${it.kind} in (${quoteAll(REPORT_KINDS)})`),
    check('reports_reason', sql`${it.reason} in (${quoteAll(REPORT_REASONS)})`),
  ],
)

/** Moderators' decisions about people and their content. Changed only by an appeal. */
export const moderationDecisions = pgTable(
  'moderation_decisions',
  {
    id: id(),
    caseId: integer()
      .notNull()
      .references((): AnyPgColumn => moderationCases.id),
    personId: text()
      .notNull()
      .references(() => users.id),
    action: text({ enum: MODERATION_ACTIONS }).notNull(),
    reason: text().notNull(),
    /** The end of a restriction or suspension; null if it has none. */
    until: moment(),
    decidedBy: text()
      .notNull()
      .references(() => users.id),
    /** The data to undo the decision, such as the place of a removed picture. */
    undo: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    appeal: text(),
    appealedAt: moment(),
    appealOutcome: text({ enum: ['granted', 'rejected'] }),
    appealAnswer: text(),
    createdAt: createdAt(),
  },
  (it) => [
    index('moderation_decisions_person').on(it.personId, it.id),
    index('moderation_decisions_case').on(it.caseId),
    check('moderation_decisions_action', sql`${it.action} in (${quoteAll(MODERATION_ACTIONS)})`),
    check('moderation_decisions_until', sql`${it.until} is null or ${it.action} in ('restrict', 'suspend')`),
    check('moderation_decisions_appeal', sql`num_nulls(${it.appeal}, ${it.appealedAt}) in (0, 2)`),
    check(
      'moderation_decisions_outcome',
      sql`num_nulls(${it.appealOutcome}, ${it.appealAnswer}) in (0, 2) and (${it.appealOutcome} is null or ${it.appeal} is not null) and ${it.appealOutcome} in ('granted', 'rejected')`,
    ),
  ],
)
