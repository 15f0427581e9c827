import { PHOTOS_MAX } from '@sought/contract/constants'
import { DELIVERY_METHODS } from '@sought/escrow/delivery'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import {
  cents,
  checkShipWithin,
  createdAt,
  deliveryTerms,
  id,
  moment,
  quoteAll,
  updatedAt,
} from './columns.ts'
import { files } from './files.ts'
import { wantedItems } from './requests.ts'

export const messages = pgTable(
  'messages',
  {
    id: id(),
    wantedItemId: integer()
      .notNull()
      .references(() => wantedItems.id),
    senderId: text()
      .notNull()
      .references(() => users.id),
    receiverId: text()
      .notNull()
      .references(() => users.id),
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
  },
  (it) => [
    uniqueIndex('messages_client_unique').on(it.senderId, it.clientId),
    index('messages_thread').on(it.wantedItemId, it.senderId, it.receiverId, it.id),
    index('messages_sent').on(it.senderId, it.id),
    index('messages_received').on(it.receiverId, it.id),
    index('messages_unread').on(it.receiverId).where(sql`not ${it.isRead}`),
    check('messages_content', sql`btrim(${it.content}) <> '' or ${it.photoCount} > 0`),
    check('messages_two_people', sql`${it.senderId} <> ${it.receiverId}`),
    check('messages_read', sql`${it.isRead} = (${it.readAt} is not null)`),
  ],
)

export const offers = pgTable(
  'offers',
  {
    id: id(),
    wantedItemId: integer()
      .notNull()
      .references(() => wantedItems.id),
    buyerId: text()
      .notNull()
      .references(() => users.id),
    sellerId: text()
      .notNull()
      .references(() => users.id),
    amount: cents().notNull(),
    ...deliveryTerms(),
    message: text(),
    status: text({ enum: ['pending', 'accepted', 'rejected', 'withdrawn'] })
      .notNull()
      .default('pending'),
    /** The seller for an offer, the buyer for a counter-offer. */
    proposedBy: text({ enum: ['seller', 'buyer'] })
      .notNull()
      .default('seller'),
    counterOf: integer().references((): AnyPgColumn => offers.id),
    /** The offer that replaced this one. Null if a person withdrew it. */
    replacedBy: integer().references((): AnyPgColumn => offers.id),
    expiresAt: moment().notNull(),
    acceptedAt: moment(),
    rejectedAt: moment(),
    withdrawnAt: moment(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (it) => [
    // The targets of the foreign keys that make a payment match its offer.
    unique('offers_terms').on(it.id, it.wantedItemId, it.buyerId, it.sellerId, it.amount),
    unique('offers_delivery_terms').on(it.id, it.delivery),
    // One open offer of a seller on a request, and one open counter-offer to it.
    uniqueIndex('offers_one_open')
      .on(it.wantedItemId, it.sellerId, it.proposedBy)
      .where(sql`${it.status} = 'pending'`),
    index('offers_pair').on(it.wantedItemId, it.sellerId, it.id),
    index('offers_bought').on(it.buyerId, it.id),
    index('offers_sold').on(it.sellerId, it.id),
    check('offers_amount', sql`${it.amount} > 0`),
    check('offers_delivery', sql`${it.delivery} in (${quoteAll(DELIVERY_METHODS)})`),
    check('offers_ship_within', checkShipWithin(it)),
    check('offers_two_people', sql`${it.buyerId} <> ${it.sellerId}`),
    check('offers_status', sql`${it.status} in ('pending', 'accepted', 'rejected', 'withdrawn')`),
    check('offers_accepted', sql`(${it.status} = 'accepted') = (${it.acceptedAt} is not null)`),
    check('offers_withdrawn', sql`(${it.status} = 'withdrawn') = (${it.withdrawnAt} is not null)`),
    check('offers_proposed_by', sql`${it.proposedBy} in ('seller', 'buyer')`),
    check('offers_counter', sql`(${it.proposedBy} = 'buyer') = (${it.counterOf} is not null)`),
    check('offers_replaced', sql`${it.replacedBy} is null or ${it.status} = 'withdrawn'`),
    check('offers_rejected', sql`(${it.status} = 'rejected') = (${it.rejectedAt} is not null)`),
  ],
)

/**
 * Photos of messages and offers. A photo belongs to its owner until it is sent, once. Positions count from 0, so
 * the check on them limits the number of photos.
 */
export const photos = pgTable(
  'photos',
  {
    id: id(),
    ownerId: text()
      .notNull()
      .references(() => users.id),
    fileId: text()
      .notNull()
      .references(() => files.id),
    width: integer().notNull(),
    height: integer().notNull(),
    messageId: integer().references(() => messages.id),
    offerId: integer().references(() => offers.id),
    position: smallint(),
    createdAt: createdAt(),
  },
  (it) => [
    uniqueIndex('photos_file_unique').on(it.fileId),
    uniqueIndex('photos_message_unique').on(it.messageId, it.position),
    uniqueIndex('photos_offer_unique').on(it.offerId, it.position),
    index('photos_unsent').on(it.ownerId).where(sql`${it.position} is null`),
    check(
      'photos_sent_once',
      sql`num_nonnulls(${it.messageId}, ${it.offerId}) = case when ${it.position} is null then 0 else 1 end`,
    ),
    check('photos_position', sql`${it.position} between 0 and ${sql.raw(String(PHOTOS_MAX - 1))}`),
  ],
)
