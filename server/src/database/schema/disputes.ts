import { DISPUTE_REASONS } from '@sought/contract/dispute-draft'
import { GOODWILL_STATUSES } from '@sought/contract/goodwill'
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { cents, createdAt, id, moment, quoteAll } from './columns.ts'
import { payments } from './payments.ts'

export const disputeEvidence = pgTable(
  'dispute_evidence',
  {
    id: id(),
    disputeId: integer()
      .notNull()
      .references(() => payments.id),
    submittedBy: text().notNull(),
    type: text().notNull(),
    fileName: text(),
    fileUrl: text(),
    fileSize: integer(),
    mimeType: text(),
    description: text(),
    content: text(),
    createdAt: createdAt(),
  },
  (it) => [index('dispute_evidence_dispute').on(it.disputeId, it.id)],
)

export const disputeTimeline = pgTable(
  'dispute_timeline',
  {
    id: id(),
    disputeId: integer()
      .notNull()
      .references(() => payments.id),
    action: text().notNull(),
    actor: text().notNull(),
    details: text(),
    timestamp: createdAt(),
  },
  (it) => [index('dispute_timeline_dispute').on(it.disputeId, it.id)],
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
