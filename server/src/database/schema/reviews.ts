import { REVIEW_TAGS_MAX, type ReviewTag } from '@sought/contract/reviews'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { createdAt, id, moment } from './columns.ts'
import { payments } from './payments.ts'

/** The reviews that the two people of a deal write about each other (ADR 78). */
export const reviews = pgTable(
  'reviews',
  {
    id: id(),
    paymentId: integer()
      .notNull()
      .references(() => payments.id),
    authorId: text()
      .notNull()
      .references(() => users.id),
    /** The reviewed person, and their role in the deal. */
    subjectId: text()
      .notNull()
      .references(() => users.id),
    subjectRole: text({ enum: ['buyer', 'seller'] }).notNull(),
    rating: smallint().notNull(),
    tags: text().array().$type<ReviewTag[]>().notNull().default(sql`'{}'`),
    text: text(),
    /** Set once both reviews exist. A single review is published when the review period ends. */
    publishedAt: moment(),
    /** Whether its stars are part of the reviewed person's average. */
    isCounted: boolean().notNull().default(false),
    reply: text(),
    repliedAt: moment(),
    /** When moderators hid the review. */
    hiddenAt: moment(),
    createdAt: createdAt(),
  },
  (it) => [
    uniqueIndex('reviews_once').on(it.paymentId, it.authorId),
    index('reviews_received').on(it.subjectId, it.id),
    index('reviews_written').on(it.authorId, it.id),
    index('reviews_uncounted').on(it.subjectId).where(sql`not ${it.isCounted}`),
    index('reviews_unpublished').on(it.paymentId).where(sql`${it.publishedAt} is null`),
    check('reviews_rating', sql`${it.rating} between 1 and 5`),
    check('reviews_subject_role', sql`${it.subjectRole} in ('buyer', 'seller')`),
    check('reviews_two_people', sql`${it.authorId} <> ${it.subjectId}`),
    check('reviews_tags', sql`cardinality(${it.tags}) <= ${sql.raw(String(REVIEW_TAGS_MAX))}`),
    check('reviews_reply', sql`num_nulls(${it.reply}, ${it.repliedAt}) in (0, 2)`),
  ],
)
