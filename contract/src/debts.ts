import { DEBT_REASONS } from '@sought/escrow/debts'
import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { Currency } from './currency-code.ts'
import { Amount, Id, optionalText, PathId, pageLimit, Timestamp, text } from './fields.ts'

const call = callsOf({ subjects: ['payments'], fresh: 'on open' })
const adminCall = callsOf({ subjects: ['debts'], fresh: 'on open' })

/** What a user owes the market. It is taken from their next payouts (ADR 90). */
export const Debt = z.object({
  id: Id,
  amount: Amount,
  currency: Currency,
  reason: z.enum(DEBT_REASONS),
  /** The deal that the debt comes from. */
  paymentId: Id,
  itemTitle: z.string(),
  createdAt: Timestamp,
  /** The part that was taken from payouts. */
  settledAmount: z.int(),
  /** When payouts had covered all of it. */
  settledAt: z.nullable(Timestamp),
  /** When the market gave up the rest, because the team waived it. */
  waivedAt: z.nullable(Timestamp),
  /** When the market gave up the rest, because it was open for too long. */
  writtenOffAt: z.nullable(Timestamp),
})
export type Debt = z.output<typeof Debt>

export const listDebts = call({
  method: 'GET',
  path: '/api/user/debts',
  access: 'user',
  summary: 'Lists what the signed-in user owes the market or owed it, newest first',
  query: z.object({ limit: pageLimit(100, 100), cursor: z.optional(PathId) }),
  reply: z.array(Debt),
})

export const DEBT_REASON_MAX_LENGTH = 500

/** A debt as the desk sees it. */
export const AdminDebt = z.extend(Debt, {
  user: PublicUser,
  userEmail: z.nullable(z.string()),
  transactionNumber: z.string(),
  /** The name of the admin who waived it, and why. */
  waivedBy: z.nullable(z.string()),
  waiveReason: z.nullable(z.string()),
})
export type AdminDebt = z.output<typeof AdminDebt>

export const listAdminDebts = adminCall({
  method: 'GET',
  path: '/api/admin/debts',
  access: 'finance',
  summary: 'Lists what users owe the market, or owed it, newest first',
  query: z.object({
    /** `settled` includes what was waived or written off. */
    status: z._default(z.enum(['open', 'settled']), 'open'),
    /** A part of a name or an email address. */
    search: z.optional(optionalText(200)),
    limit: pageLimit(50, 100),
    cursor: z.optional(PathId),
  }),
  reply: z.array(AdminDebt),
})

export const DebtWaiver = z.object({ reason: text(DEBT_REASON_MAX_LENGTH) })

export const waiveDebt = adminCall({
  method: 'POST',
  path: '/api/admin/debts/:id/waive',
  access: 'finance',
  confirmed: true,
  summary: 'Waives what is open of a debt; the market bears it',
  params: z.object({ id: PathId }),
  body: DebtWaiver,
  reply: AdminDebt,
  refuses: ['debt_not_found', 'debt_settled', 'not_impartial'],
})
