import { MOVEMENT_KINDS } from '@sought/escrow/movement-kinds'
import { bigint, date, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from './columns.ts'

/**
 * Double entry, append-only. Triggers in the migrations ensure that the entries of a key sum to zero in each
 * currency at commit and are never changed or deleted.
 */
export const ledgerEntries = pgTable('ledger_entries', {
  id: bigint({ mode: 'number' }).generatedByDefaultAsIdentity().primaryKey(),
  key: text().notNull(),
  paymentId: integer().notNull(),
  account: text().notNull(),
  amount: bigint('amount_cents', { mode: 'number' }).notNull(),
  /** In lower case. Unless an entry is inserted with one, the database enters its payment's. */
  currency: text().notNull(),
  createdAt: createdAt(),
})

/** The movements of our balance at the provider, by its ids. Reconciliation compares them with the ledger (ADR 41). */
export const providerTransactions = pgTable('provider_transactions', {
  id: text().primaryKey(),
  /** Null if it belongs to no payment. */
  paymentId: integer(),
  kind: text({ enum: MOVEMENT_KINDS }).notNull(),
  /** The type as the provider calls it. */
  type: text().notNull(),
  amountCents: bigint({ mode: 'number' }).notNull(),
  feeCents: bigint({ mode: 'number' }).notNull(),
  currency: text().notNull(),
  createdAt: createdAt(),
})

/** Nights on which all movements were compared with the ledger. */
export const reconciliations = pgTable('reconciliations', {
  day: date({ mode: 'string' }).primaryKey(),
  startedAt: moment().notNull(),
  finishedAt: moment().notNull(),
  /** The number of movements read. */
  transactions: integer().notNull(),
  differences: integer().notNull(),
})

/** Differences found by the last reconciliation. A row is deleted when both sides agree again. */
export const reconciliationDifferences = pgTable('reconciliation_differences', {
  /** The payment and the kind of movement, or a transaction without a payment. */
  key: text().primaryKey(),
  /** The day when the difference was first found. */
  day: date({ mode: 'string' }).notNull(),
  transactionId: text(),
  paymentId: integer(),
  currency: text().notNull(),
  /** The change of the balance according to the ledger, and according to the provider. */
  expectedCents: bigint({ mode: 'number' }).notNull(),
  actualCents: bigint({ mode: 'number' }).notNull(),
  text: text().notNull(),
})
