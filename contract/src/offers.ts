import {
  DELIVERY_METHODS,
  SHIP_WITHIN_DAYS_DEFAULT,
  SHIP_WITHIN_DAYS_MAX,
  SHIP_WITHIN_DAYS_MIN,
} from '@sought/escrow/delivery'
import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { MESSAGES_STALE_MS } from './constants.ts'
import { Currency } from './currency-code.ts'
import { FeeRates } from './fee-rates.ts'
import { Amount, Id, optionalText, PathId, pageLimit, Rank, RankCursor, Timestamp, UserId } from './fields.ts'
import { Photo, PhotoIds } from './photos.ts'
import { ItemSummary, RequestVersion } from './requests.ts'

const call = callsOf({ subjects: ['offers'] })

/** The delivery method. `shipWithinDays` is null unless the item is shipped. */
export const deliveryTerms = {
  delivery: z.enum(DELIVERY_METHODS),
  shipWithinDays: z.nullable(z.int()),
}

export const Offer = z.object({
  id: Id,
  wantedItemId: Id,
  /** The request as the offer answers it. */
  request: RequestVersion,
  /** The current version of the request. If it is another one, the request has changed since. */
  currentVersion: Id,
  buyerId: UserId,
  sellerId: UserId,
  amount: Amount,
  /** The request's. */
  currency: Currency,
  message: z.nullable(z.string()),
  photos: z.array(Photo),
  ...deliveryTerms,
  status: z.enum(['pending', 'accepted', 'rejected', 'withdrawn']),
  /** The seller for an offer, the buyer for a counter-offer. */
  proposedBy: z.enum(['seller', 'buyer']),
  /** The offer that this counter-offer replies to. */
  counterOf: z.nullable(Id),
  /** The offer that replaced this withdrawn one. Null if a person withdrew it. */
  replacedBy: z.nullable(Id),
  expiresAt: Timestamp,
  acceptedAt: z.nullable(Timestamp),
  rejectedAt: z.nullable(Timestamp),
  withdrawnAt: z.nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** The fees that apply to the deal, fixed at its acceptance. Null until then. */
  fees: z.nullable(FeeRates),
  buyer: PublicUser,
  seller: PublicUser,
  /** Set if the seller cannot be paid at the moment. A payment then stays with us after the escrow. */
  sellerPayoutsStopped: z.optional(z.literal(true)),
})
export type Offer = z.output<typeof Offer>

export const listOffers = call({
  method: 'GET',
  path: '/api/offers',
  access: 'user',
  fresh: MESSAGES_STALE_MS,
  summary: 'Lists offers made and received, newest first, all or of one conversation',
  query: z.object({
    wantedItemId: z.optional(PathId),
    /** Only offers with this user. */
    userId: z.optional(UserId),
    limit: pageLimit(100, 100),
    cursor: z.optional(PathId),
  }),
  uncompressed: true,
  reply: z.array(Offer),
})

/** An offer with the details that the buyer compares. */
export const ReceivedOffer = z.extend(Offer, {
  seller: z.extend(PublicUser, { ratingCount: z.int(), completedDeals: z.int() }),
  /** The amount of the buyer's open counter-offer. */
  counterAmount: z.nullable(Amount),
})
export type ReceivedOffer = z.output<typeof ReceivedOffer>

export const listReceivedOffers = call({
  method: 'GET',
  path: '/api/wanted-items/:id/offers',
  access: 'user',
  fresh: 'on open',
  summary: 'Lists the open and accepted offers on a request, lowest first, for its owner',
  params: z.object({ id: PathId }),
  query: z.object({ limit: pageLimit(100, 100) }),
  uncompressed: true,
  reply: z.array(ReceivedOffer),
  refuses: ['item_not_found', 'not_your_item'],
})

/** The states of an offer for its seller. */
export const OWN_OFFER_STATES = [
  'pending',
  'countered',
  'awaiting_payment',
  'payment_processing',
  'paid',
  'disputed',
  'completed',
  'settled',
  'refunded',
  'replaced',
  'rejected',
  'withdrawn',
  'expired',
  'request_closed',
] as const

/** The seller's next step. The first three steps are up to the seller. */
export const OFFER_STEPS = [
  'ship',
  'answer_counter',
  'read_messages',
  'view_dispute',
  'offer_again',
  'none',
] as const

export const OwnOffer = z.extend(Offer, {
  wantedItem: ItemSummary,
  rank: Rank,
  isWaiting: z.boolean(),
  state: z.enum(OWN_OFFER_STATES),
  nextStep: z.enum(OFFER_STEPS),
  paymentId: z.nullable(Id),
  /** Null unless the payment waits for its money. */
  waitingUntil: z.nullable(Timestamp),
  unreadCount: z.int(),
})
export type OwnOffer = z.output<typeof OwnOffer>

export const listOwnOffers = call({
  method: 'GET',
  path: '/api/user/offers',
  access: 'user',
  about: ['requests', 'offers', 'messages', 'payments'],
  fresh: 'on open',
  summary: 'Lists the offers of the signed-in user as a seller, first those that need the user’s next step',
  query: z.object({ limit: pageLimit(20, 100), cursor: z.optional(RankCursor) }),
  uncompressed: true,
  reply: z.array(OwnOffer),
})

export const NewOffer = z
  .object({
    wantedItemId: Id,
    receiverId: UserId,
    amount: Amount,
    /** The version of the request that the seller saw. */
    requestVersion: z.optional(Id),
    message: z.optional(optionalText(1000)),
    photoIds: PhotoIds,
    delivery: z._default(z.enum(DELIVERY_METHODS), 'arranged'),
    /** Only with `shipping`. Default: 3. */
    shipWithinDays: z.optional(z.int().check(z.gte(SHIP_WITHIN_DAYS_MIN), z.lte(SHIP_WITHIN_DAYS_MAX))),
  })
  .check(
    z.refine(({ delivery, shipWithinDays }) => delivery === 'shipping' || shipWithinDays === undefined, {
      path: ['shipWithinDays'],
      message: 'Only an item that is shipped has this',
    }),
  )

/** The number of days to ship. Null unless the item is shipped. */
export const shipWithinDaysOf = ({ delivery, shipWithinDays }: z.output<typeof NewOffer>) =>
  delivery === 'shipping' ? (shipWithinDays ?? SHIP_WITHIN_DAYS_DEFAULT) : null

export const makeOffer = call({
  method: 'POST',
  path: '/api/offers',
  access: 'user',
  summary: 'Makes an offer for a request',
  body: NewOffer,
  reply: Offer,
  status: 201,
  refuses: [
    'policy_not_accepted',
    'verify_email_first',
    'cancellation_limit',
    'item_not_found',
    'item_not_open',
    'item_expired',
    'item_reserved',
    'own_item',
    'request_changed',
    'offer_out_of_range',
    'currency_not_available',
    'conversation_not_allowed',
    'blocked',
    'restricted',
    'photo_not_available',
    'too_many',
  ],
})

export const acceptOffer = call({
  method: 'PATCH',
  path: '/api/offers/:id/accept',
  access: 'user',
  summary: 'Accepts an offer as the buyer, or a counter-offer as the seller',
  params: z.object({ id: PathId }),
  reply: Offer,
  refuses: [
    'offer_not_found',
    'not_your_offer',
    'offer_not_pending',
    'offer_expired',
    'item_not_open',
    'item_expired',
    'item_reserved',
    'offer_out_of_range',
    'verify_email_first',
    'blocked',
  ],
})

export const rejectOffer = call({
  method: 'PATCH',
  path: '/api/offers/:id/reject',
  access: 'user',
  summary: 'Rejects an offer as the buyer, or a counter-offer as the seller',
  params: z.object({ id: PathId }),
  reply: Offer,
  refuses: ['offer_not_found', 'not_your_offer', 'offer_not_pending'],
})

export const withdrawOffer = call({
  method: 'PATCH',
  path: '/api/offers/:id/withdraw',
  access: 'user',
  summary: 'Withdraws a pending offer that the user made',
  params: z.object({ id: PathId }),
  reply: Offer,
  refuses: ['offer_not_found', 'not_your_offer', 'offer_not_pending'],
})

export const keepOffer = call({
  method: 'PATCH',
  path: '/api/offers/:id/keep',
  access: 'user',
  summary: 'Confirms a pending offer on the current version of its request, as the seller who made it',
  params: z.object({ id: PathId }),
  /** The version that the seller saw. */
  body: z.object({ requestVersion: Id }),
  reply: Offer,
  refuses: [
    'offer_not_found',
    'not_your_offer',
    'offer_not_pending',
    'offer_expired',
    'item_not_open',
    'item_expired',
    'item_reserved',
    'request_changed',
    'offer_out_of_range',
    'blocked',
  ],
})

export const counterOffer = call({
  method: 'POST',
  path: '/api/offers/:id/counter',
  access: 'user',
  summary: 'Replies to a pending offer with another amount, as the buyer',
  params: z.object({ id: PathId }),
  body: z.object({ amount: Amount, message: z.optional(optionalText(1000)), photoIds: PhotoIds }),
  reply: Offer,
  status: 201,
  refuses: [
    'offer_not_found',
    'not_your_offer',
    'offer_not_pending',
    'offer_expired',
    'item_not_open',
    'item_expired',
    'item_reserved',
    'offer_out_of_range',
    'same_amount',
    'verify_email_first',
    'blocked',
    'photo_not_available',
    'too_many',
  ],
})
