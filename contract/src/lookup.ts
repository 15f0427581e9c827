import { DELIVERY_METHODS } from '@sought/escrow/delivery'
import { DISPUTE_STATUSES } from '@sought/escrow/payment-status'
import { PAYOUT_STATUSES } from '@sought/escrow/payout-status'
import { CHARGEBACK_OUTCOMES } from '@sought/escrow/provider-facts'
import { ITEM_STATUSES } from '@sought/escrow/reservation'
import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf, STAFF_ROLES } from './call.ts'
import { CARRIERS } from './carriers.ts'
import { Currency } from './currency-code.ts'
import { Debt } from './debts.ts'
import { DisputeEvidence } from './disputes.ts'
import { FeeRates } from './fee-rates.ts'
import { Amount, Id, mustBeStorable, PathId, pageLimit, Timestamp, UserId } from './fields.ts'
import { GOODWILL_STATUSES } from './goodwill.ts'
import { Message } from './messages.ts'
import { ModerationAction, SHARED_DETAILS } from './moderation.ts'
import { PaymentStatus, Refundable, waitingState } from './payments.ts'
import { ReportKind } from './reports.ts'
import { AgreedItem } from './requests.ts'
import { PayoutAccount } from './sellers.ts'
import { TICKET_STATUSES } from './support.ts'

const call = callsOf({
  subjects: ['disputes', 'payouts', 'debts', 'refunds', 'goodwill', 'tickets', 'moderation'],
  fresh: 'on open',
})

/*
 * The team's view of people and deals. No reply contains bank details, passwords, phone numbers or postal
 * addresses. Every search and every view is recorded in the audit log.
 */

/** The maximum number of people, requests and deals that a search finds. */
export const LOOKUP_LIMIT = 20

const FoundPerson = z.object({
  ...PublicUser.shape,
  email: z.nullable(z.string()),
  createdAt: Timestamp,
  deletedAt: z.nullable(Timestamp),
})
export type FoundPerson = z.output<typeof FoundPerson>

const FoundRequest = z.object({
  id: Id,
  title: z.string(),
  status: z.enum(ITEM_STATUSES),
  owner: PublicUser,
  createdAt: Timestamp,
})
export type FoundRequest = z.output<typeof FoundRequest>

const FoundDeal = z.object({
  /** The id of the payment. */
  id: Id,
  transactionNumber: z.string(),
  itemTitle: z.string(),
  amount: Amount,
  currency: Currency,
  status: PaymentStatus,
  ...waitingState,
  buyer: PublicUser,
  seller: PublicUser,
  cardLast4: z.nullable(z.string()),
  createdAt: Timestamp,
})
export type FoundDeal = z.output<typeof FoundDeal>

export const lookUp = call({
  method: 'GET',
  path: '/api/admin/lookup',
  access: 'admin',
  summary:
    'Finds people, requests and deals by name, email, id, card, provider id, transaction or tracking number',
  query: z.object({
    q: z.string().check(
      mustBeStorable,
      z.trim(),
      z.refine((text) => text.length > 1 || /^[1-9]$/.test(text), 'Enter an id or at least 2 characters'),
      z.maxLength(200),
    ),
  }),
  reply: z.object({
    people: z.array(FoundPerson),
    requests: z.array(FoundRequest),
    deals: z.array(FoundDeal),
  }),
  refuses: ['provider_failed'],
})

/**
 * The kinds of entries in a person's timeline. `refId` is the id of the subject, and `detail` is a further keyword.
 */
export const PERSON_EVENTS = [
  'request_posted',
  'bought',
  'sold',
  'review_written',
  'ticket_opened',
  'case_opened',
  'decision',
  'goodwill',
  'recorded',
] as const

const PersonEvent = z.object({
  /** The time and key of the event. It is also the cursor of the next page. */
  id: z.string(),
  kind: z.enum(PERSON_EVENTS),
  at: Timestamp,
  refId: z.nullable(z.string()),
  detail: z.nullable(z.string()),
})
export type PersonEvent = z.output<typeof PersonEvent>

/** The id of the last event of a page. The pattern also matches dates that do not exist, such as 36 May. */
const EventCursor = z.string().check(
  z.regex(/^[2-9]\d{3}-[01]\d-[0-3]\dT[0-2]\d(:[0-5]\d){2}\.\d{3}Z\/[\w:]{1,100}$/),
  z.refine((cursor) => !Number.isNaN(Date.parse(cursor.split('/')[0] ?? '')), 'Must be the cursor of a page'),
)

const PersonTicket = z.object({
  id: Id,
  subject: z.string(),
  status: z.enum(TICKET_STATUSES),
  createdAt: Timestamp,
})

export const PersonDetails = z.object({
  ...FoundPerson.shape,
  location: z.nullable(z.string()),
  /** Null for users who are not members of the team. */
  role: z.nullable(z.enum(STAFF_ROLES)),
  restrictedUntil: z.nullable(Timestamp),
  suspendedUntil: z.nullable(Timestamp),
  profileHiddenAt: z.nullable(Timestamp),
  verification: z.object({
    email: z.boolean(),
    phone: z.boolean(),
    secondFactor: z.boolean(),
    /** How payouts reach the person: by transfer, by an admin, or not at all yet. */
    payouts: z.enum(['none', 'transfer', 'manual']),
    payoutsWaitUntil: z.nullable(Timestamp),
  }),
  /** Null if the person has never had a connected account. */
  payoutAccount: z.nullable(PayoutAccount),
  figures: z.object({
    requests: z.int(),
    offers: z.int(),
    bought: z.int(),
    sold: z.int(),
    disputes: z.int(),
    reviews: z.int(),
  }),
  /** The latest requests and deals. */
  requests: z.array(FoundRequest),
  /** The latest ones. `settledCents` was taken from payouts. */
  debts: z.array(Debt),
  deals: z.array(FoundDeal),
  tickets: z.array(PersonTicket),
  cases: z.array(
    z.object({
      id: Id,
      kind: ReportKind,
      status: z.enum(['open', 'decided']),
      reports: z.int(),
      createdAt: Timestamp,
    }),
  ),
  decisions: z.array(
    z.object({ id: Id, action: ModerationAction, reason: z.string(), createdAt: Timestamp }),
  ),
  relatedAccounts: z.array(z.object({ user: PublicUser, shares: z.array(z.enum(SHARED_DETAILS)) })),
  /** The first page. */
  timeline: z.array(PersonEvent),
})
export type PersonDetails = z.output<typeof PersonDetails>

const onPerson = { params: z.object({ id: UserId }) }

export const getPerson = call({
  ...onPerson,
  method: 'GET',
  path: '/api/admin/people/:id',
  access: 'admin',
  summary: 'Gets the account of a person, what they did and what happened to them; the view is recorded',
  reply: PersonDetails,
  refuses: ['person_not_found'],
})

export const listPersonEvents = call({
  ...onPerson,
  method: 'GET',
  path: '/api/admin/people/:id/timeline',
  access: 'admin',
  summary: 'Lists what a person did and what happened to them, newest first',
  query: z.object({
    limit: pageLimit(50, 100),
    cursor: z.optional(EventCursor),
  }),
  reply: z.array(PersonEvent),
  refuses: ['person_not_found'],
})

/** Actions that an admin can take on a deal now. */
export const DEAL_ACTIONS = [
  'rule',
  'send_bank_evidence',
  'dismiss_fraud_signals',
  'pay_seller',
  'send_payout_again',
  'handle_refund',
  'give_goodwill',
] as const
export type DealAction = (typeof DEAL_ACTIONS)[number]

const DealEvent = z.object({
  key: z.string(),
  /** Such as held, dispute_filed or payout_marked_paid. */
  kind: z.string(),
  at: Timestamp,
  /** The name of a person, or a system such as `provider`. Null if the kind already tells who acted. */
  actor: z.nullable(z.string()),
  detail: z.nullable(z.string()),
})
export type DealEvent = z.output<typeof DealEvent>

const Party = z.object({ ...PublicUser.shape, email: z.nullable(z.string()) })

export const DealDetails = z.object({
  ...FoundDeal.shape,
  buyer: Party,
  seller: Party,
  itemId: Id,
  /** As agreed. */
  wantedItem: AgreedItem,
  deskStatus: z.nullable(z.enum(DISPUTE_STATUSES)),
  bankDecides: z.boolean(),
  chargedAt: z.nullable(Timestamp),
  escrowHoldUntil: z.nullable(Timestamp),
  endedAt: z.nullable(Timestamp),
  /** The refund decided by a ruling, and when the buyer got it. */
  refund: z.nullable(z.object({ amount: Amount, refundedAt: z.nullable(Timestamp), failed: z.boolean() })),
  fees: FeeRates,
  delivery: z.object({
    method: z.enum(DELIVERY_METHODS),
    carrier: z.nullable(z.enum(CARRIERS)),
    trackingNumber: z.nullable(z.string()),
    shippedAt: z.nullable(Timestamp),
    deliveredAt: z.nullable(Timestamp),
  }),
  /** The latest hundred messages between the parties about the request. */
  messages: z.array(Message),
  evidence: z.array(DisputeEvidence),
  /** The receipt, and the seller's numbered statements with this deal. */
  documents: z.array(
    z.object({ kind: z.enum(['receipt', 'statement']), number: z.string(), issuedAt: Timestamp }),
  ),
  /** What the seller owes for this deal, or owed. */
  debts: z.array(Debt),
  ledger: z.array(
    z.object({
      id: z.int(),
      key: z.string(),
      account: z.string(),
      amount: z.int(),
      currency: z.string(),
      createdAt: Timestamp,
    }),
  ),
  provider: z.object({
    intentId: z.nullable(z.string()),
    payout: z.nullable(
      z.object({
        id: Id,
        amount: Amount,
        status: z.enum(PAYOUT_STATUSES),
        /** Why the seller's bank has returned it. Null if it did not. */
        bankFailure: z.nullable(z.string()),
        method: z.nullable(z.enum(['transfer', 'manual'])),
        transferId: z.nullable(z.string()),
        accountId: z.nullable(z.string()),
        paidAt: z.nullable(Timestamp),
      }),
    ),
    chargebacks: z.array(
      z.object({
        id: z.string(),
        amount: Amount,
        outcome: z.enum(CHARGEBACK_OUTCOMES),
        reason: z.string(),
        deadline: z.nullable(Timestamp),
      }),
    ),
    /** The provider's reports, such as refund_made, with the id of its object. */
    events: z.array(
      z.object({ name: z.string(), objectId: z.string(), amount: z.int(), createdAt: Timestamp }),
    ),
    transactions: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        amount: z.int(),
        fee: z.int(),
        currency: z.string(),
        createdAt: Timestamp,
      }),
    ),
  }),
  goodwill: z.array(
    z.object({
      id: Id,
      to: z.enum(['buyer', 'seller']),
      amount: Amount,
      reason: z.string(),
      status: z.enum(GOODWILL_STATUSES),
      paidAt: z.nullable(Timestamp),
      createdAt: Timestamp,
    }),
  ),
  tickets: z.array(PersonTicket),
  /** Newest first. */
  timeline: z.array(DealEvent),
  /** What the team can refund. Null before the release, for a party of the deal, and if nothing is left. */
  refundable: z.nullable(Refundable),
  actions: z.array(z.enum(DEAL_ACTIONS)),
})
export type DealDetails = z.output<typeof DealDetails>

export const getDeal = call({
  method: 'GET',
  path: '/api/admin/deals/:paymentId',
  access: 'admin',
  uncompressed: true,
  summary: 'Gets everything about a deal, with the messages of its parties; the view is recorded',
  params: z.object({ paymentId: PathId }),
  reply: DealDetails,
  refuses: ['payment_not_found'],
})
