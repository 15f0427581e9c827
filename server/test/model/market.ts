import type pg from 'pg'
import type { Random } from './random.ts'
import type { Tally } from './tally.ts'

/*
 * What the model needs of a market, however it is run: inside this process, or as a process of its own that
 * can be killed.
 */

/** An answer, or that there was none: then the call may have been done, or not. */
export interface Answer {
  /** 0 when no answer came. */
  status: number
  body: Record<string, unknown>
}

export const NO_ANSWER: Answer = { status: 0, body: {} }

export interface Somebody {
  id: string
  cookie: string
}

export interface Market {
  sql: pg.Pool
  /** `POST /api/…`, as somebody or as a visitor. */
  call(who: Somebody | null, call: string, body?: object): Promise<Answer>
  /** What a browser sends to the card provider. */
  enterCard(clientSecret: string, number: string): Promise<Answer>
  /** Opens a page of the provider's, and gives its text. */
  openPage(address: string): Promise<string>
  /** Presses a button of the provider's pages. */
  press(address: string): Promise<Answer>
  now(): Date
  tally: Tally
  /** Whether calls may go unanswered, because the server can die. */
  mayDie: boolean
}

/** A request, an accepted offer for it, and its people. */
export interface Deal {
  buyer: Somebody
  seller: Somebody
  stranger: Somebody
  admin: Somebody
  itemId: number
  offerId: number
  amount: number
  /** Known once the payment has been started. */
  paymentId: number | null
  /** What the buyer's browser has been given to pay with. */
  secrets: string[]
  /** Whether a card may have been charged. */
  charged: boolean
  /** Whether a dispute about it is the bank's affair or people's: never both, that is a story not told yet. */
  decidedBy: 'bank' | 'people' | null
}

/** What was answered with success, and has to be true for ever after. */
export type Promised =
  | { what: 'started'; paymentId: number; intentId: string; offerId: number; amount: number }
  | { what: 'charged'; intentId: string }
  | { what: 'confirmed' | 'disputed' | 'withdrawn'; paymentId: number }
  | { what: 'ruled'; paymentId: number; status: string; refundCents: number }
  | { what: 'rated'; paymentId: number; rating: number }
  | { what: 'bank saved'; sellerId: string }

/** One sequence while it is played. */
export interface Scene {
  market: Market
  deal: Deal
  random: Random
  promised: Promised[]
  /** What was done and what came of it, to be read when something is wrong. */
  story: string[]
  /** What should never have been. */
  wrong: string[]
}

/** An answer in one word: ok, the code of the refusal, or its status. */
export function outcomeOf({ status, body }: Answer): string {
  if (status === 0) return 'no answer'
  if (status >= 200 && status < 400) return 'ok'
  return typeof body.code === 'string' ? body.code : String(status)
}

/** Notes what came of a call, and whether it may have. True if it was done. */
export function hear(scene: Scene, deed: string, answer: Answer, ...allowed: string[]): boolean {
  const { market, story, wrong } = scene
  const outcome = outcomeOf(answer)
  story.push(`${deed}: ${outcome}`)
  market.tally.count('answers', `${deed}: ${outcome}`)
  // A server without room for it says so, and has done nothing; a dead one says nothing.
  const notHeard = outcome === 'unavailable' || (market.mayDie && outcome === 'no answer')
  if (!notHeard && !allowed.includes(outcome)) {
    wrong.push(`${deed} was answered ${outcome}, and only ${allowed.join(' or ')} would do`)
  }
  return outcome === 'ok'
}

/** Something that may be done at any moment. */
export type Deed = (scene: Scene) => Promise<void>

/** Whether the dispute is this one's to decide. Whoever comes first keeps the other away. */
export function leaveTo(deal: Deal, who: NonNullable<Deal['decidedBy']>): boolean {
  deal.decidedBy ??= who
  return deal.decidedBy === who
}

export function storyOf({ deal, story }: Scene): string {
  const about = `payment ${deal.paymentId} of ${deal.amount} cents`
  return [`\n${about}`, ...story.map((line) => `  ${line}`)].join('\n')
}

export const intentOf = (clientSecret: string) => clientSecret.split('_secret_')[0] ?? ''
