import { DEBT_REASONS } from '@sought/escrow/debts'
import * as z from 'zod/mini'
import { callsOf } from './call.ts'
import { Cents, Id, PathId, pageLimit, Timestamp } from './fields.ts'
import { Currency } from './platform.ts'

const call = callsOf({ subjects: ['payments'], fresh: 'on open' })

/** What a user owes the market. It is taken from their next payouts (ADR 90). */
export const Debt = z.object({
  id: Id,
  amount: Cents,
  currency: Currency,
  reason: z.enum(DEBT_REASONS),
  /** The deal that the debt comes from. */
  paymentId: Id,
  createdAt: Timestamp,
  /** When payouts had covered all of it. */
  settledAt: z.nullable(Timestamp),
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
