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
import { wantedItems } from '../../platform/schema.ts'

export interface Area extends Point {
  radiusKm: number
}

/** The filters of a list of open requests, with `near` as an area. */
export interface ItemFilter {
  search?: string | undefined
  category?: string | undefined
  urgency?: Urgency | undefined
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
  limit: number
  now: Date
}

/** A literal and not a parameter, so that the planner can use the partial indexes on open requests. */
export const isOpen = sql`${wantedItems.status} = 'open'`

export const isUnexpired = (now: Date) => gt(wantedItems.expiresAt, now)

/** What a request must meet besides its words. */
export function conditions(filter: ItemFilter): SQL[] {
  const { category, urgency, hasImage, minBudget, maxBudget, area, since, notOf, now } = filter
  return [
    isOpen,
    isUnexpired(now),
    ...(category ? [eq(wantedItems.category, category)] : []),
    ...(urgency ? [eq(wantedItems.urgency, urgency)] : []),
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

/** An open budget is stored as a maximum of 0, and fits every range. */
const orOpenBudget = (fits: SQL) => sql`(${fits} or ${eq(wantedItems.maxBudget, 0)})`

const EARTH_RADIUS_KM = 6371

/** The haversine formula. The number in asin can exceed 1 by a rounding error. */
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
  /** What requests are sorted by. Position makes every order total, so that no page repeats or skips a request. */
  columns: (of: Listed) => SQLWrapper[]
  descends: boolean
  /** The same columns of the last request of a page. */
  valuesOf: (cursor: ListCursor) => SQL[]
  /** The same columns, after those of all requests. */
  end: SQL[]
}

const orders: Record<Sort, Order> = {
  newest: {
    columns: ({ position }) => [position],
    descends: true,
    valuesOf: ({ position }) => [sql`${position}`],
    end: [sql`0`],
  },
  budget: {
    // An open budget is stored as 0, and comes last.
    columns: ({ maxBudget, position }) => [maxBudget, position],
    descends: true,
    valuesOf: ({ key = 0, position }) => [sql`${key}::numeric`, sql`${position}`],
    end: [sql`-1`, sql`0`],
  },
  expiring: {
    columns: ({ expiresAt, position }) => [expiresAt, position],
    descends: false,
    valuesOf: ({ key = 0, position }) => [sql`${new Date(key).toISOString()}::timestamptz`, sql`${position}`],
    end: [sql`'infinity'::timestamptz`, sql`0`],
  },
}

const list = (columns: SQLWrapper[]) => sql.join(columns, sql`, `)

export const orderColumns = (sort: Sort = 'newest', of: Listed = wantedItems): SQL =>
  list(orders[sort].columns(of))

export function orderBy(sort: Sort = 'newest', of: Listed = wantedItems): SQL {
  const { columns, descends } = orders[sort]
  return list(columns(of).map((column) => (descends ? desc(column) : asc(column))))
}

export const endOf = (sort: Sort = 'newest'): SQL => list(orders[sort].end)

/** Whether a request comes before another one, or is the same. The other is an SQL list of its columns of the order. */
export function isUpTo(sort: Sort = 'newest', last: SQL, of: Listed = wantedItems): SQL {
  return sql`(${orderColumns(sort, of)}) ${sql.raw(orders[sort].descends ? '>=' : '<=')} (${last})`
}

export type Page = Pick<ItemFilter, 'sort' | 'after' | 'now'>

/** Whether a request is on a later page than the previous one. A list by expiry starts with the first unexpired one. */
export function isOnPage({ sort = 'newest', after, now }: Page, of: Listed = wantedItems): SQL {
  const { descends, valuesOf } = orders[sort]
  const isUnread =
    after && sql`(${orderColumns(sort, of)}) ${sql.raw(descends ? '<' : '>')} (${list(valuesOf(after))})`
  return and(sort === 'expiring' ? gt(of.expiresAt, now) : undefined, isUnread) ?? sql`true`
}
