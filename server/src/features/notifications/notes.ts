import type { NotificationKind } from '@sought/contract/notification-kinds'

/**
 * Everything that people are told of, and the kind of notification that it is: people choose their mails by
 * kind, but two things of one kind are said in different words.
 */
const kinds = {
  message: 'message',
  offer_made: 'offer_made',
  offer_accepted: 'offer_accepted',
  offer_rejected: 'offer_rejected',
  offer_countered: 'offer_countered',
  payment_held: 'payment_held',
  delivery_confirmed: 'delivery_confirmed',
  funds_released: 'funds_released',
  escrow_ending: 'escrow_ending',
  dispute_filed: 'dispute_opened',
  chargeback: 'dispute_opened',
  dispute_answered: 'dispute_answered',
  evidence_added: 'dispute_answered',
  settlement_proposed: 'dispute_answered',
  dispute_reviewed: 'dispute_answered',
  more_info_asked: 'dispute_answered',
  dispute_ruled: 'dispute_ruled',
  dispute_settled: 'dispute_ruled',
  dispute_withdrawn: 'dispute_ruled',
} as const satisfies Record<string, NotificationKind>

export type Happening = keyof typeof kinds

/** One thing that one person is told. */
export interface Note {
  to: string
  kind: NotificationKind
  /** What happened, and of what: the same key twice tells the same person once. */
  key: string
  by?: string
  wantedItemId?: number
  paymentId?: number
  amount?: number
}

/** What happened stands first in the key. */
export function happeningOf(key: string): Happening {
  const [name = ''] = key.split(':')
  if (name in kinds) return name as Happening
  throw new Error(`nothing that people are told of is called ${name}`)
}

function note(what: Happening, of: (string | number)[], told: Omit<Note, 'kind' | 'key'>): Note {
  return { ...told, kind: kinds[what], key: [what, ...of].join(':') }
}

const HOUR_MS = 3_600_000

interface Message {
  wantedItemId: number
  senderId: string
  receiverId: string
}

/** However many come while the first of them is unread, its receiver is told once an hour. */
export function aboutMessage(
  message: Message,
  firstUnread: { id: number; createdAt: Date },
  now: Date,
): Note {
  const hours = Math.floor((now.getTime() - firstUnread.createdAt.getTime()) / HOUR_MS)
  return note('message', [firstUnread.id, hours], {
    to: message.receiverId,
    by: message.senderId,
    wantedItemId: message.wantedItemId,
  })
}

interface Offer {
  id: number
  wantedItemId: number
  buyerId: string
  sellerId: string
  amount: number
}

type Offering = 'offer_made' | 'offer_accepted' | 'offer_rejected' | 'offer_countered'

/** Tells the other side of what one of the two did with an offer. */
export function aboutOffer(what: Offering, offer: Offer, by: string): Note {
  const { id, wantedItemId, buyerId, sellerId, amount } = offer
  return note(what, [id], { to: by === buyerId ? sellerId : buyerId, by, wantedItemId, amount })
}

interface Payment {
  id: number
  buyerId: string
  sellerId: string
  amount: number
}

/** The payment knows its item, so that the note need not. */
const aboutPayment = (
  what: Happening,
  payment: Payment,
  to: 'buyer' | 'seller',
  { by, amount, again = [] }: { by?: string; amount?: number; again?: (string | number)[] } = {},
): Note =>
  note(what, [payment.id, ...again], {
    to: to === 'buyer' ? payment.buyerId : payment.sellerId,
    paymentId: payment.id,
    amount: amount ?? payment.amount,
    ...(by && { by }),
  })

export function aboutHolding(payment: Payment): Note[] {
  return [
    aboutPayment('payment_held', payment, 'seller', { by: payment.buyerId }),
    aboutPayment('payment_held', payment, 'buyer'),
  ]
}

export function aboutConfirming(payment: Payment, payoutCents: number): Note[] {
  return [
    aboutPayment('delivery_confirmed', payment, 'seller', { by: payment.buyerId }),
    aboutPayment('funds_released', payment, 'seller', { amount: payoutCents }),
  ]
}

/** The hold ran out: that the money has left is news to the buyer too. */
export function aboutLapsing(payment: Payment, payoutCents: number): Note[] {
  return [
    aboutPayment('funds_released', payment, 'seller', { amount: payoutCents }),
    aboutPayment('funds_released', payment, 'buyer'),
  ]
}

/** A dispute that is withdrawn gives the money a new hold, whose end is told of again. */
export function aboutEnding(payment: Payment, escrowHoldUntil: Date): Note {
  return aboutPayment('escrow_ending', payment, 'buyer', { again: [escrowHoldUntil.getTime()] })
}

/**
 * The buyer's own dispute is news to the seller; a bank's to both. What can happen again is told by its line in the
 * timeline: filed, withdrawn and filed once more may all bear the same moment.
 */
export function aboutFiling(payment: Payment, line: number): Note {
  return aboutPayment('dispute_filed', payment, 'seller', { by: payment.buyerId, again: [line] })
}

export function aboutChargeback(payment: Payment, now: Date): Note[] {
  return toBoth('chargeback', payment, now)
}

type Reviewing = 'dispute_reviewed' | 'more_info_asked'

/** What the admins' desk asks or says before it rules. Which admin it was is nobody's business. */
export function aboutReview(what: Reviewing, payment: Payment, now: Date): Note[] {
  return toBoth(what, payment, now)
}

function toBoth(what: Happening, payment: Payment, now: Date): Note[] {
  const again = [now.getTime()]
  return [aboutPayment(what, payment, 'buyer', { again }), aboutPayment(what, payment, 'seller', { again })]
}

const otherParty = (payment: Payment, by: string) => (by === payment.buyerId ? 'seller' : 'buyer')

export function aboutAnswer(payment: Payment, evidenceId: number, by: string): Note {
  return aboutPayment('dispute_answered', payment, otherParty(payment, by), { by, again: [evidenceId] })
}

/** Files come one by one; those of an hour are one piece of news. */
export function aboutEvidence(payment: Payment, by: string, now: Date): Note {
  const hour = Math.floor(now.getTime() / HOUR_MS)
  return aboutPayment('evidence_added', payment, otherParty(payment, by), { by, again: [hour] })
}

export function aboutProposal(payment: Payment, refundCents: number, by: string, line: number): Note {
  return aboutPayment('settlement_proposed', payment, otherParty(payment, by), {
    by,
    amount: refundCents,
    again: [line],
  })
}

export function aboutWithdrawal(payment: Payment, line: number): Note {
  return aboutPayment('dispute_withdrawn', payment, 'seller', { by: payment.buyerId, again: [line] })
}

/** Each is told what they get. */
export function aboutRuling(
  what: 'dispute_ruled' | 'dispute_settled',
  payment: Payment,
  { refundCents, payoutCents }: { refundCents: number; payoutCents: number },
): Note[] {
  return [
    aboutPayment(what, payment, 'buyer', { amount: refundCents }),
    aboutPayment(what, payment, 'seller', { amount: payoutCents }),
  ]
}
