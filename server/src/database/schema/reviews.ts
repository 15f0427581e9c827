import type { ReviewTag } from '@sought/contract/reviews'
import { sql } from 'drizzle-orm'
import { boolean, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from './columns.ts'

/** The reviews that the two people of a deal write about each other (ADR 78). */
export const reviews = pgTable('reviews', {
  id: id(),
  paymentId: integer().notNull(),
  authorId: text().notNull(),
  /** The reviewed person, and their role in the deal. */
  subjectId: text().notNull(),
  subjectRole: text({ enum: ['buyer', 'seller'] }).notNull(),
  rating: smallint().notNull(),
  tags: text().array().$type<ReviewTag[]>().notNull().default(sql`'{}'`),
  text: text(),
  /** Set once both reviews exist. A single review is published when the review period ends. */
  publishedAt: moment(),
  /** Whether its stars are part of the reviewed person's average. */
  isCounted: boolean().notNull().default(false),
  /** Why its stars are never part of it: a small deal, or two related accounts. */
  excluded: text({ enum: ['small_deal', 'related'] }),
  /** When to look again whether the two accounts are related. Null if never. */
  recheckAt: moment(),
  reply: text(),
  repliedAt: moment(),
  /** When moderators hid the review. */
  hiddenAt: moment(),
  createdAt: createdAt(),
})
