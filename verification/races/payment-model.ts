import type { PaymentStatus } from '@sought/escrow/payment-status'

/*
 * What excludes what, as one table: where each act may be done, what it leads to, what it leaves behind, and what
 * it is answered everywhere else. It follows from the moves of a payment (escrow/src/moves.ts) and from the rules
 * of offers, checkouts and disputes (ADR 5 to 10, 21); nothing in it was read off a run. All deals are of 120.00.
 */

export const AMOUNT = 12_000
export const PROPOSED_REFUND = 3_000

type OfferStatus = 'pending' | 'accepted' | 'rejected' | 'withdrawn'

/** A deal between two people, as far as these acts can tell. */
export interface Deal {
  offer: OfferStatus
  /** None before the checkout was opened. */
  payment: PaymentStatus | 'none'
  /** Whether the card was charged, as the provider knows it. */
  card: 'unpaid' | 'paid'
  /** Whether the hold has run out. */
  due: boolean
  proposal: boolean
  refundCents: number | null
  /** What the seller is to be paid. */
  owedCents: number | null
  /** The steps in the ledger, the lines of the timeline, and who was told what, each as often as it happened. */
  posted: readonly string[]
  timeline: readonly string[]
  told: readonly string[]
}

interface Step {
  may(deal: Deal): boolean
  /** What it changes. Ledger, timeline and news are added to what was there. */
  leads: Partial<Deal>
  /** The answer where it may not be done: a refusal, or that there was nothing to do and it is no refusal. */
  otherwise(deal: Deal): string
}

const inDispute = ({ payment }: Deal) => payment === 'disputed' || payment === 'under_review'
const isResolved = ({ payment }: Deal) => payment.startsWith('resolved')
const notInDispute = (deal: Deal) => (isResolved(deal) ? 'dispute_resolved' : 'dispute_not_found')
const isOver = { proposal: false, posted: ['ruling'] }

/** Done, or nothing to do: the same to whoever asked. */
export const OK = 'ok'
/** The sweep found nothing due here, or somebody else at it: it comes again. */
export const PASSED_OVER = 'passed over'
/** The provider does not charge a card twice. */
export const CHARGED_BEFORE = 'charged before'

/** An admin's word, and what follows from it. The seller's part bears 3 % and 2.9 % + 0.30. */
const ruled = (
  action: string,
  payment: PaymentStatus,
  refundCents: number,
  owedCents: number | null,
): Step => ({
  may: inDispute,
  leads: {
    ...isOver,
    payment,
    refundCents,
    owedCents,
    timeline: [action],
    told: ['buyer dispute_ruled', 'seller dispute_ruled'],
  },
  otherwise: notInDispute,
})

const wrongState = ({ payment }: Deal) => (payment === 'pending' ? 'payment_not_paid' : 'payment_wrong_state')

const steps = {
  accept: {
    may: ({ offer }) => offer === 'pending',
    leads: { offer: 'accepted', told: ['seller offer_accepted'] },
    otherwise: () => 'offer_not_pending',
  },
  reject: {
    may: ({ offer }) => offer === 'pending',
    leads: { offer: 'rejected', told: ['seller offer_rejected'] },
    otherwise: () => 'offer_not_pending',
  },
  withdrawOffer: {
    may: ({ offer }) => offer === 'pending',
    leads: { offer: 'withdrawn' },
    otherwise: () => 'offer_not_pending',
  },

  /** Opens the checkout, or finds it again. */
  start: {
    may: ({ offer, payment }) => offer === 'accepted' && payment === 'none',
    leads: { payment: 'pending' },
    otherwise({ offer, payment, card }) {
      if (offer !== 'accepted') return 'offer_not_accepted'
      return payment === 'pending' && card === 'unpaid' ? OK : 'offer_already_paid'
    },
  },
  charge: {
    may: ({ card }) => card === 'unpaid',
    leads: { card: 'paid' },
    otherwise: () => CHARGED_BEFORE,
  },
  /** Asks the provider, and believes it alone. */
  hold: {
    may: ({ payment, card }) => payment === 'pending' && card === 'paid',
    leads: {
      payment: 'held_in_escrow',
      posted: ['hold'],
      told: ['buyer payment_held', 'seller payment_held'],
    },
    otherwise: () => OK,
  },

  confirm: {
    may: ({ payment }) => payment === 'held_in_escrow',
    leads: {
      payment: 'completed',
      owedCents: 11_262,
      posted: ['release'],
      told: ['seller delivery_confirmed', 'seller funds_released'],
    },
    otherwise: wrongState,
  },
  lapse: {
    may: ({ payment, due }) => payment === 'held_in_escrow' && due,
    leads: {
      payment: 'completed',
      owedCents: 11_262,
      posted: ['release'],
      told: ['buyer funds_released', 'seller funds_released'],
    },
    otherwise: () => PASSED_OVER,
  },
  dispute: {
    may: ({ payment }) => payment === 'held_in_escrow',
    leads: { payment: 'disputed', timeline: ['filed'], told: ['seller dispute_filed'] },
    otherwise: wrongState,
  },
  withdrawDispute: {
    may: inDispute,
    // The hold runs on for two days at least: it is not due.
    leads: {
      payment: 'held_in_escrow',
      due: false,
      proposal: false,
      timeline: ['withdrawn'],
      told: ['seller dispute_withdrawn'],
    },
    otherwise: notInDispute,
  },
  settle: {
    may: (deal) => inDispute(deal) && deal.proposal,
    leads: {
      ...isOver,
      payment: 'resolved_partial',
      refundCents: PROPOSED_REFUND,
      owedCents: 8_439,
      timeline: ['settled'],
      told: ['buyer dispute_settled', 'seller dispute_settled'],
    },
    otherwise: (deal) => (inDispute(deal) ? 'settlement_changed' : notInDispute(deal)),
  },
  ruleForBuyer: ruled('refund_full', 'resolved_buyer', AMOUNT, null),
  ruleForSeller: ruled('release_seller', 'resolved_seller', 0, 11_262),
  ruleBetween: ruled('split_difference', 'resolved_partial', 6_000, 5_616),
} as const satisfies Record<string, Step>

export type StepName = keyof typeof steps

/**
 * The acts, and the steps that each is made of: between two of them others may act. Where the same act comes twice
 * or three times in a race, admins rule differently each time.
 */
export const acts = {
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
} as const satisfies Record<string, readonly (readonly StepName[])[]>

export type ActName = keyof typeof acts

/** What an act is made of when it comes for the n-th time in its race. */
export function stepsOf(act: ActName, nth: number): readonly StepName[] {
  const ways: readonly (readonly StepName[])[] = acts[act]
  return ways[nth % ways.length] ?? []
}

const none: Omit<Deal, 'offer' | 'payment'> = {
  card: 'unpaid',
  due: false,
  proposal: false,
  refundCents: null,
  owedCents: null,
  posted: [],
  timeline: [],
  told: [],
}
const agreed = { ...none, offer: 'accepted' } as const
const held = { ...agreed, card: 'paid', payment: 'held_in_escrow', posted: ['hold'] } as const
const disputed = { ...held, payment: 'disputed' } as const

/** Where a race begins. */
export const scenes = {
  'an offer is pending': { ...none, offer: 'pending', payment: 'none' },
  agreed: { ...agreed, payment: 'none' },
  'the checkout is open': { ...agreed, payment: 'pending' },
  'charged, and not heard of': { ...agreed, payment: 'pending', card: 'paid' },
  held,
  'held and due': { ...held, due: true },
  disputed,
  'disputed, with a proposal': { ...disputed, proposal: true },
} as const satisfies Record<string, Deal>

export type SceneName = keyof typeof scenes

/** What a step does in a deal: the deal after it, and its answer. */
export function take(name: StepName, deal: Deal): { deal: Deal; answer: string } {
  const step: Step = steps[name]
  if (step.may(deal)) return { deal: after(deal, step.leads), answer: OK }
  const answer = step.otherwise(deal)
  // Whoever opens the checkout of what was paid is told so, and the money is held on that occasion.
  const isLateNews = name === 'start' && answer === 'offer_already_paid' && steps.hold.may(deal)
  return { deal: isLateNews ? after(deal, steps.hold.leads) : deal, answer }
}

function after(deal: Deal, { posted = [], timeline = [], told = [], ...changed }: Partial<Deal>): Deal {
  return {
    ...deal,
    ...changed,
    posted: [...deal.posted, ...posted],
    timeline: [...deal.timeline, ...timeline],
    told: [...deal.told, ...told],
  }
}
