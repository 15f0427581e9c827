import type { DeliveryMethod } from '@sought/escrow/delivery'
import type { PaymentStatus } from '@sought/escrow/payment-status'
import type { ItemStatus } from '@sought/escrow/reservation'

/*
 * A model of a deal: when each step is allowed, what it changes, and how it is otherwise refused. It was written
 * from the moves of a payment (escrow/src/moves.ts) and the rules of offers, checkouts, disputes and deliveries
 * (ADR 5 to 10, 21, 49, 58), not from observed runs. All deals are for 120.00.
 */

export const AMOUNT = 12_000
export const PROPOSED_REFUND = 3_000

type OfferStatus = 'pending' | 'accepted' | 'rejected' | 'withdrawn'

/** The state of a deal that these actions depend on. */
export interface Deal {
  offer: OfferStatus
  /** A payment in escrow reserves the request. */
  request: ItemStatus
  /** 'none' before the checkout was opened. */
  payment: PaymentStatus | 'none'
  /** According to the provider. */
  card: 'unpaid' | 'paid'
  /** The hold has expired. */
  due: boolean
  /** The shipping time ended more than a week ago. */
  late: boolean
  delivery: DeliveryMethod
  shipped: boolean
  /** The buyer has asked the seller to cancel. */
  cancelRequested: boolean
  proposal: boolean
  refundCents: number | null
  /** The amount owed to the seller. */
  owedCents: number | null
  /** The postings, timeline entries and notifications, each as often as it happened. */
  posted: readonly string[]
  timeline: readonly string[]
  notified: readonly string[]
}

interface Step {
  isAllowed(deal: Deal): boolean
  /** Postings, timeline entries and notifications are added, everything else is replaced. */
  effect: Partial<Deal> | ((deal: Deal) => Partial<Deal>)
  /** The answer if the step is not allowed. Some steps return `ok` if there is nothing to do. */
  elseAnswer(deal: Deal): string
}

const inDispute = ({ payment }: Deal) => payment === 'disputed' || payment === 'under_review'
const isResolved = ({ payment }: Deal) => payment.startsWith('resolved')
const notInDispute = (deal: Deal) => (isResolved(deal) ? 'dispute_resolved' : 'dispute_not_found')
const isOver = { proposal: false, request: 'fulfilled', posted: ['ruling'] } as const

export const OK = 'ok'
/** The payment is not due or is locked, so a later sweep releases it. */
export const SKIPPED = 'skipped'
/** The provider does not charge an intent twice. */
export const ALREADY_CHARGED = 'already charged'

/** The decision of an admin. The seller's part is reduced by 3 % and 2.9 % + 0.30. */
const decide = (
  action: string,
  payment: PaymentStatus,
  refundCents: number,
  owedCents: number | null,
  request: ItemStatus = 'fulfilled',
): Step => ({
  isAllowed: inDispute,
  effect: {
    ...isOver,
    request,
    payment,
    refundCents,
    owedCents,
    timeline: [action],
    notified: ['buyer dispute_ruled', 'seller dispute_ruled'],
  },
  elseAnswer: notInDispute,
})

const wrongState = ({ payment }: Deal) => (payment === 'pending' ? 'payment_not_paid' : 'payment_wrong_state')

const isHeld = ({ payment }: Deal) => payment === 'held_in_escrow'
const isUnshipped = ({ delivery, shipped }: Deal) => delivery === 'shipping' && !shipped
const notCancellable = ({ payment }: Deal) => (payment === 'pending' ? 'payment_not_paid' : 'not_cancellable')

const cancelled = (event: 'deal_cancelled' | 'deal_expired') =>
  ({
    payment: 'refunded',
    request: 'open',
    refundCents: AMOUNT,
    posted: ['cancel'],
    notified: [`buyer ${event}`, `seller ${event}`],
  }) as const

const released = {
  payment: 'completed',
  request: 'fulfilled',
  owedCents: 11_262,
  posted: ['release'],
} as const

const steps = {
  accept: {
    isAllowed: ({ offer }) => offer === 'pending',
    effect: { offer: 'accepted', notified: ['seller offer_accepted'] },
    elseAnswer: () => 'offer_not_pending',
  },
  reject: {
    isAllowed: ({ offer }) => offer === 'pending',
    effect: { offer: 'rejected', notified: ['seller offer_rejected'] },
    elseAnswer: () => 'offer_not_pending',
  },
  withdrawOffer: {
    isAllowed: ({ offer }) => offer === 'pending',
    effect: { offer: 'withdrawn' },
    elseAnswer: () => 'offer_not_pending',
  },

  /** Opens the checkout, or returns the open one. */
  start: {
    isAllowed: ({ offer, payment }) => offer === 'accepted' && payment === 'none',
    effect: { payment: 'pending' },
    elseAnswer({ offer, payment, card }) {
      if (offer !== 'accepted') return 'offer_not_accepted'
      return payment === 'pending' && card === 'unpaid' ? OK : 'offer_already_paid'
    },
  },
  charge: {
    isAllowed: ({ card }) => card === 'unpaid',
    effect: { card: 'paid' },
    elseAnswer: () => ALREADY_CHARGED,
  },
  /** Asks the provider whether the intent was paid. */
  hold: {
    isAllowed: ({ payment, card }) => payment === 'pending' && card === 'paid',
    effect: {
      payment: 'held_in_escrow',
      request: 'reserved',
      posted: ['hold'],
      notified: ['buyer payment_held', 'seller payment_held'],
    },
    elseAnswer: () => OK,
  },

  confirm: {
    isAllowed: ({ payment }) => payment === 'held_in_escrow',
    effect: { ...released, notified: ['seller delivery_confirmed', 'seller funds_released'] },
    elseAnswer: wrongState,
  },
  /** The sweep. An unshipped parcel is not paid for. */
  lapse: {
    isAllowed: (deal) => isHeld(deal) && (isUnshipped(deal) ? deal.late : deal.due),
    effect: (deal) =>
      isUnshipped(deal)
        ? cancelled('deal_expired')
        : { ...released, notified: ['buyer funds_released', 'seller funds_released'] },
    elseAnswer: () => SKIPPED,
  },
  /** Shipping again corrects the shipment. The buyer is notified once, since nothing changes. */
  ship: {
    isAllowed: (deal) => isHeld(deal) && deal.delivery !== 'in_person',
    effect: (deal) => ({
      shipped: true,
      cancelRequested: false,
      due: deal.shipped && deal.due,
      notified: deal.notified.includes('buyer parcel_shipped') ? [] : ['buyer parcel_shipped'],
    }),
    elseAnswer: ({ payment }) => (payment === 'pending' ? 'payment_not_paid' : 'not_shippable'),
  },
  handOver: {
    isAllowed: (deal) => isHeld(deal) && deal.delivery === 'in_person',
    effect: {
      ...released,
      notified: ['buyer handed_over', 'seller delivery_confirmed', 'seller funds_released'],
    },
    elseAnswer: wrongState,
  },
  cancelAsSeller: {
    isAllowed: (deal) => isHeld(deal) && !deal.shipped,
    effect: cancelled('deal_cancelled'),
    elseAnswer: notCancellable,
  },
  /** Asks the seller to cancel, unless the seller is late. */
  cancelAsBuyer: {
    isAllowed: (deal) => isHeld(deal) && !deal.shipped,
    effect: (deal) => {
      if (deal.late && isUnshipped(deal)) return cancelled('deal_cancelled')
      return { cancelRequested: true, notified: deal.cancelRequested ? [] : ['seller cancel_requested'] }
    },
    elseAnswer: notCancellable,
  },
  dispute: {
    isAllowed: ({ payment }) => payment === 'held_in_escrow',
    effect: { payment: 'disputed', timeline: ['filed'], notified: ['seller dispute_filed'] },
    elseAnswer: wrongState,
  },
  withdrawDispute: {
    isAllowed: inDispute,
    // The hold is extended to at least two more days, unless the parcel is on its way.
    effect: (deal) => ({
      payment: 'held_in_escrow',
      due: deal.delivery === 'shipping' && deal.shipped && deal.due,
      proposal: false,
      timeline: ['withdrawn'],
      notified: ['seller dispute_withdrawn'],
    }),
    elseAnswer: notInDispute,
  },
  settle: {
    isAllowed: (deal) => inDispute(deal) && deal.proposal,
    effect: {
      ...isOver,
      payment: 'resolved_partial',
      refundCents: PROPOSED_REFUND,
      owedCents: 8_439,
      timeline: ['settled'],
      notified: ['buyer dispute_settled', 'seller dispute_settled'],
    },
    elseAnswer: (deal) => (inDispute(deal) ? 'settlement_changed' : notInDispute(deal)),
  },
  ruleForBuyer: decide('refund_full', 'resolved_buyer', AMOUNT, null, 'open'),
  ruleForSeller: decide('release_seller', 'resolved_seller', 0, 11_262),
  ruleBetween: decide('split_difference', 'resolved_partial', 6_000, 5_616),
} as const satisfies Record<string, Step>

export type StepName = keyof typeof steps

/**
 * The actions and their steps. Other actions may come between two steps. If a race has several decisions of admins,
 * they differ.
 */
export const actions = {
  accept: [['accept']],
  reject: [['reject']],
  'withdraw the offer': [['withdrawOffer']],
  pay: [['start', 'charge']],
  webhook: [['hold']],
  confirm: [['confirm']],
  'confirm manually': [['hold', 'confirm']],
  dispute: [['dispute']],
  'auto-release': [['lapse']],
  settle: [['settle']],
  rule: [['ruleForBuyer'], ['ruleForSeller'], ['ruleBetween']],
  'withdraw the dispute': [['withdrawDispute']],
  ship: [['ship']],
  'hand over': [['handOver']],
  'cancel as the seller': [['cancelAsSeller']],
  'cancel as the buyer': [['cancelAsBuyer']],
} as const satisfies Record<string, readonly (readonly StepName[])[]>

export type ActionName = keyof typeof actions

/** The steps of the nth occurrence of an action in its race. */
export function stepsOf(action: ActionName, nth: number): readonly StepName[] {
  const variants: readonly (readonly StepName[])[] = actions[action]
  return variants[nth % variants.length] ?? []
}

const none: Omit<Deal, 'offer' | 'payment'> = {
  request: 'open',
  card: 'unpaid',
  due: false,
  late: false,
  delivery: 'arranged',
  shipped: false,
  cancelRequested: false,
  proposal: false,
  refundCents: null,
  owedCents: null,
  posted: [],
  timeline: [],
  notified: [],
}
const agreed = { ...none, offer: 'accepted' } as const
const held = {
  ...agreed,
  request: 'reserved',
  card: 'paid',
  payment: 'held_in_escrow',
  posted: ['hold'],
} as const
const disputed = { ...held, payment: 'disputed', timeline: ['filed'] } as const

/** The states in which races start. */
export const starts = {
  'an offer is pending': { ...none, offer: 'pending', payment: 'none' },
  agreed: { ...agreed, payment: 'none' },
  'the checkout is open': { ...agreed, payment: 'pending' },
  'charged, webhook pending': { ...agreed, payment: 'pending', card: 'paid' },
  held,
  'held and due': { ...held, due: true },
  disputed,
  'disputed, with a proposal': { ...disputed, proposal: true, timeline: ['filed', 'settlement_proposed'] },
  'held, to be shipped': { ...held, delivery: 'shipping' },
  'held, never shipped': { ...held, delivery: 'shipping', due: true, late: true },
  'held, shipped and due': { ...held, delivery: 'shipping', shipped: true, due: true },
  'held, to be handed over': { ...held, delivery: 'in_person' },
} as const satisfies Record<string, Deal>

export type StartName = keyof typeof starts

/** The deal after a step, and the answer. */
export function applyStep(name: StepName, deal: Deal): { deal: Deal; answer: string } {
  const step: Step = steps[name]
  if (step.isAllowed(deal)) {
    const effect = typeof step.effect === 'function' ? step.effect(deal) : step.effect
    return { deal: applyEffect(deal, effect), answer: OK }
  }
  const answer = step.elseAnswer(deal)
  // Opening the checkout of a paid intent holds the money, and is refused.
  const findsPayment = name === 'start' && answer === 'offer_already_paid' && steps.hold.isAllowed(deal)
  return { deal: findsPayment ? applyEffect(deal, steps.hold.effect) : deal, answer }
}

function applyEffect(
  deal: Deal,
  { posted = [], timeline = [], notified = [], ...changed }: Partial<Deal>,
): Deal {
  return {
    ...deal,
    ...changed,
    posted: [...deal.posted, ...posted],
    timeline: [...deal.timeline, ...timeline],
    notified: [...deal.notified, ...notified],
  }
}
