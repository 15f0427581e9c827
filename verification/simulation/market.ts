import type pg from 'pg'
import type { Tally } from '../support/counters.ts'
import type { Random } from '../support/random.ts'

/*
 * What the model needs of a market, however it is run: by two servers inside this process, or by two processes
 * that can be killed.
 */

/** An answer, or that there was none: then the call may have been done, or not. */
export interface Answer {
  /** 0 when no answer came. */
  status: number
  body: Record<string, unknown>
  /** The session cookie, where a new one was handed out. */
  cookie?: string | undefined
  /** Who asked. */
  by?: Somebody | null
}

export const NO_ANSWER: Answer = { status: 0, body: {} }

export interface Somebody {
  id: string
  email: string
  cookie: string
  password: string
  /** Whether the session may have ended: they have asked for their account to go, or changed the password. */
  mayBeOut: boolean
  /** Whether they have asked for their account to go. */
  leaving: boolean
}

export interface Market {
  sql: pg.Pool
  /** `POST /api/…`, as somebody or as a visitor. */
  call(who: Somebody | null, call: string, body?: object): Promise<Answer>
  /** The same with a file, as a form sends it. */
  upload(who: Somebody, call: string, file: { name: string; text: string }): Promise<Answer>
  /** What a browser sends to the card provider. */
  enterCard(clientSecret: string, number: string): Promise<Answer>
  /** Opens a page of the provider's, and gives its text. */
  openPage(address: string): Promise<string>
  /** Presses a button of the provider's pages. */
  press(address: string): Promise<Answer>
  now(): Date
  tally: Tally
}

/** Something that was offered, as far as its two people know. */
export interface OpenOffer {
  id: number
  amount: number
  by: 'seller' | 'buyer'
}

/** A request, what was offered for it, and its people. */
export interface Deal {
  buyer: Somebody
  seller: Somebody
  stranger: Somebody
  admin: Somebody
  itemId: number
  /** Everything that was offered, whatever became of it. */
  offers: OpenOffer[]
  /** What the first offer names, and how many were made: each names another amount, by which it is known. */
  firstAmount: number
  proposals: number
  /** The offer that was accepted. */
  offerId: number | null
  /** What was agreed; until then, what the first offer names. */
  amount: number
  /** Known once the payment has been started. */
  paymentId: number | null
  /** What the buyer's browser has been given to pay with. */
  secrets: string[]
  /** Whether a card may have been charged. */
  charged: boolean
  /** Whether it is in dispute, as far as the buyer knows. */
  disputed: boolean
  /** Whether a dispute about it is the bank's affair or people's: never both, that is a story not told yet. */
  decidedBy: 'bank' | 'people' | null
}

/** Something that was written over whatever stood there: the latest of them must be what is read in the end. */
export interface Written {
  what: 'written'
  register: 'title' | 'item status' | 'bio' | 'password' | 'payout status' | 'mail off'
  id: string | number
  value: string
  sentMs: number
  /** When it was answered; infinite where it was not, since then it may have been done, at any time or never. */
  doneMs: number
}

/** What was answered with success, and has to be true for ever after. */
export type Promised =
  | { what: 'started'; paymentId: number; intentId: string; offerId: number; amount: number }
  | { what: 'charged'; intentId: string }
  | { what: 'confirmed' | 'disputed' | 'withdrawn'; paymentId: number }
  | { what: 'ruled'; paymentId: number; status: string; refundCents: number }
  | { what: 'rated'; paymentId: number; rating: number }
  | { what: 'bank saved'; sellerId: string }
  | { what: 'posted'; itemId: number; ownerId: string }
  | { what: 'offered'; offerId: number; amount: number; by: 'seller' | 'buyer' }
  | { what: 'offer answered'; offerId: number; status: 'accepted' | 'rejected' | 'withdrawn' }
  | { what: 'sent'; messageId: number; content: string; doneMs: number }
  | { what: 'read'; itemId: number; readerId: string; senderId: string; sentMs: number }
  | { what: 'bell read'; userId: string; upTo: number }
  | { what: 'evidence'; evidenceId: number; disputeId: number; submittedBy: string; words: string }
  | { what: 'deleted'; userId: string }
  | Written

/** One schedule while it is played. */
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

/** Whether it is not known if a call was done: nobody answered, or somebody who lost the database half-way. */
export const isUnsure = (answer: Answer) => ['no answer', 'unavailable'].includes(outcomeOf(answer))

/** Notes what came of a call, and whether it may have. True if it was done. */
export function hear(scene: Scene, deed: string, answer: Answer, ...allowed: string[]): boolean {
  const { market, story, wrong } = scene
  const outcome = outcomeOf(answer)
  story.push(`${deed}: ${outcome}`)
  market.tally.count('answers', `${deed}: ${outcome}`)
  const isOut = outcome === 'signed_out' && answer.by?.mayBeOut === true
  if (!isUnsure(answer) && !isOut && !allowed.includes(outcome)) {
    wrong.push(`${deed} was answered ${outcome}, and only ${allowed.join(' or ')} would do`)
  }
  return outcome === 'ok'
}

/** Notes that something was written over, if it was, or may have been. */
export function noteWritten(
  { promised }: Scene,
  answer: Answer,
  written: Pick<Written, 'register' | 'id' | 'value' | 'sentMs'>,
): void {
  const isDone = outcomeOf(answer) === 'ok'
  if (!isDone && !isUnsure(answer)) return
  const doneMs = isDone ? performance.now() : Number.POSITIVE_INFINITY
  promised.push({ what: 'written', ...written, doneMs })
}

/** Something that may be done at any moment. */
export type Deed = (scene: Scene) => Promise<void>

/** Whether the dispute is this one's to decide. Whoever comes first keeps the other away. */
export function leaveTo(deal: Deal, who: NonNullable<Deal['decidedBy']>): boolean {
  deal.decidedBy ??= who
  return deal.decidedBy === who
}

export function storyOf({ deal, story }: Scene): string {
  const about = `request ${deal.itemId}, payment ${deal.paymentId} of ${deal.amount} cents`
  return [`\n${about}`, ...story.map((line) => `  ${line}`)].join('\n')
}

export const intentOf = (clientSecret: string) => clientSecret.split('_secret_')[0] ?? ''
