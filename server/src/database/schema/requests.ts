import { IMAGES_MAX } from '@sought/contract/constants'
import type { RequestFilters } from '@sought/contract/request-filters'
import { ALERT_TIMES } from '@sought/contract/saved-searches'
import { ITEM_STATUSES } from '@sought/escrow/reservation'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  point,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { budget, createdAt, id, moment, quoteAll, updatedAt, word } from './columns.ts'

/** The maximum number of attempts to fetch a picture from another site. */
export const PICTURE_ATTEMPTS_MAX = 5

/** A picture of a request. */
export interface StoredImage {
  /** The address that the owner entered: an upload, or a picture on another site. */
  url: string
  alt: string
  /** The address that is shown: the upload, or our copy once it is fetched (ADR 52). */
  pictureUrl: string | null
  width: number | null
  height: number | null
}

/** Whether a picture on another site was not copied yet. */
export const lacksPicture = sql.raw(`jsonb_path_exists(images, '$[*] ? (@.pictureUrl == null)')`)
/** The addresses of all shown pictures. */
export const pictureUrls = sql.raw(`jsonb_path_query_array(images, '$[*].pictureUrl')`)

export const wantedItems = pgTable(
  'wanted_items',
  {
    id: id(),
    title: text().notNull(),
    description: text().notNull(),
    category: text().notNull(),
    minBudget: budget().notNull().default(0),
    /** 0 means an open budget (ADR 49). */
    maxBudget: budget().notNull().default(0),
    location: text().notNull(),
    /** The longitude and latitude of the location, if the gazetteer knows it (ADR 61). */
    place: point({ mode: 'xy' }),
    /** Whether the location was looked up in the gazetteer. */
    isLocated: boolean().notNull().default(false),
    /** The country of the place, such as 'DE'. */
    country: text(),
    urgency: text({ enum: ['low', 'medium', 'high'] })
      .notNull()
      .default('medium'),
    /** The pictures in their order (ADR 65). */
    images: jsonb().$type<StoredImage[]>().notNull().default([]),
    /**
     * The first picture as the owner entered it. A trigger sets it, or sets the first of `images` if only this
     * column is written.
     */
    imageUrl: text(),
    /** The first picture as it is shown. */
    pictureUrl: text().generatedAlwaysAs(sql`images -> 0 ->> 'pictureUrl'`),
    /** The number of attempts to fetch pictures from other sites, and the time of the next one. */
    pictureAttempts: smallint().notNull().default(0),
    pictureTryAt: createdAt(),
    userId: text()
      .notNull()
      .references(() => users.id),
    /** Reserved while a payment for it is in escrow (ADR 49). */
    status: text({ enum: ITEM_STATUSES }).notNull().default('open'),
    /** The words for search. */
    words: text()
      .array()
      .notNull()
      .generatedAlwaysAs(sql`search_words_of(title, description, category, location, urgency)`),
    /**
     * Marks that filters look up like words (ADR 61): classes of its area, budgets and day, its category and so on.
     */
    marks: text()
      .array()
      .notNull()
      .generatedAlwaysAs(
        sql`request_marks(place, min_budget, max_budget, category, urgency, images, created_at)`,
      ),
    renewedAt: moment(),
    /** A number from the sequence of ids, so that a renewed request comes before all earlier ones. */
    renewedPosition: integer(),
    /** The order of the board (ADR 51). */
    position: integer().notNull().generatedAlwaysAs(sql`coalesce(renewed_position, id)`),
    /** Set by a trigger when a request is posted or renewed (ADR 65). */
    expiresAt: moment().notNull().default(sql`now() + interval '60 days'`),
    /** When the owner was asked to renew the request. Null again once it is renewed. */
    expiryNoticeAt: moment(),
    /** When moderators hid the request, and whether it was open before, since hiding closes it (ADR 79). */
    hiddenAt: moment(),
    wasOpen: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (it) => [
    uniqueIndex('wanted_items_position').on(it.position),
    index('wanted_items_open').on(it.position).where(sql`${it.status} = 'open'`),
    index('wanted_items_open_category').on(it.category, it.position).where(sql`${it.status} = 'open'`),
    index('wanted_items_open_urgency').on(it.urgency, it.position).where(sql`${it.status} = 'open'`),
    index('wanted_items_open_urgent_category')
      .on(it.category, it.position)
      .where(sql`${it.status} = 'open' and ${it.urgency} = 'high'`),
    index('wanted_items_open_expiry').on(it.expiresAt, it.position).where(sql`${it.status} = 'open'`),
    index('wanted_items_expiry_notice')
      .on(it.expiresAt)
      .where(sql`${it.status} = 'open' and ${it.expiryNoticeAt} is null`),
    index('wanted_items_open_budget').on(it.maxBudget, it.position).where(sql`${it.status} = 'open'`),
    index('wanted_items_not_located').on(it.id).where(sql`not ${it.isLocated}`),
    index('wanted_items_open_words')
      .using('gin', it.words, it.marks)
      .with({ fastupdate: 'off' })
      .where(sql`${it.status} = 'open'`),
    index('wanted_items_user').on(it.userId, it.id),
    index('wanted_items_title')
      .using('gin', sql`lower(${it.title}) gin_trgm_ops`)
      .concurrently()
      .with({ fastupdate: 'off' }),
    index('wanted_items_pictures').using('gin', sql`(${pictureUrls})`).where(sql`${it.images} <> '[]'`),
    index('wanted_items_picture_due')
      .on(it.pictureTryAt)
      .where(sql`${lacksPicture} and ${it.pictureAttempts} < ${sql.raw(String(PICTURE_ATTEMPTS_MAX))}`),
    check(
      'wanted_items_images',
      sql`jsonb_typeof(${it.images}) = 'array' and jsonb_array_length(${it.images}) <= ${sql.raw(String(IMAGES_MAX))}`,
    ),
    check(
      'wanted_items_image_copies',
      sql`not jsonb_path_exists(${it.images}, '$[*] ? (@.pictureUrl != null && !(@.pictureUrl starts with "/files/"))')`,
    ),
    check('wanted_items_text', sql`${it.title} <> '' and ${it.description} <> '' and ${it.location} <> ''`),
    check(
      'wanted_items_budget',
      sql`${it.minBudget} >= 0 and ${it.maxBudget} >= 0 and (${it.maxBudget} = 0 or ${it.minBudget} <= ${it.maxBudget})`,
    ),
    check(
      'wanted_items_place',
      sql`${it.place} is null or (${it.place}[0] between -180 and 180 and ${it.place}[1] between -90 and 90)`,
    ),
    check('wanted_items_renewed', sql`num_nulls(${it.renewedAt}, ${it.renewedPosition}) in (0, 2)`),
    check('wanted_items_urgency', sql`${it.urgency} in ('low', 'medium', 'high')`),
    check('wanted_items_status', sql`${it.status} in (${quoteAll(ITEM_STATUSES)})`),
    check('wanted_items_hidden', sql`${it.hiddenAt} is null or ${it.status} <> 'open'`),
  ],
)

/** The number of views of requests. In its own table, because each update of a request also compares its words. */
export const requestViews = pgTable(
  'request_views',
  {
    wantedItemId: integer()
      .primaryKey()
      .references(() => wantedItems.id, { onDelete: 'cascade' }),
    count: integer().notNull(),
  },
  (it) => [check('request_views_count', sql`${it.count} > 0`)],
)

/**
 * The open requests of each word and mark in every sort order, maintained by triggers on wanted_items (ADR 30, 61).
 * The other columns are those of the request.
 */
export const wantedItemWords = pgTable(
  'wanted_item_words',
  {
    word: word().notNull(),
    position: integer().notNull(),
    maxBudget: budget().notNull(),
    expiresAt: moment().notNull(),
  },
  (it) => [
    primaryKey({ columns: [it.word, it.position] }),
    index('wanted_item_words_budget').on(it.word, it.maxBudget, it.position),
    index('wanted_item_words_expiry').on(it.word, it.expiresAt, it.position),
  ],
)

/**
 * All words of requests, to find those that contain a searched part. Not unique, so that transactions which add the
 * same word do not wait for each other.
 */
export const searchWords = pgTable('search_words', { word: word().notNull() }, (it) => [
  index('search_words_word').on(it.word),
  index('search_words_part').using('gin', sql`${it.word} gin_trgm_ops`).with({ fastupdate: 'off' }),
])

/** Searches that alert their owner to new requests (ADR 64). */
export const savedSearches = pgTable(
  'saved_searches',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    filters: jsonb().$type<RequestFilters>().notNull(),
    alerts: text({ enum: ALERT_TIMES }).notNull(),
    /** The parts of words that a request must contain. */
    parts: text().array().notNull(),
    /** The parts of words that its location must contain. */
    locationParts: text().array().notNull(),
    /** The area that a request must be in. */
    area: jsonb().$type<{ latitude: number; longitude: number; radiusKm: number }>(),
    /** A new request with one of these words or marks may match. Contains only '' if every request may match. */
    keys: text().array().notNull(),
    /**
     * When the last digest was sent or alerts were switched on again. The next digest is due a day after this, or
     * after saving.
     */
    digestAt: moment(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (it) => [
    index('saved_searches_user').on(it.userId, it.id),
    index('saved_searches_keys')
      .using('gin', it.keys)
      .with({ fastupdate: 'off' })
      .where(sql`${it.alerts} <> 'off'`),
    check('saved_searches_name', sql`${it.name} <> ''`),
    check('saved_searches_alerts', sql`${it.alerts} in (${quoteAll(ALERT_TIMES)})`),
  ],
)

/**
 * The requests that people were alerted to, or will be in the next digest. Nobody is alerted to a request twice.
 */
export const searchAlerts = pgTable(
  'search_alerts',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    wantedItemId: integer()
      .notNull()
      .references(() => wantedItems.id, { onDelete: 'cascade' }),
    /** Null once the search is deleted. */
    savedSearchId: integer().references(() => savedSearches.id, { onDelete: 'set null' }),
    /**
     * When the digest with this request is due, set by a trigger. Null if it was sent, or if the alert was sent
     * immediately.
     */
    dueAt: moment(),
    /** When the request was sent in a digest. The notification has the same time. */
    digestAt: moment(),
    createdAt: createdAt(),
  },
  (it) => [
    primaryKey({ columns: [it.userId, it.wantedItemId] }),
    index('search_alerts_due').on(it.dueAt).where(sql`${it.dueAt} is not null`),
    index('search_alerts_saved_search').on(it.savedSearchId),
    index('search_alerts_wanted_item').on(it.wantedItemId),
    index('search_alerts_created').on(it.createdAt),
    check('search_alerts_sent_once', sql`num_nonnulls(${it.dueAt}, ${it.digestAt}) <= 1`),
  ],
)
