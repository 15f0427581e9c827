import { MODERATION_ACTIONS } from '@sought/contract/moderation'
import { REPORT_KINDS, REPORT_REASONS } from '@sought/contract/reports'
import { integer, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from './columns.ts'

/** Pairs of people who want no contact. A block applies in both directions. */
export const blocks = pgTable('blocks', {
  blockerId: text().notNull(),
  blockedId: text().notNull(),
  createdAt: createdAt(),
})

/** Cases for moderators: reported by users, flagged by automatic checks, or appealed (ADR 79). */
export const moderationCases = pgTable('moderation_cases', {
  id: id(),
  kind: text({ enum: REPORT_KINDS }).notNull(),
  /** The id of the reported content, or the address of a picture. */
  targetId: text().notNull(),
  /** The person who is responsible for the content. */
  personId: text().notNull(),
  /** 1 (low) to 3 (high). */
  severity: smallint().notNull(),
  status: text({ enum: ['open', 'decided'] })
    .notNull()
    .default('open'),
  /** The decision that the person appeals against. */
  appealedId: integer(),
  claimedBy: text(),
  claimedUntil: moment(),
  createdAt: createdAt(),
  decidedAt: moment(),
})

/** The reasons why a case was opened. */
export const reports = pgTable('reports', {
  id: id(),
  caseId: integer().notNull(),
  /** Null for automatic checks. */
  reporterId: text(),
  kind: text({ enum: REPORT_KINDS }).notNull(),
  targetId: text().notNull(),
  reason: text({ enum: REPORT_REASONS }).notNull(),
  note: text(),
  createdAt: createdAt(),
})

/** Moderators' decisions about people and their content. Changed only by an appeal. */
export const moderationDecisions = pgTable('moderation_decisions', {
  id: id(),
  caseId: integer().notNull(),
  personId: text().notNull(),
  action: text({ enum: MODERATION_ACTIONS }).notNull(),
  reason: text().notNull(),
  /** The end of a restriction or suspension; null if it has none. */
  until: moment(),
  decidedBy: text().notNull(),
  /** The data to undo the decision, such as the place of a removed picture. */
  undo: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  appeal: text(),
  appealedAt: moment(),
  appealOutcome: text({ enum: ['granted', 'rejected'] }),
  appealAnswer: text(),
  createdAt: createdAt(),
})
