import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { Currency } from './currency-code.ts'
import { Amount, BankTransfer, Id, PathId, pageLimit, Timestamp } from './fields.ts'

const call = callsOf({ subjects: ['payouts'], fresh: 'on open' })

/** How long a payout that was marked paid can be undone. */
export const PAYOUT_UNDO_HOURS = 24

/** After this time, the desk lists a payout whose seller has set up no way to be paid. */
export const UNCLAIMED_AFTER_DAYS = 14

/** An admin's step on a payout, with the reference they entered. */
const PayoutStep = z.object({
  action: z.enum(['looked_up', 'marked_paid', 'undone', 'sent_again']),
  actor: z.string(),
  reference: z.nullable(z.string()),
  createdAt: Timestamp,
})

/**
 * A payout by bank transfer, which an admin makes manually, or one whose transfer was reversed or that the seller's
 * bank has returned.
 */
export const ManualPayout = z.object({
  id: Id,
  paymentId: Id,
  transactionNumber: z.string(),
  itemTitle: z.string(),
  seller: PublicUser,
  /** The amount to pay. After a reversal, the reversed part. */
  amount: Amount,
  currency: Currency,
  /** Unclaimed: the seller has set up neither an account nor bank details for two weeks. */
  status: z.enum(['owed', 'paid', 'reversed', 'failed', 'unclaimed']),
  /** Why the seller's bank has returned it, as the provider calls it. Only if it failed. */
  failure: z.optional(z.string()),
  accountHolderName: z.nullable(z.string()),
  accountLast4: z.nullable(z.string()),
  bankName: z.nullable(z.string()),
  country: z.nullable(z.string()),
  createdAt: Timestamp,
  paidAt: z.nullable(Timestamp),
  /**
   * Set if the payout is owed but held back: the seller changed their payout account, or the seller, the buyer or the
   * card is new.
   */
  waitsUntil: z.optional(Timestamp),
  steps: z.array(PayoutStep),
})
export type ManualPayout = z.output<typeof ManualPayout>

export const listManualPayouts = call({
  method: 'GET',
  path: '/api/admin/payouts',
  access: 'finance',
  summary:
    'Lists manual payouts that are owed or paid, and payouts that were reversed, failed at the bank or are unclaimed, newest first',
  query: z.object({
    status: z._default(ManualPayout.shape.status, 'owed'),
    limit: pageLimit(50, 100),
    cursor: z.optional(PathId),
  }),
  reply: z.array(ManualPayout),
})

const onPayout = { params: z.object({ id: PathId }) }

/** The seller's full bank details. Fields they did not fill in are empty or missing. */
const PayoutBankDetails = z.object({
  account_holder_name: z.string(),
  country: z.string(),
  routing_number: z.optional(z.string()),
  account_number: z.optional(z.string()),
  account_type: z.enum(['checking', 'savings']),
  iban: z.optional(z.string()),
  swift_code: z.optional(z.string()),
  sort_code: z.optional(z.string()),
  bsb_code: z.optional(z.string()),
  bank_name: z.optional(z.string()),
  bank_address: z.optional(z.string()),
})
export type PayoutBankDetails = z.output<typeof PayoutBankDetails>

/** A POST because each access is recorded. */
export const lookUpBankDetails = call({
  ...onPayout,
  method: 'POST',
  path: '/api/admin/payouts/:id/bank-details',
  access: 'finance',
  confirmed: true,
  summary:
    'Gets the bank details for a manual payout, after the seller’s debts were taken from it; each access is recorded',
  reply: PayoutBankDetails,
  refuses: [
    'payout_not_found',
    'payout_wrong_state',
    'payout_waits',
    'bank_decides',
    'not_impartial',
    'no_bank_details',
    'provider_failed',
  ],
})

export const markPayoutPaid = call({
  ...onPayout,
  method: 'POST',
  path: '/api/admin/payouts/:id/paid',
  access: 'finance',
  confirmed: true,
  summary: 'Marks a manual payout as paid',
  body: BankTransfer,
  reply: ManualPayout,
  refuses: [
    'payout_not_found',
    'payout_wrong_state',
    'payout_waits',
    'bank_decides',
    'not_impartial',
    'provider_failed',
  ],
})

export const undoManualPayout = call({
  ...onPayout,
  method: 'POST',
  path: '/api/admin/payouts/:id/undo',
  access: 'finance',
  confirmed: true,
  summary: 'Undoes marking a payout as paid',
  reply: ManualPayout,
  refuses: ['payout_not_found', 'payout_wrong_state', 'undo_too_late', 'bank_decides', 'not_impartial'],
})

export const sendPayoutAgain = call({
  ...onPayout,
  method: 'POST',
  path: '/api/admin/payouts/:id/send-again',
  access: 'finance',
  confirmed: true,
  summary: 'Sends a payout again whose transfer was reversed in the dashboard of the card provider',
  reply: ManualPayout,
  refuses: ['payout_not_found', 'payout_wrong_state', 'bank_decides', 'not_impartial'],
})
