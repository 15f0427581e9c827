import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { Currency } from './currency-code.ts'
import { Amount, BankTransfer, Id, PathId, pageLimit, Timestamp } from './fields.ts'

const call = callsOf({ subjects: ['refunds'], fresh: 'on open' })

/** An admin's step on a refund, with the reference they entered. */
const RefundStep = z.object({
  action: z.enum(['retried', 'marked_paid']),
  actor: z.string(),
  reference: z.nullable(z.string()),
  createdAt: Timestamp,
})

/** A refund that did not reach the buyer, or that the card provider refuses. */
export const StuckRefund = z.object({
  paymentId: Id,
  transactionNumber: z.string(),
  itemTitle: z.string(),
  buyer: PublicUser,
  /** For contacting the buyer. */
  buyerEmail: z.nullable(z.string()),
  amount: Amount,
  currency: Currency,
  /**
   * - failed: the refund came back. Only an admin can send it again.
   * - retrying: the provider refused it, or an admin sent it again. It is retried automatically.
   * - paid: the buyer has the money.
   */
  status: z.enum(['failed', 'retrying', 'paid']),
  failedAt: z.nullable(Timestamp),
  /** Attempts that failed or were refused. */
  attempts: z.int(),
  /** The provider's code, such as expired_or_canceled_card. */
  reason: z.nullable(z.string()),
  nextTryAt: z.nullable(Timestamp),
  paidAt: z.nullable(Timestamp),
  /** While the buyer's bank decides, no refund can be paid. */
  bankDecides: z.boolean(),
  steps: z.array(RefundStep),
})
export type StuckRefund = z.output<typeof StuckRefund>

export const listStuckRefunds = call({
  method: 'GET',
  path: '/api/admin/refunds',
  access: 'finance',
  summary: 'Lists refunds that failed or are refused, or those that admins have paid, newest payment first',
  query: z.object({
    status: z._default(z.enum(['owed', 'paid']), 'owed'),
    limit: pageLimit(50, 100),
    cursor: z.optional(PathId),
  }),
  reply: z.array(StuckRefund),
})

const onRefund = { params: z.object({ paymentId: PathId }) }

export const retryRefund = call({
  ...onRefund,
  method: 'POST',
  path: '/api/admin/refunds/:paymentId/retry',
  access: 'finance',
  confirmed: true,
  summary: 'Asks the card provider for a new refund',
  reply: StuckRefund,
  refuses: ['refund_not_found', 'refund_not_failed', 'bank_decides', 'not_impartial'],
})

export const markRefundPaid = call({
  ...onRefund,
  method: 'POST',
  path: '/api/admin/refunds/:paymentId/paid',
  access: 'finance',
  confirmed: true,
  summary: 'Marks a refund as paid by an admin, outside the card provider',
  body: BankTransfer,
  reply: StuckRefund,
  refuses: [
    'refund_not_found',
    'refund_not_failed',
    'refund_under_way',
    'bank_decides',
    'not_impartial',
    'provider_failed',
  ],
})
