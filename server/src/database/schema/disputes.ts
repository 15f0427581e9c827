import { DISPUTE_REASONS } from '@sought/contract/dispute-draft'
import { GOODWILL_STATUSES } from '@sought/contract/goodwill'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { amount, createdAt, currency, id, moment } from './columns.ts'

export const disputeEvidence = pgTable('dispute_evidence', {
  id: id(),
  disputeId: integer().notNull(),
  submittedBy: text().notNull(),
  type: text().notNull(),
  fileName: text(),
  fileUrl: text(),
  fileSize: integer(),
  mimeType: text(),
  description: text(),
  content: text(),
  createdAt: createdAt(),
})

export const disputeTimeline = pgTable('dispute_timeline', {
  id: id(),
  disputeId: integer().notNull(),
  action: text().notNull(),
  actor: text().notNull(),
  details: text(),
  timestamp: createdAt(),
})

/** How a dispute ended: by an admin's ruling, a settlement, a withdrawal, or the bank. */
export const DISPUTE_ENDINGS = ['ruled', 'settled', 'withdrawn', 'bank'] as const

/** A dispute from its filing to its end. A payment can be disputed again after a dispute was withdrawn. */
export const disputeCases = pgTable('dispute_cases', {
  id: id(),
  paymentId: integer().notNull(),
  openedBy: text({ enum: ['buyer', 'bank'] }).notNull(),
  openedAt: moment().notNull(),
  reason: text({ enum: DISPUTE_REASONS }).notNull().default('other'),
  /** When an admin first answered. Reading the dispute is not an answer. */
  firstStepAt: moment(),
  assignedTo: text(),
  /** The time that the last reminder was for: a promised time, or a few hours before it. */
  remindedOf: moment(),
  endedAt: moment(),
  ending: text({ enum: DISPUTE_ENDINGS }),
  /** The admin who ruled. */
  ruledBy: text(),
})

/** Notes about a dispute that admins write for each other. */
export const disputeNotes = pgTable('dispute_notes', {
  id: id(),
  paymentId: integer().notNull(),
  authorId: text().notNull(),
  text: text().notNull(),
  createdAt: createdAt(),
})

/** Texts with placeholders that admins use repeatedly. */
export const savedReplies = pgTable('saved_replies', {
  id: id(),
  title: text().notNull(),
  text: text().notNull(),
  createdBy: text().notNull(),
  createdAt: createdAt(),
})

/** A party's appeal against a ruling. Each party can appeal once. */
export const disputeAppeals = pgTable('dispute_appeals', {
  id: id(),
  caseId: integer().notNull(),
  paymentId: integer().notNull(),
  appellantId: text().notNull(),
  reason: text().notNull(),
  decision: text({ enum: ['uphold', 'overturn'] }),
  note: text(),
  decidedBy: text(),
  decidedAt: moment(),
  createdAt: createdAt(),
})

/**
 * Goodwill payments of the platform to a party of a deal. Above a limit they wait for a second admin. Once
 * approved, the ledger owes the money to the recipient, and `paidAt` is the time of payment.
 */
export const goodwillPayments = pgTable('goodwill_payments', {
  id: id(),
  paymentId: integer().notNull(),
  recipient: text({ enum: ['buyer', 'seller'] }).notNull(),
  recipientId: text().notNull(),
  amountCents: amount().notNull(),
  currency: currency(),
  reason: text().notNull(),
  status: text({ enum: GOODWILL_STATUSES }).notNull(),
  requestedBy: text().notNull(),
  /** The admin who approved or rejected it, if it waited, and the reason. */
  decidedBy: text(),
  decidedAt: moment(),
  note: text(),
  /** The appeal that overturned the ruling. */
  appealId: integer(),
  /** When an admin paid it outside the provider, and with which reference. */
  paidAt: moment(),
  paidReference: text(),
  /** Another person than who requested it. Null if it was paid before this was stored. */
  paidBy: text(),
  /** The browser's idempotency key. */
  clientId: text(),
  createdAt: createdAt(),
})
