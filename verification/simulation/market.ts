import type pg from 'pg'
import type { Counters } from '../support/counters.ts'
import type { Reply } from '../support/provider-client.ts'
import type { Random } from '../support/random.ts'

/*
 * The product's interface for a simulation, whether it runs as two servers inside this process or as two processes
 * that can be killed.
 */

export interface Answer extends Reply {
  /** The caller. */
  by?: Person | null
}

export interface Person {
  id: string
  email: string
  cookie: string
  password: string
  /** The session may have ended, because they have asked to delete their account or changed the password. */
  mayBeSignedOut: boolean
  /** They have asked to delete their account. */
  isDeleting: boolean
}

export interface Market {
  sql: pg.Pool
  /** A call such as `POST /api/…`, by a user or a visitor. */
  call(who: Person | null, call: string, body?: object): Promise<Answer>
  /** The same with a file, as multipart form data. */
  upload(who: Person, call: string, file: { name: string; text: string }): Promise<Answer>
  /** Sends the card form to the card provider, like a browser. */
  enterCard(clientSecret: string, number: string): Promise<Answer>
  /** The same with another payment method, given by the provider's fields. */
  enterMethod(clientSecret: string, method: Record<string, string>): Promise<Answer>
  /** Returns the HTML of a page of the provider. */
  openPage(address: string): Promise<string>
  /** Submits a form of the provider's pages. */
  press(address: string, form?: Record<string, string>): Promise<Answer>
  now(): Date
  counters: Counters
}

/** An offer as known to its two parties. */
export interface KnownOffer {
  id: number
  amount: number
  by: 'seller' | 'buyer'
}

/** A request, its offers and its parties. */
export interface Deal {
  buyer: Person
  seller: Person
  stranger: Person
  admin: Person
  itemId: number
  /** Offers in any state. */
  offers: KnownOffer[]
  /** The amount of the first offer, and the number of offers. Each offer has its own amount. */
  firstAmount: number
  proposals: number
  /** The accepted offer. */
  offerId: number | null
  /** The amount of the accepted offer, or before that of the first offer. */
  amount: number
  /** The currency of the market when the request was posted. */
  currency: string
  /** Known once the payment was started. */
  paymentId: number | null
  /** The client secrets given to the buyer's browser. */
  secrets: string[]
  /** Whether a card may have been charged. */
  charged: boolean
  /** Whether the buyer may have got money back through a refund in the provider's dashboard or a lost chargeback. */
  refunded: boolean
  /** Whether the payment is disputed, as far as the buyer knows. */
  disputed: boolean
}

/** A write that replaced a value. At the end, the last one must be in the database. */
export interface Written {
  what: 'written'
  field: 'title' | 'item status' | 'bio' | 'password' | 'payout status' | 'mail off'
  id: string | number
  value: string
  sentMs: number
  /** When the write was answered. Infinite without an answer, because it may have been done at any time, or never. */
  doneMs: number
}

/** Facts that a reply confirmed, and that must stay true. */
export type Acknowledged =
  | { what: 'started'; paymentId: number; intentId: string; offerId: number; amount: number }
  | { what: 'charged'; intentId: string }
  | { what: 'confirmed' | 'cancelled' | 'disputed' | 'withdrawn'; paymentId: number }
  | { what: 'refunded later'; paymentId: number; cents: number }
  | { what: 'waived'; debtId: number }
  | { what: 'ruled'; paymentId: number; status: string; refundCents: number }
  | { what: 'rated'; paymentId: number; rating: number }
  | { what: 'bank saved'; sellerId: string }
  | { what: 'posted'; itemId: number; ownerId: string }
  | { what: 'offered'; offerId: number; amount: number; by: 'seller' | 'buyer' }
  | { what: 'offer answered'; offerId: number; status: 'accepted' | 'rejected' | 'withdrawn' }
  | { what: 'sent'; messageId: number; content: string; doneMs: number }
  | { what: 'read'; itemId: number; readerId: string; senderId: string; sentMs: number }
  | { what: 'notifications read'; userId: string; upTo: number }
  | { what: 'evidence'; evidenceId: number; disputeId: number; submittedBy: string; text: string }
  | { what: 'deleted'; userId: string }
  | Written

/** A schedule that is running. */
export interface Schedule {
  market: Market
  deal: Deal
  random: Random
  acknowledged: Acknowledged[]
  /** The actions and replies so far, printed with a violation. */
  log: string[]
  violations: string[]
}

/** 'ok', the code of the refusal, or the status. */
export function outcomeOf({ status, body }: Answer): string {
  if (status === 0) return 'no answer'
  if (status >= 200 && status < 400) return 'ok'
  return typeof body.code === 'string' ? body.code : String(status)
}

/** Whether the call may have been carried out: there was no reply, or the database connection was lost. */
export const isUnknown = (answer: Answer) => ['no answer', 'unavailable'].includes(outcomeOf(answer))

/** Logs the answer to a call and checks that it is an allowed one. True if the call succeeded. */
export function recordAnswer(
  schedule: Schedule,
  action: string,
  answer: Answer,
  ...allowed: string[]
): boolean {
  const { market, log, violations } = schedule
  const outcome = outcomeOf(answer)
  log.push(`${action}: ${outcome}`)
  market.counters.count('answers', `${action}: ${outcome}`)
  const isSignedOut = outcome === 'signed_out' && answer.by?.mayBeSignedOut === true
  if (!isUnknown(answer) && !isSignedOut && !allowed.includes(outcome)) {
    violations.push(`${action} was answered ${outcome} instead of ${allowed.join(' or ')}`)
  }
  return outcome === 'ok'
}

/** Records a write that was done, or may have been. */
export function recordWrite(
  { acknowledged }: Schedule,
  answer: Answer,
  written: Pick<Written, 'field' | 'id' | 'value' | 'sentMs'>,
): void {
  const isDone = outcomeOf(answer) === 'ok'
  if (!isDone && !isUnknown(answer)) return
  const doneMs = isDone ? performance.now() : Number.POSITIVE_INFINITY
  acknowledged.push({ what: 'written', ...written, doneMs })
}

/** Something that can be done at any time. */
export type Action = (schedule: Schedule) => Promise<void>

export function describeSchedule({ deal, log }: Schedule): string {
  const about = `request ${deal.itemId}, payment ${deal.paymentId} of ${deal.amount} cents`
  return [`\n${about}`, ...log.map((line) => `  ${line}`)].join('\n')
}

/** The result of a run of schedules. */
export interface Outcome {
  schedules: number
  /** With the seed and the logs of the schedules; empty if nothing was wrong. */
  violations: string[]
  counters: Counters
}
