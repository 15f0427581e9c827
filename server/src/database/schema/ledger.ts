import { MOVEMENT_KINDS } from '@sought/escrow/movement-kinds'
import { sql } from 'drizzle-orm'
import { bigint, check, date, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, moment, quoteAll } from './columns.ts'
import { payments } from './payments.ts'

/**
 * Double entry, append-only. Triggers in the migrations ensure that the entries of a key sum to zero at commit and
 * are never changed or deleted.
 */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: bigint({ mode: 'number' }).generatedByDefaultAsIdentity().primaryKey(),
    key: text().notNull(),
    paymentId: integer()
      .notNull()
      .references(() => payments.id),
    account: text().notNull(),
    amountCents: bigint({ mode: 'number' }).notNull(),
    createdAt: createdAt(),
  },
  (it) => [
    uniqueIndex('ledger_entries_key_account_unique').on(it.key, it.account),
    index('ledger_entries_account').on(it.account),
    index('ledger_entries_payment').on(it.paymentId),
    index('ledger_entries_provider').on(it.createdAt).where(sql`${it.account} = 'provider'`),
    check('ledger_entries_amount', sql`${it.amountCents} <> 0`),
    check(
      'ledger_entries_account',
      sql`${it.account} ~ '^(provider|escrow:[0-9]+|seller:.+|buyer:.+|fees:(platform|processing|provider)|losses:(chargebacks|refunds)|platform:goodwill)$'`,
    ),
  ],
)

/** The movements of our balance at the provider, by its ids. Reconciliation compares them with the ledger (ADR 41). */
export const providerTransactions = pgTable(
  'provider_transactions',
  {
    id: text().primaryKey(),
    /** Null if it belongs to no payment. */
    paymentId: integer().references(() => payments.id),
    kind: text({ enum: MOVEMENT_KINDS }).notNull(),
    /** The type as the provider calls it. */
    type: text().notNull(),
    amountCents: bigint({ mode: 'number' }).notNull(),
    feeCents: bigint({ mode: 'number' }).notNull(),
    currency: text().notNull(),
    createdAt: createdAt(),
  },
  (it) => [
    index('provider_transactions_payment').on(it.paymentId),
    index('provider_transactions_created').on(it.createdAt),
    index('provider_transactions_own').on(it.createdAt).where(sql`${it.kind} = 'own'`),
    index('provider_transactions_unassigned')
      .on(it.id)
      .where(sql`${it.paymentId} is null and ${it.kind} <> 'own'`),
    check('provider_transactions_kind', sql`${it.kind} in (${quoteAll(MOVEMENT_KINDS)})`),
  ],
)

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
export const reconciliationDifferences = pgTable(
  'reconciliation_differences',
  {
    /** The payment and the kind of movement, or a transaction without a payment. */
    key: text().primaryKey(),
    /** The day when the difference was first found. */
    day: date({ mode: 'string' }).notNull(),
    transactionId: text(),
    paymentId: integer().references(() => payments.id),
    currency: text().notNull(),
    /** The change of the balance according to the ledger, and according to the provider. */
    expectedCents: bigint({ mode: 'number' }).notNull(),
    actualCents: bigint({ mode: 'number' }).notNull(),
    text: text().notNull(),
  },
  (it) => [index('reconciliation_differences_payment').on(it.paymentId)],
)
