import { sql } from 'drizzle-orm'
import { boolean, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { amount, createdAt, currency, deliveryTerms, id, moment, updatedAt } from './columns.ts'

export const messages = pgTable('messages', {
  id: id(),
  wantedItemId: integer().notNull(),
  senderId: text().notNull(),
  receiverId: text().notNull(),
  content: text().notNull(),
  isRead: boolean().notNull().default(false),
  readAt: moment(),
  /** The client's idempotency key for this message. */
  clientId: text(),
  photoCount: smallint().notNull().default(0),
  /** The scam rules that the message matches (ADR 80). The recipient is warned. */
  warnings: text().array().notNull().default(sql`'{}'`),
  /** When moderators hid the text and photos. */
  hiddenAt: moment(),
  createdAt: createdAt(),
})

export const offers = pgTable('offers', {
  id: id(),
  wantedItemId: integer().notNull(),
  /** The version of the request that the offer answers. A trigger sets it to the current one. */
  requestVersion: integer().notNull().default(1),
  buyerId: text().notNull(),
  sellerId: text().notNull(),
  amount: amount().notNull(),
  /** The request's, which cannot change any more. */
  currency: currency(),
  ...deliveryTerms(),
  message: text(),
  status: text({ enum: ['pending', 'accepted', 'rejected', 'withdrawn'] })
    .notNull()
    .default('pending'),
  /** The seller for an offer, the buyer for a counter-offer. */
  proposedBy: text({ enum: ['seller', 'buyer'] })
    .notNull()
    .default('seller'),
  counterOf: integer(),
  /** The offer that replaced this one. Null if a person withdrew it. */
  replacedBy: integer(),
  expiresAt: moment().notNull(),
  acceptedAt: moment(),
  rejectedAt: moment(),
  withdrawnAt: moment(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

/**
 * Photos of messages and offers. A photo belongs to its owner until it is sent, once. Positions count from 0, so
 * the check on them limits the number of photos.
 */
export const photos = pgTable('photos', {
  id: id(),
  ownerId: text().notNull(),
  fileId: text().notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  messageId: integer(),
  offerId: integer(),
  position: smallint(),
  createdAt: createdAt(),
})
