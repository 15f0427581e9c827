import type { Currency } from '@sought/contract/currencies'
import type { ListCursor, Point, Sort, Urgency } from '@sought/contract/request-filters'
import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  isNotNull,
  isNull,
  lte,
  ne,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { wantedItems } from '../../../../database/schema.ts'

export interface Area extends Point {
  radiusKm: number
}

/** The filters of a list of open requests, with `near` as an area. */
export interface ItemFilter {
  search?: string | undefined
  category?: string | undefined
  urgency?: Urgency | undefined
  /** Undefined if all open requests have the same. */
  currency?: Currency | undefined
  minBudget?: number | undefined
  maxBudget?: number | undefined
  location?: string | undefined
  area?: Area | undefined
  since?: string | undefined
  hasImage?: boolean | undefined
  /** Excludes the requests of this user. */
  notOf?: string | undefined
  sort?: Sort | undefined
  /** Where the previous page ended. */
  after?: ListCursor | undefined
  /** The last request of the list that can match, if known. */
  upTo?: ListCursor | undefined
  /** Whether the order does not matter, for example for a count. */
  inAnyOrder?: boolean | undefined
  limit: number
  now: Date
}

/** A literal instead of a parameter, so that the planner can use the partial indexes on open requests. */
export const isOpen = sql`${wantedItems.status} = 'open'`

export const isUnexpired = (now: Date) => gt(wantedItems.expiresAt, now)

/** All conditions except the searched words. */
export function conditions(filter: ItemFilter): SQL[] {
  const { category, urgency, currency, hasImage, minBudget, maxBudget, area, since, notOf, now } = filter
  return [
    isOpen,
    isUnexpired(now),
    ...(category ? [eq(wantedItems.category, category)] : []),
    ...(urgency ? [eq(wantedItems.urgency, urgency)] : []),
    ...(currency ? [eq(wantedItems.currency, currency)] : []),
    ...(hasImage === undefined
      ? []
      : [hasImage ? isNotNull(wantedItems.imageUrl) : isNull(wantedItems.imageUrl)]),
    ...(minBudget ? [orOpenBudget(gte(wantedItems.maxBudget, minBudget))] : []),
    ...(maxBudget !== undefined ? [orOpenBudget(lte(wantedItems.minBudget, maxBudget))] : []),
    ...(area ? [isWithin(area)] : []),
    ...(since ? [sql`${wantedItems.createdAt} >= ${since}`] : []),
    ...(notOf ? [ne(wantedItems.userId, notOf)] : []),
  ]
}

/** An open budget is stored as a maximum of 0, and matches every range. */
const orOpenBudget = (fits: SQL) => sql`(${fits} or ${eq(wantedItems.maxBudget, 0)})`

const EARTH_RADIUS_KM = 6371

/** The haversine formula. A rounding error can make the argument of asin exceed 1. */
function isWithin({ latitude, longitude, radiusKm }: Area): SQL {
  const lat = sql`${wantedItems.place}[1]`
  const lon = sql`${wantedItems.place}[0]`
  return sql`${2 * EARTH_RADIUS_KM} * asin(least(1, sqrt(
    sind((${lat} - ${latitude}) / 2) ^ 2
    + cosd(${latitude}) * cosd(${lat}) * sind((${lon} - ${longitude}) / 2) ^ 2
  ))) <= ${radiusKm}::float8`
}

/** Requests, or their entries in the lists of words. */
type Listed = Record<'position' | 'maxBudget' | 'expiresAt', PgColumn>

interface Order {
  /**
   * The columns of the sort order. The position makes every order total, so that no page repeats or skips a
   * request.
   */
  columns: (of: Listed) => PgColumn[]
  descends: boolean
  /** The values of these columns for the last request of a page. */
  valuesOf: (cursor: ListCursor) => SQL[]
  /** The value that a cursor contains besides the position. */
  key: (of: Listed) => SQL
}

const orders: Record<Sort, Order> = {
  newest: {
    columns: ({ position }) => [position],
    descends: true,
    valuesOf: ({ position }) => [sql`${position}`],
    key: () => sql`0`,
  },
  budget: {
    // An open budget is stored as 0 and sorts last.
    columns: ({ maxBudget, position }) => [maxBudget, position],
    descends: true,
    valuesOf: ({ key = 0, position }) => [sql`${key}::numeric`, sql`${position}`],
    key: ({ maxBudget }) => sql`${maxBudget}`,
  },
  expiring: {
    columns: ({ expiresAt, position }) => [expiresAt, position],
    descends: false,
    valuesOf: ({ key = 0, position }) => [sql`${new Date(key).toISOString()}::timestamptz`, sql`${position}`],
    key: ({ expiresAt }) => sql`extract(epoch from ${expiresAt}) * 1000`,
  },
}

const list = (columns: SQLWrapper[]) => sql.join(columns, sql`, `)

export const orderColumns = (sort: Sort = 'newest', of: Listed = wantedItems): SQL =>
  list(orders[sort].columns(of))

export const orderBy = (sort: Sort = 'newest', of: Listed = wantedItems): SQL =>
  sortColumns(sort, of, orders[sort].descends)

export const reverseOrderBy = (sort: Sort = 'newest', of: Listed = wantedItems): SQL =>
  sortColumns(sort, of, !orders[sort].descends)

const sortColumns = (sort: Sort, of: Listed, descends: boolean) =>
  list(orders[sort].columns(of).map((column) => (descends ? desc(column) : asc(column))))

/** Whether a request is `first` or comes after it. `first` is an SQL list or query of the order columns. */
export const isFrom = (sort: Sort = 'newest', first: SQL, of: Listed = wantedItems): SQL =>
  sql`(${orderColumns(sort, of)}) ${sql.raw(orders[sort].descends ? '<=' : '>=')} (${first})`

/** Whether a request is `last` or comes before it. `last` is an SQL list or query of the order columns. */
export const isUpTo = (sort: Sort = 'newest', last: SQL, of: Listed = wantedItems): SQL =>
  sql`(${orderColumns(sort, of)}) ${sql.raw(orders[sort].descends ? '>=' : '<=')} (${last})`

/** The cursor of the page that ends with a request, as JSON. */
export const cursorOf = (sort: Sort = 'newest', of: Listed): SQL =>
  sql`jsonb_build_object('position', ${of.position}, 'key', ${orders[sort].key(of)})`

/** Turns the cursor of the page that ends with a request into the cursor of the page that begins with it. */
export function cursorBefore(sort: Sort = 'newest', { key, position }: ListCursor): ListCursor {
  return { key, position: orders[sort].descends ? position + 1 : position - 1 }
}

export type Page = Pick<ItemFilter, 'sort' | 'after' | 'upTo' | 'now'>

/** Whether a request comes after the previous page. A list by expiry starts with the first unexpired request. */
export function isOnPage({ sort = 'newest', after, upTo, now }: Page, of: Listed = wantedItems): SQL {
  const { descends, valuesOf } = orders[sort]
  const isUnread =
    after && sql`(${orderColumns(sort, of)}) ${sql.raw(descends ? '<' : '>')} (${list(valuesOf(after))})`
  const conditions = [
    sort === 'expiring' ? gt(of.expiresAt, now) : undefined,
    isUnread,
    upTo && isUpTo(sort, list(valuesOf(upTo)), of),
  ]
  return and(...conditions) ?? sql`true`
}
