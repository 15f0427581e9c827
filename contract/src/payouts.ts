import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { call } from './call.ts'
import { Cents, Id, PathId, pageLimit, Timestamp, text } from './fields.ts'

/** How long a payout that was marked paid can be taken back. */
export const PAYOUT_UNDO_HOURS = 24

/** A step of an admin's: who did it, when, and what they wrote. */
const PayoutStep = z.object({
  action: z.enum(['looked_up', 'marked_paid', 'undone']),
  actor: z.string(),
  reference: z.nullable(z.string()),
  createdAt: Timestamp,
})

/** What is owed to a seller with bank details only, or was paid to them by hand. */
export const ManualPayout = z.object({
  id: Id,
  paymentId: Id,
  itemTitle: z.string(),
  seller: PublicUser,
  amount: Cents,
  status: z.enum(['owed', 'paid']),
  accountHolderName: z.nullable(z.string()),
  accountLast4: z.nullable(z.string()),
  bankName: z.nullable(z.string()),
  country: z.nullable(z.string()),
  createdAt: Timestamp,
  paidAt: z.nullable(Timestamp),
  steps: z.array(PayoutStep),
})
export type ManualPayout = z.output<typeof ManualPayout>

export const listManualPayouts = call({
  method: 'GET',
  path: '/api/admin/payouts',
  access: 'admin',
  summary: 'Payouts by hand, owed or paid, the latest first',
  query: z.object({
    status: z._default(z.enum(['owed', 'paid']), 'owed'),
    limit: pageLimit(50, 100),
    cursor: z.optional(PathId),
  }),
  reply: z.array(ManualPayout),
})

const onPayout = { params: z.object({ id: PathId }) }

/** The seller's account in full. What they left empty is empty or missing. */
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

/** Reading it changes something: who looked, and when, is written down. Hence no GET. */
export const lookUpBankDetails = call({
  ...onPayout,
  method: 'POST',
  path: '/api/admin/payouts/:id/bank-details',
  access: 'admin',
  summary: 'Where to pay what is owed by hand; every look is recorded',
  reply: PayoutBankDetails,
  refuses: ['payout_not_found', 'payout_wrong_state', 'not_impartial', 'no_bank_details'],
})

export const markPayoutPaid = call({
  ...onPayout,
  method: 'POST',
  path: '/api/admin/payouts/:id/paid',
  access: 'admin',
  summary: 'An admin has paid it by hand',
  body: z.object({ reference: text(200) }),
  reply: ManualPayout,
  refuses: ['payout_not_found', 'payout_wrong_state', 'not_impartial'],
})

export const undoManualPayout = call({
  ...onPayout,
  method: 'POST',
  path: '/api/admin/payouts/:id/undo',
  access: 'admin',
  summary: 'It was not paid after all',
  reply: ManualPayout,
  refuses: ['payout_not_found', 'payout_wrong_state', 'undo_too_late', 'not_impartial'],
})
