import * as z from 'zod/mini'
import { PublicUser, Selling } from './accounts.ts'
import { callsOf } from './call.ts'
import { PAGE_DATA_FRESH_MS } from './constants.ts'
import { PathId, pageLimit, Timestamp, UserId } from './fields.ts'
import { WantedItem } from './requests.ts'

const call = callsOf({ subjects: ['reviews'] })

/** Verified facts about a user, which do not depend on deals. */
export const BADGES = ['email', 'phone', 'payouts', 'second_factor'] as const
export type Badge = (typeof BADGES)[number]

/** The average of the stars that a user received in one role. 0 if there are none. */
const RatingInRole = z.object({ rating: z.number(), count: z.int() })

/** The public profile page. It has no field for private data. */
export const PublicProfile = z.object({
  ...PublicUser.shape,
  ratingCount: z.int(),
  /** Deals that ended because the seller cancelled or did not ship in time. */
  cancelledDeals: z.int(),
  asBuyer: RatingInRole,
  asSeller: RatingInRole,
  /** Deals in either role. Lost deals are disputes decided against the user. */
  deals: z.object({ completed: z.int(), cancelled: z.int(), lost: z.int() }),
  /** The median time to the first answer. Null if there were too few conversations. */
  responseMinutes: z.nullable(z.int()),
  badges: z.array(z.enum(BADGES)),
  bio: z.nullable(z.string()),
  selling: Selling,
  memberSince: Timestamp,
})

export type PublicProfile = z.output<typeof PublicProfile>

const onPerson = { params: z.object({ id: UserId }) }
const paged = { query: z.object({ limit: pageLimit(12, 100), cursor: z.optional(PathId) }) }

export const getPublicProfile = call({
  ...onPerson,
  method: 'GET',
  path: '/api/users/:id',
  access: 'public',
  fresh: PAGE_DATA_FRESH_MS,
  summary: 'Gets the public profile of a user',
  reply: PublicProfile,
  refuses: ['person_not_found'],
})

/** A buyer's published review of a seller. */
export const Feedback = z.object({
  paymentId: z.int(),
  rating: z.int(),
  feedback: z.nullable(z.string()),
  itemTitle: z.string(),
  by: PublicUser,
  createdAt: Timestamp,
})

export const listFeedback = call({
  ...onPerson,
  ...paged,
  method: 'GET',
  path: '/api/users/:id/feedback',
  access: 'public',
  summary: 'Lists the feedback that a user received, newest first',
  reply: z.array(Feedback),
  refuses: ['person_not_found'],
})

export const listUserWantedItems = call({
  ...onPerson,
  ...paged,
  method: 'GET',
  path: '/api/users/:id/wanted-items',
  access: 'public',
  about: ['requests'],
  fresh: PAGE_DATA_FRESH_MS,
  summary: 'Lists the open requests of a user, newest first',
  reply: z.array(WantedItem),
  refuses: ['person_not_found'],
})
