import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { Currency } from './currency-code.ts'
import {
  Amount,
  BankTransfer,
  ClientId,
  Id,
  PathId,
  pageLimit,
  Rank,
  RankCursor,
  Timestamp,
  text,
} from './fields.ts'

const call = callsOf({ subjects: ['goodwill'], fresh: 'on open' })

/** A goodwill payment waits for a second admin if it exceeds the limit together with earlier ones. */
export const GOODWILL_STATUSES = ['waiting', 'done', 'rejected'] as const

export const GOODWILL_REASON_MAX_LENGTH = 1000

/** A goodwill payment of the platform to a party of a deal. */
export const GoodwillPayment = z.object({
  id: Id,
  rank: Rank,
  paymentId: Id,
  transactionNumber: z.string(),
  itemTitle: z.string(),
  to: z.enum(['buyer', 'seller']),
  recipient: PublicUser,
  /** For contacting the recipient. */
  recipientEmail: z.nullable(z.string()),
  amount: Amount,
  currency: Currency,
  reason: z.string(),
  status: z.enum(GOODWILL_STATUSES),
  requestedBy: PublicUser,
  /** The second admin, who approved or rejected the payment. Null if none was needed or none has decided yet. */
  decidedBy: z.nullable(PublicUser),
  decidedAt: z.nullable(Timestamp),
  /** The reason for a rejection, if the admin gave one. */
  note: z.nullable(z.string()),
  /** When the recipient got the money, and the reference of the admin who paid it. */
  paidAt: z.nullable(Timestamp),
  paidReference: z.nullable(z.string()),
  createdAt: Timestamp,
})
export type GoodwillPayment = z.output<typeof GoodwillPayment>

export const listGoodwill = call({
  method: 'GET',
  path: '/api/admin/goodwill',
  access: 'finance',
  summary: 'Lists goodwill payments, first those that wait for an admin, then the newest',
  query: z.object({
    /** Unpaid: approved, and an admin still has to pay. Closed: paid or rejected. */
    status: z.optional(z.enum(['waiting', 'unpaid', 'closed'])),
    limit: pageLimit(50, 100),
    cursor: z.optional(RankCursor),
  }),
  reply: z.array(GoodwillPayment),
})

export const NewGoodwill = z.object({
  paymentId: Id,
  to: z.enum(['buyer', 'seller']),
  /** In the currency of the payment. `highestLimits` has the highest. */
  amount: Amount,
  reason: text(GOODWILL_REASON_MAX_LENGTH, 'A reason is required'),
  clientId: z.optional(ClientId),
})

export const createGoodwill = call({
  method: 'POST',
  path: '/api/admin/goodwill',
  access: 'admin',
  confirmed: true,
  summary:
    'Gives money of the platform to a party of a deal. It waits for another admin if the deal, the recipient or the admin has had more than the limit within 30 days',
  body: NewGoodwill,
  status: 201,
  reply: z.object({ id: Id, status: z.enum(GOODWILL_STATUSES) }),
  refuses: ['payment_not_found', 'goodwill_not_possible', 'recipient_deleted', 'not_impartial'],
})

const onGoodwill = { params: z.object({ id: PathId }) }

export const approveGoodwill = call({
  ...onGoodwill,
  method: 'POST',
  path: '/api/admin/goodwill/:id/approve',
  access: 'admin',
  confirmed: true,
  summary: 'Approves a goodwill payment that another admin has requested',
  reply: GoodwillPayment,
  refuses: ['goodwill_not_found', 'goodwill_decided', 'same_admin', 'recipient_deleted', 'not_impartial'],
})

export const rejectGoodwill = call({
  ...onGoodwill,
  method: 'POST',
  path: '/api/admin/goodwill/:id/reject',
  access: 'admin',
  confirmed: true,
  summary: 'Rejects a goodwill payment that another admin has requested',
  body: z.object({ note: z.optional(text(GOODWILL_REASON_MAX_LENGTH)) }),
  reply: GoodwillPayment,
  refuses: ['goodwill_not_found', 'goodwill_decided', 'same_admin', 'not_impartial'],
})

export const markGoodwillPaid = call({
  ...onGoodwill,
  method: 'POST',
  path: '/api/admin/goodwill/:id/paid',
  access: 'finance',
  confirmed: true,
  summary:
    'Marks a goodwill payment as paid outside the card provider, by another person than who granted it',
  body: BankTransfer,
  reply: GoodwillPayment,
  refuses: ['goodwill_not_found', 'goodwill_not_owed', 'second_admin_required', 'not_impartial'],
})
