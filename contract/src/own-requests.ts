import { PAYMENT_STATUSES } from '@sought/escrow/payment-status'
import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { Amount, Id, pageLimit, Rank, RankCursor, Timestamp } from './fields.ts'
import { WantedItem } from './requests.ts'

const call = callsOf({ subjects: ['requests', 'offers', 'messages', 'payments'], fresh: 'on open' })

/** The owner's next step for a request. The first four steps are up to the owner. */
export const REQUEST_STEPS = [
  'pay',
  'confirm_delivery',
  'answer_offers',
  'read_messages',
  'view_dispute',
  'rate',
  'renew',
  'repost',
  'none',
] as const

/** The accepted offer of a request, and its payment once the buyer has started one. */
const Deal = z.object({
  offerId: Id,
  amount: Amount,
  seller: PublicUser,
  paymentId: z.nullable(Id),
  paymentStatus: z.nullable(z.enum(PAYMENT_STATUSES)),
  /** Whether the card step was submitted. */
  isSubmitted: z.boolean(),
  /** Null unless the payment waits for its money. */
  waitingUntil: z.nullable(Timestamp),
})

export const OwnRequest = z.extend(WantedItem, {
  rank: Rank,
  isWaiting: z.boolean(),
  /** Whether moderators hide it from everyone else. Then it cannot be changed. */
  isHidden: z.boolean(),
  nextStep: z.enum(REQUEST_STEPS),
  /** Offers that can still be accepted. */
  offerCount: z.int(),
  unreadCount: z.int(),
  /** The number of views by others. Each visitor counts once a day. */
  views: z.int(),
  /** The number of people who sent the owner a message or an offer. */
  contacts: z.int(),
  /** When renewing an open request will next move it to the top of the board. */
  renewableAt: Timestamp,
  deal: z.nullable(Deal),
})
export type OwnRequest = z.output<typeof OwnRequest>

export const listOwnRequests = call({
  method: 'GET',
  path: '/api/user/requests',
  access: 'user',
  summary:
    'Lists the requests of the signed-in user with their next step, first those that need it from the user',
  query: z.object({ limit: pageLimit(20, 100), cursor: z.optional(RankCursor) }),
  uncompressed: true,
  reply: z.array(OwnRequest),
})
