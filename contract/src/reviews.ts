import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { PAGE_DATA_FRESH_MS } from './constants.ts'
import { Id, optionalText, PathId, pageLimit, Timestamp, text, UserId } from './fields.ts'

const call = callsOf({ subjects: ['reviews'] })

/** How long after the end of a deal reviews can be written. Then existing ones are published. */
export const REVIEW_DAYS = 14
export const REVIEW_TEXT_MAX_LENGTH = 2000
export const REVIEW_REPLY_MAX_LENGTH = 1000
export const REVIEW_TAGS_MAX = 3

/** Tags that buyers and sellers can give each other with one click. */
export const REVIEW_TAGS = [
  'friendly',
  'quick_replies',
  'as_described',
  'well_packed',
  'shipped_fast',
  'fair_price',
  'paid_promptly',
  'clear_request',
  'slow_replies',
  'not_as_described',
  'badly_packed',
  'shipped_late',
  'changed_terms',
] as const
export type ReviewTag = (typeof REVIEW_TAGS)[number]

/** The role of the reviewed person in the deal. */
export const ReviewedAs = z.enum(['buyer', 'seller'])
export type ReviewedAs = z.output<typeof ReviewedAs>

/** A published review. */
export const Review = z.object({
  id: Id,
  paymentId: Id,
  as: ReviewedAs,
  rating: z.int(),
  tags: z.array(z.enum(REVIEW_TAGS)),
  text: z.nullable(z.string()),
  itemTitle: z.string(),
  by: PublicUser,
  reply: z.nullable(z.object({ text: z.string(), createdAt: Timestamp })),
  createdAt: Timestamp,
  /** Set if its stars are not part of the average: the deal was small, or the two accounts belong together. */
  notCounted: z.optional(z.literal(true)),
})
export type Review = z.output<typeof Review>

export const ReviewTags = z._default(
  z.array(z.enum(REVIEW_TAGS)).check(
    z.maxLength(REVIEW_TAGS_MAX, `Choose at most ${REVIEW_TAGS_MAX}`),
    z.refine((tags) => new Set(tags).size === tags.length, 'Choose each only once'),
  ),
  [],
)

export const Rating = z.int().check(z.gte(1, 'Please select a star rating before submitting.'), z.lte(5))

export const NewReview = z.object({
  rating: Rating,
  tags: ReviewTags,
  text: z.optional(optionalText(REVIEW_TEXT_MAX_LENGTH)),
})

export const reviewPayment = call({
  method: 'POST',
  path: '/api/payments/:id/review',
  access: 'user',
  changes: ['payments', 'reviews'],
  summary:
    'Reviews the other person of a deal that has ended. Reviews are shown when both are written, or after 14 days',
  params: z.object({ id: PathId }),
  body: NewReview,
  reply: z.object({ id: Id, published: z.boolean() }),
  status: 201,
  refuses: ['payment_not_found', 'review_too_early', 'already_reviewed', 'review_closed'],
})

export const listReviews = call({
  method: 'GET',
  path: '/api/users/:id/reviews',
  access: 'public',
  fresh: PAGE_DATA_FRESH_MS,
  summary: 'Lists the published reviews of a user, as a buyer, as a seller or both, newest first',
  params: z.object({ id: UserId }),
  query: z.object({
    as: z.optional(ReviewedAs),
    limit: pageLimit(12, 100),
    /** The id of the last review on the previous page. */
    cursor: z.optional(PathId),
  }),
  reply: z.array(Review),
  refuses: ['person_not_found'],
})

export const ReviewReply = z.object({ text: text(REVIEW_REPLY_MAX_LENGTH) })

export const replyToReview = call({
  method: 'POST',
  path: '/api/reviews/:id/reply',
  access: 'user',
  summary: 'Replies in public to a published review of the signed-in user, once',
  params: z.object({ id: PathId }),
  body: ReviewReply,
  reply: Review,
  status: 201,
  refuses: ['review_not_found', 'already_replied'],
})
