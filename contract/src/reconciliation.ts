import * as z from 'zod/mini'
import { callsOf } from './call.ts'
import { Done, Id, Timestamp } from './fields.ts'

const call = callsOf({ subjects: ['payments'], fresh: 'on open' })

const SignedAmount = z.int()

/** Differences between the ledger and the movements of our balance at the card provider. */
export const ReconciliationDifference = z.object({
  /** The day when it was first found. */
  day: z.iso.date(),
  transactionId: z.nullable(z.string()),
  paymentId: z.nullable(Id),
  currency: z.string(),
  /** The change of the balance according to the ledger. */
  expectedCents: SignedAmount,
  /** The change of the balance according to the card provider. */
  actualCents: SignedAmount,
  text: z.string(),
})
export type ReconciliationDifference = z.output<typeof ReconciliationDifference>

/** A payout to the platform's bank, a top-up, or a bill of the card provider. */
export const OwnMovement = z.object({
  transactionId: z.string(),
  type: z.string(),
  amountCents: SignedAmount,
  currency: z.string(),
  createdAt: Timestamp,
})
export type OwnMovement = z.output<typeof OwnMovement>

/** What could not be done for a payment. */
export const SET_ASIDE_TASKS = ['release', 'cancel', 'payout', 'refund', 'charge', 'reminder'] as const

/** A payment that a sweep or a job could not handle. It is tried again. */
export const SetAsidePayment = z.object({
  paymentId: Id,
  task: z.enum(SET_ASIDE_TASKS),
  reason: z.string(),
  attempts: z.int(),
  since: Timestamp,
  tryAt: Timestamp,
})
export type SetAsidePayment = z.output<typeof SetAsidePayment>

/** An event of the card provider that could not be handled for an hour. It is tried again until an admin dismisses it. */
export const UnhandledEvent = z.object({
  id: z.string(),
  type: z.string(),
  objectId: z.string(),
  receivedAt: Timestamp,
  tryAt: Timestamp,
})
export type UnhandledEvent = z.output<typeof UnhandledEvent>

export const Reconciliation = z.object({
  /** Null if there was none yet. */
  lastRun: z.nullable(z.object({ finishedAt: Timestamp, transactions: z.int() })),
  total: z.int(),
  /** At most 100, oldest first. */
  differences: z.array(ReconciliationDifference),
  /** At most 20, newest first. No payment is behind these movements. */
  ownMovements: z.array(OwnMovement),
  /** At most 100, longest first. */
  setAside: z.array(SetAsidePayment),
  /** At most 100, oldest first. */
  unhandledEvents: z.array(UnhandledEvent),
})
export type Reconciliation = z.output<typeof Reconciliation>

export const getReconciliation = call({
  method: 'GET',
  path: '/api/admin/reconciliation',
  access: 'admin',
  summary: 'Gets the differences between the card provider’s balance and the ledger',
  reply: Reconciliation,
})

export const dismissProviderEvent = call({
  method: 'POST',
  path: '/api/admin/provider-events/:id/dismiss',
  access: 'admin',
  confirmed: true,
  summary: 'Stops trying to handle an event of the card provider',
  params: z.object({ id: z.string().check(z.regex(/^[\w.-]{1,255}$/)) }),
  reply: Done,
  refuses: ['event_not_found'],
})
