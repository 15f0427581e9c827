import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { call } from './call.ts'
import { Cents, Id, optionalText, PathId, pageLimit, Timestamp, UserId } from './fields.ts'
import { Photo, PhotoIds } from './photos.ts'

export const Offer = z.object({
  id: Id,
  wantedItemId: Id,
  buyerId: UserId,
  sellerId: UserId,
  amount: Cents,
  message: z.nullable(z.string()),
  photos: z.array(Photo),
  status: z.enum(['pending', 'accepted', 'rejected', 'withdrawn']),
  /** The seller for an offer, the buyer for a counter-offer. */
  proposedBy: z.enum(['seller', 'buyer']),
  /** The offer that this counter-offer replies to. */
  counterOf: z.nullable(Id),
  /** The offer that took the place of this withdrawn one. Null if a person withdrew it. */
  replacedBy: z.nullable(Id),
  expiresAt: Timestamp,
  acceptedAt: z.nullable(Timestamp),
  rejectedAt: z.nullable(Timestamp),
  withdrawnAt: z.nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  buyer: PublicUser,
  seller: PublicUser,
})
export type Offer = z.output<typeof Offer>

export const listOffers = call({
  method: 'GET',
  path: '/api/offers',
  access: 'user',
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

export const makeOffer = call({
  method: 'POST',
  path: '/api/offers',
  access: 'user',
  summary: 'Makes an offer for a request',
  body: z.object({
    wantedItemId: Id,
    receiverId: UserId,
    amount: Cents,
    message: z.optional(optionalText(1000)),
    photoIds: PhotoIds,
  }),
  reply: Offer,
  status: 201,
  refuses: [
    'item_not_found',
    'item_not_open',
    'item_reserved',
    'own_item',
    'offer_out_of_range',
    'conversation_not_allowed',
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
    'item_reserved',
    'offer_out_of_range',
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

export const counterOffer = call({
  method: 'POST',
  path: '/api/offers/:id/counter',
  access: 'user',
  summary: 'Replies to a pending offer with another amount, as the buyer',
  params: z.object({ id: PathId }),
  body: z.object({ amount: Cents, message: z.optional(optionalText(1000)), photoIds: PhotoIds }),
  reply: Offer,
  status: 201,
  refuses: [
    'offer_not_found',
    'not_your_offer',
    'offer_not_pending',
    'offer_expired',
    'item_not_open',
    'item_reserved',
    'offer_out_of_range',
    'same_amount',
    'photo_not_available',
    'too_many',
  ],
})
