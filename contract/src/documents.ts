import * as z from 'zod/mini'
import { callsOf } from './call.ts'
import { Currency } from './currency-code.ts'
import { Id, PathId, Timestamp } from './fields.ts'
import { PaymentStatus } from './payments.ts'

const call = callsOf({ subjects: ['payments'], fresh: 'on open' })

/*
 * Receipts for buyers and monthly statements for sellers (ADR 40). All amounts are cents from the ledger. Months are
 * in UTC.
 */

/** An amount that may be zero or negative. */
const SignedAmount = z.int()

/** A month such as '2026-11'. */
export const Month = z
  .string()
  .check(z.regex(/^[2-9]\d{3}-(0[1-9]|1[0-2])$/, 'Must be a month such as 2026-11'))

/** The ledger entry that a line comes from. */
const EntryId = z.int()

/** The marketplace that issues a document. */
const Issuer = z.object({ name: z.string(), url: z.string() })

/** Why money went back to the buyer, or was charged again. */
const RETURN_KINDS = ['refund', 'refund_failed', 'chargeback', 'chargeback_won'] as const

/** Negative if the buyer was charged again. */
const Return = z.object({ id: EntryId, at: Timestamp, kind: z.enum(RETURN_KINDS), amount: SignedAmount })

/** How the price was divided when it left escrow. The fees are part of the price and paid by the seller. */
const Release = z.object({
  at: Timestamp,
  platformFee: SignedAmount,
  processingFee: SignedAmount,
  toSeller: SignedAmount,
})

export const Receipt = z.object({
  number: z.string(),
  issuedAt: Timestamp,
  issuer: Issuer,
  paymentId: Id,
  transactionNumber: z.string(),
  /** As agreed. */
  itemTitle: z.string(),
  itemDescription: z.string(),
  buyerName: z.string(),
  sellerName: z.string(),
  currency: Currency,
  status: PaymentStatus,
  paidAt: Timestamp,
  price: SignedAmount,
  returns: z.array(Return),
  /** The sum of `returns`. */
  returned: SignedAmount,
  /** The price minus what was returned. */
  total: SignedAmount,
  /** Null until the money leaves escrow. */
  release: z.nullable(Release),
})
export type Receipt = z.output<typeof Receipt>

/** The events that change the amount owed to a seller. */
const STATEMENT_LINE_KINDS = [
  'sale',
  'dispute_ruling',
  'refund',
  'refund_failed',
  'chargeback',
  'chargeback_won',
  'payout',
  'payout_undone',
  'payout_reversed',
  'cancellation_fee',
  'goodwill',
  'goodwill_paid',
  'adjustment',
] as const
export type StatementLineKind = (typeof STATEMENT_LINE_KINDS)[number]

/** The columns of a statement: amount - refund - platformFee - processingFee - payout = balance. */
const StatementAmounts = z.object({
  /** The amount that left escrow. Negative if it came back. */
  amount: SignedAmount,
  refund: SignedAmount,
  platformFee: SignedAmount,
  processingFee: SignedAmount,
  payout: SignedAmount,
  /** The change of the amount owed to the seller. */
  balance: SignedAmount,
})
export type StatementAmounts = z.output<typeof StatementAmounts>

const StatementLine = z.extend(StatementAmounts, {
  id: EntryId,
  at: Timestamp,
  kind: z.enum(STATEMENT_LINE_KINDS),
  paymentId: Id,
  transactionNumber: z.string(),
  itemTitle: z.string(),
  buyerName: z.string(),
  /** How a payout was made. */
  payoutMethod: z.nullable(z.enum(['transfer', 'manual'])),
})
export type StatementLine = z.output<typeof StatementLine>

/** One for each currency, because the currency of a deployment can change. */
const StatementAccount = z.object({
  currency: Currency,
  /** The amount owed to the seller before the month. */
  opening: SignedAmount,
  lines: z.array(StatementLine),
  totals: StatementAmounts,
  /** The amount owed to the seller at the end of the month, or now for a draft. */
  closing: SignedAmount,
})
export type StatementAccount = z.output<typeof StatementAccount>

export const Statement = z.object({
  month: Month,
  /** Null for a draft, because the month is not over. */
  number: z.nullable(z.string()),
  issuedAt: z.nullable(Timestamp),
  issuer: Issuer,
  sellerName: z.string(),
  accounts: z.array(StatementAccount),
})
export type Statement = z.output<typeof Statement>

const onPayment = { params: z.object({ id: PathId }), refuses: ['payment_not_found'] } as const
const onMonth = { params: z.object({ month: Month }), refuses: ['statement_not_found'] } as const

export const getReceipt = call({
  ...onPayment,
  method: 'GET',
  path: '/api/payments/:id/receipt',
  access: 'user',
  summary: 'Gets the receipt of a payment, for its buyer; the first time issues its number',
  reply: Receipt,
})

export const exportReceipt = call({
  ...onPayment,
  method: 'GET',
  path: '/api/payments/:id/receipt/export',
  access: 'user',
  summary: 'Exports the receipt of a payment as CSV',
  reply: 'file',
})

export const listStatements = call({
  method: 'GET',
  path: '/api/seller/statements',
  access: 'user',
  summary: 'Lists the months for which the seller has a statement, newest first',
  reply: z.array(
    z.object({
      month: Month,
      /** True until the month is over. */
      draft: z.boolean(),
    }),
  ),
})

export const getStatement = call({
  ...onMonth,
  method: 'GET',
  path: '/api/seller/statements/:month',
  access: 'user',
  summary: 'Gets the statement of the seller for a month; the first time after the month issues its number',
  reply: Statement,
})

export const exportStatement = call({
  ...onMonth,
  method: 'GET',
  path: '/api/seller/statements/:month/export',
  access: 'user',
  summary: 'Exports the statement of the seller for a month as CSV',
  reply: 'file',
})
