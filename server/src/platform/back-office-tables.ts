import { POLICIES } from '@sought/contract/constants'
import { DISPUTE_REASONS } from '@sought/contract/dispute-draft'
import { EXPORT_KINDS, EXPORT_STATUSES } from '@sought/contract/exports'
import { GOODWILL_STATUSES } from '@sought/contract/goodwill'
import type { MarketSettings } from '@sought/contract/market-settings'
import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { cents, createdAt, id, moment, quoteAll } from './columns.ts'
import { files, payments, users } from './schema.ts'

/* The tables of the back office. */

/** Every version of the market's settings. The latest is in force. A trigger refuses changes and deletions. */
export const marketSettings = pgTable('market_settings', {
  id: id(),
  settings: jsonb().$type<MarketSettings>().notNull(),
  /** Null for the market's first version. */
  changedBy: text().references(() => users.id),
  createdAt: createdAt(),
})

/**
 * The fees and their start times. If two rows have the same start, the later row applies. A trigger refuses
 * changes, deletions and starts in the past, so the fees of accepted deals never change.
 */
export const feeRates = pgTable(
  'fee_rates',
  {
    id: id(),
    effectiveFrom: moment().notNull(),
    platformFeeBasisPoints: integer().notNull(),
    processingFeeBasisPoints: integer().notNull(),
    processingFeeCents: cents().notNull(),
    /** The version of the settings that set these fees. Null for the market's first fees. */
    settingsId: integer().references(() => marketSettings.id),
    /** Null for the market's first fees. */
    createdBy: text().references(() => users.id),
    createdAt: createdAt(),
  },
  (it) => [
    index('fee_rates_effective').on(it.effectiveFrom, it.id),
    unique('fee_rates_settings').on(it.settingsId),
    check('fee_rates_start', sql`${it.createdBy} is null or ${it.effectiveFrom} >= ${it.createdAt}`),
    check('fee_rates_platform', sql`${it.platformFeeBasisPoints} between 0 and 5000`),
    check('fee_rates_processing', sql`${it.processingFeeBasisPoints} between 0 and 2000`),
    check('fee_rates_processing_cents', sql`${it.processingFeeCents} between 0 and 10000`),
  ],
)

/** The operator's own policy texts. Without one, the built-in text is version 0. */
export const policyVersions = pgTable(
  'policy_versions',
  {
    id: id(),
    policy: text({ enum: POLICIES }).notNull(),
    version: integer().notNull(),
    text: text().notNull(),
    effectiveFrom: moment().notNull(),
    createdBy: text()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    /** All users up to this id were notified that the version is scheduled. */
    announcedUpTo: text().notNull().default(''),
    /** When all users were notified that it is scheduled. */
    announcedAt: moment(),
    /** All users up to this id were notified that the version is in force. */
    notifiedUpTo: text().notNull().default(''),
    /** When all users were notified. */
    notifiedAt: moment(),
  },
  (it) => [
    unique('policy_versions_once').on(it.policy, it.version),
    index('policy_versions_author').on(it.createdBy),
    check('policy_versions_policy', sql`${it.policy} in (${quoteAll(POLICIES)})`),
    check('policy_versions_version', sql`${it.version} > 0`),
  ],
)

/** The versions of policies that users have accepted, and when. */
export const policyConsents = pgTable(
  'policy_consents',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    policy: text({ enum: POLICIES }).notNull(),
    version: integer().notNull(),
    createdAt: createdAt(),
  },
  (it) => [
    primaryKey({ columns: [it.userId, it.policy, it.version] }),
    check('policy_consents_policy', sql`${it.policy} in (${quoteAll(POLICIES)})`),
  ],
)

/** How a dispute ended: by an admin's ruling, a settlement, a withdrawal, or the bank. */
export const DISPUTE_ENDINGS = ['ruled', 'settled', 'withdrawn', 'bank'] as const

/** A dispute from its filing to its end. A payment can be disputed again after a dispute was withdrawn. */
export const disputeCases = pgTable(
  'dispute_cases',
  {
    id: id(),
    paymentId: integer()
      .notNull()
      .references(() => payments.id),
    openedBy: text({ enum: ['buyer', 'bank'] }).notNull(),
    openedAt: moment().notNull(),
    reason: text({ enum: DISPUTE_REASONS }).notNull().default('other'),
    /** When an admin first answered. Reading the dispute is not an answer. */
    firstStepAt: moment(),
    assignedTo: text().references(() => users.id),
    /** The time that the last reminder was for: a promised time, or a few hours before it. */
    remindedOf: moment(),
    endedAt: moment(),
    ending: text({ enum: DISPUTE_ENDINGS }),
    /** The admin who ruled. */
    ruledBy: text().references(() => users.id),
  },
  (it) => [
    uniqueIndex('dispute_cases_one_open').on(it.paymentId).where(sql`${it.endedAt} is null`),
    index('dispute_cases_payment').on(it.paymentId, it.id),
    index('dispute_cases_waiting').on(it.openedAt).where(sql`${it.endedAt} is null`),
    index('dispute_cases_assigned').on(it.assignedTo),
    index('dispute_cases_ruled_by').on(it.ruledBy),
    check('dispute_cases_opened_by', sql`${it.openedBy} in ('buyer', 'bank')`),
    check('dispute_cases_reason', sql`${it.reason} in (${quoteAll(DISPUTE_REASONS)})`),
    check('dispute_cases_ending', sql`${it.ending} in (${quoteAll(DISPUTE_ENDINGS)})`),
    check('dispute_cases_ended', sql`num_nulls(${it.endedAt}, ${it.ending}) in (0, 2)`),
    check('dispute_cases_ruled', sql`${it.ruledBy} is null or ${it.ending} = 'ruled'`),
  ],
)

/** Notes about a dispute that admins write for each other. */
export const disputeNotes = pgTable(
  'dispute_notes',
  {
    id: id(),
    paymentId: integer()
      .notNull()
      .references(() => payments.id),
    authorId: text()
      .notNull()
      .references(() => users.id),
    text: text().notNull(),
    createdAt: createdAt(),
  },
  (it) => [
    index('dispute_notes_payment').on(it.paymentId, it.id),
    index('dispute_notes_author').on(it.authorId),
  ],
)

/** Texts with placeholders that admins use repeatedly. */
export const savedReplies = pgTable(
  'saved_replies',
  {
    id: id(),
    title: text().notNull(),
    text: text().notNull(),
    createdBy: text()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
  },
  (it) => [index('saved_replies_author').on(it.createdBy)],
)

/** A party's appeal against a ruling. Each party can appeal once. */
export const disputeAppeals = pgTable(
  'dispute_appeals',
  {
    id: id(),
    caseId: integer()
      .notNull()
      .references(() => disputeCases.id),
    paymentId: integer()
      .notNull()
      .references(() => payments.id),
    appellantId: text()
      .notNull()
      .references(() => users.id),
    reason: text().notNull(),
    decision: text({ enum: ['uphold', 'overturn'] }),
    note: text(),
    decidedBy: text().references(() => users.id),
    decidedAt: moment(),
    createdAt: createdAt(),
  },
  (it) => [
    unique('dispute_appeals_once').on(it.caseId, it.appellantId),
    // The platform never pays both parties for the same ruling.
    uniqueIndex('dispute_appeals_overturned_once').on(it.caseId).where(sql`${it.decision} = 'overturn'`),
    index('dispute_appeals_payment').on(it.paymentId),
    index('dispute_appeals_appellant').on(it.appellantId),
    index('dispute_appeals_decided_by').on(it.decidedBy),
    index('dispute_appeals_open').on(it.id).where(sql`${it.decidedAt} is null`),
    check('dispute_appeals_decision', sql`${it.decision} in ('uphold', 'overturn')`),
    check(
      'dispute_appeals_decided',
      sql`num_nulls(${it.decision}, ${it.note}, ${it.decidedBy}, ${it.decidedAt}) in (0, 4)`,
    ),
  ],
)

/**
 * Goodwill payments of the platform to a party of a deal. Above a limit they wait for a second admin. Once
 * approved, the ledger owes the money to the recipient, and `paidAt` is the time of payment.
 */
export const goodwillPayments = pgTable(
  'goodwill_payments',
  {
    id: id(),
    paymentId: integer()
      .notNull()
      .references(() => payments.id),
    recipient: text({ enum: ['buyer', 'seller'] }).notNull(),
    recipientId: text()
      .notNull()
      .references(() => users.id),
    amountCents: cents().notNull(),
    reason: text().notNull(),
    status: text({ enum: GOODWILL_STATUSES }).notNull(),
    requestedBy: text()
      .notNull()
      .references(() => users.id),
    /** The admin who approved or rejected it, if it waited, and the reason. */
    decidedBy: text().references(() => users.id),
    decidedAt: moment(),
    note: text(),
    /** The appeal that overturned the ruling. */
    appealId: integer().references(() => disputeAppeals.id),
    /** When an admin paid it outside the provider, and with which reference. */
    paidAt: moment(),
    paidReference: text(),
    createdAt: createdAt(),
  },
  (it) => [
    uniqueIndex('goodwill_payments_appeal_unique').on(it.appealId),
    index('goodwill_payments_payment').on(it.paymentId),
    index('goodwill_payments_recipient').on(it.recipientId),
    index('goodwill_payments_requested_by').on(it.requestedBy),
    index('goodwill_payments_decided_by').on(it.decidedBy),
    index('goodwill_payments_waiting').on(it.id).where(sql`${it.status} = 'waiting'`),
    index('goodwill_payments_unpaid').on(it.id).where(sql`${it.status} = 'done' and ${it.paidAt} is null`),
    check('goodwill_payments_amount', sql`${it.amountCents} > 0`),
    check('goodwill_payments_recipient', sql`${it.recipient} in ('buyer', 'seller')`),
    check('goodwill_payments_status', sql`${it.status} in (${quoteAll(GOODWILL_STATUSES)})`),
    check('goodwill_payments_decided', sql`num_nulls(${it.decidedBy}, ${it.decidedAt}) in (0, 2)`),
    check('goodwill_payments_two_people', sql`${it.decidedBy} <> ${it.requestedBy}`),
    check(
      'goodwill_payments_paid',
      sql`num_nulls(${it.paidAt}, ${it.paidReference}) in (0, 2) and (${it.paidAt} is null or ${it.status} = 'done')`,
    ),
  ],
)

/** Files for accountants, created by a job. */
export const exportJobs = pgTable(
  'export_jobs',
  {
    id: id(),
    kind: text({ enum: EXPORT_KINDS }).notNull(),
    year: smallint().notNull(),
    status: text({ enum: EXPORT_STATUSES }).notNull().default('running'),
    /** In percent. */
    progress: smallint().notNull().default(0),
    fileId: text().references(() => files.id),
    requestedBy: text()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    endedAt: moment(),
  },
  (it) => [
    index('export_jobs_requested_by').on(it.requestedBy, it.id),
    index('export_jobs_file').on(it.fileId),
    check('export_jobs_kind', sql`${it.kind} in (${quoteAll(EXPORT_KINDS)})`),
    check('export_jobs_status', sql`${it.status} in (${quoteAll(EXPORT_STATUSES)})`),
    check('export_jobs_progress', sql`${it.progress} between 0 and 100`),
    check('export_jobs_done', sql`(${it.status} = 'done') = (${it.fileId} is not null)`),
    check('export_jobs_ended', sql`(${it.status} = 'running') = (${it.endedAt} is null)`),
  ],
)

/**
 * Figures of the market by day and by month in UTC: for all requests, each category and each country (ADR 84). A
 * job adds figure_changes to them.
 */
export const marketFigures = pgTable(
  'market_figures',
  {
    slice: text({ enum: ['all', 'category', 'country'] }).notNull(),
    grain: text({ enum: ['day', 'month'] }).notNull(),
    /** The day, or the first day of the month. */
    start: date().notNull(),
    /** The category or the country. Empty for all requests, and if it is unknown. */
    name: text().notNull(),
    figure: text().notNull(),
    value: bigint({ mode: 'number' }).notNull(),
  },
  (it) => [primaryKey({ columns: [it.slice, it.grain, it.start, it.name, it.figure] })],
)

/**
 * Changes of figures, written by triggers in the transaction of the counted change. A job adds them to
 * market_figures.
 */
export const figureChanges = pgTable('figure_changes', {
  id: bigint({ mode: 'number' }).generatedByDefaultAsIdentity().primaryKey(),
  /**
   * A figure, or `moved` if a request was deleted or got another category or country, or `recount` to count
   * everything.
   */
  figure: text().notNull(),
  /** Null for users, who have no request. */
  wantedItemId: integer(),
  day: date(),
  change: bigint({ mode: 'number' }),
  /** For a moved request: its previous category. */
  category: text(),
  country: text(),
})
