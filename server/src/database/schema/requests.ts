import type { RequestFilters } from '@sought/contract/request-filters'
import { ALERT_TIMES } from '@sought/contract/saved-searches'
import { ITEM_STATUSES } from '@sought/escrow/reservation'
import { sql } from 'drizzle-orm'
import { boolean, integer, jsonb, pgTable, pgView, point, smallint, text } from 'drizzle-orm/pg-core'
import { budget, createdAt, currency, id, moment, updatedAt, word } from './columns.ts'

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

export const wantedItems = pgTable('wanted_items', {
  id: id(),
  title: text().notNull(),
  description: text().notNull(),
  category: text().notNull(),
  minBudget: budget().notNull().default(0),
  /** 0 means an open budget (ADR 49). */
  maxBudget: budget().notNull().default(0),
  /** Cannot change once an offer was made, because offers refer to it. */
  currency: currency().default(sql`market_currency()`),
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
  userId: text().notNull(),
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
  /** The current version, counted by a trigger (ADR 93). */
  version: integer().notNull().default(1),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

const versionColumns = {
  wantedItemId: integer().notNull(),
  version: integer().notNull(),
  title: text().notNull(),
  description: text().notNull(),
  category: text().notNull(),
  minBudget: budget().notNull(),
  maxBudget: budget().notNull(),
  currency: currency(),
  images: jsonb().$type<StoredImage[]>().notNull(),
}

/** What a request said at each time. Triggers write the versions and refuse to change them (ADR 93). */
export const requestVersions = pgTable('request_versions', {
  ...versionColumns,
  createdAt: moment().notNull(),
})

/** The request as an offer answers it, without hidden pictures. From the acceptance on, the deal is about this. */
export const offerRequests = pgView('offer_requests', {
  offerId: integer().notNull(),
  ...versionColumns,
}).existing()

/** What offers and deals show of the request. All read it from here, so that none shows what it says now. */
export const offerRequestColumns = {
  wantedItemId: offerRequests.wantedItemId,
  version: offerRequests.version,
  title: offerRequests.title,
  description: offerRequests.description,
  category: offerRequests.category,
  minBudget: offerRequests.minBudget,
  maxBudget: offerRequests.maxBudget,
  currency: offerRequests.currency,
  images: offerRequests.images,
}

/** The number of views of requests. In its own table, because each update of a request also compares its words. */
export const requestViews = pgTable('request_views', {
  wantedItemId: integer().primaryKey(),
  count: integer().notNull(),
})

/**
 * The open requests of each word and mark in every sort order, maintained by triggers on wanted_items (ADR 30, 61).
 * The other columns are those of the request.
 */
export const wantedItemWords = pgTable('wanted_item_words', {
  word: word().notNull(),
  position: integer().notNull(),
  maxBudget: budget().notNull(),
  expiresAt: moment().notNull(),
})

/**
 * All words of requests, to find those that contain a searched part. Not unique, so that transactions which add the
 * same word do not wait for each other.
 */
export const searchWords = pgTable('search_words', { word: word().notNull() })

/** Searches that alert their owner to new requests (ADR 64). */
export const savedSearches = pgTable('saved_searches', {
  id: id(),
  userId: text().notNull(),
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
})

/**
 * The requests that people were alerted to, or will be in the next digest. Nobody is alerted to a request twice.
 */
export const searchAlerts = pgTable('search_alerts', {
  userId: text().notNull(),
  wantedItemId: integer().notNull(),
  /** Null once the search is deleted. */
  savedSearchId: integer(),
  /**
   * When the digest with this request is due, set by a trigger. Null if it was sent, or if the alert was sent
   * immediately.
   */
  dueAt: moment(),
  /** When the request was sent in a digest. The notification has the same time. */
  digestAt: moment(),
  createdAt: createdAt(),
})
