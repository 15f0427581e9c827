import type { ListCursor, Point, Sort, Urgency } from '@sought/contract/request-filters'
import { eq, gt, gte, isNotNull, isNull, lte, ne, type SQL, sql } from 'drizzle-orm'
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
  const { minBudget, maxBudget, area, since, notOf } = filter
  return [
    ...indexedConditions(filter),
    ...(minBudget ? [orOpenBudget(gte(wantedItems.maxBudget, minBudget))] : []),
    ...(maxBudget !== undefined ? [orOpenBudget(lte(wantedItems.minBudget, maxBudget))] : []),
    ...(area ? [isWithin(area)] : []),
    ...(since ? [sql`${wantedItems.createdAt} >= ${since}`] : []),
    ...(notOf ? [ne(wantedItems.userId, notOf)] : []),
  ]
}

/** An open budget is stored as a maximum of 0, and fits every range. */
const orOpenBudget = (fits: SQL) => sql`(${fits} or ${eq(wantedItems.maxBudget, 0)})`

/** The conditions that an index in the order of a list can include. */
export function indexedConditions({ category, urgency, hasImage, now }: ItemFilter): SQL[] {
  return [
    isOpen,
    isUnexpired(now),
    ...(category ? [eq(wantedItems.category, category)] : []),
    ...(urgency ? [eq(wantedItems.urgency, urgency)] : []),
    ...(hasImage === undefined
      ? []
      : [hasImage ? isNotNull(wantedItems.pictureUrl) : isNull(wantedItems.pictureUrl)]),
  ]
}

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

interface Order {
  by: SQL
  /** Whether a request comes after the end of the previous page. */
  isAfter: (cursor: ListCursor) => SQL
}

/** Position makes every order total, so that no page repeats or skips a request. */
export const orders: Record<Sort, Order> = {
  newest: {
    by: sql`${wantedItems.position} desc`,
    isAfter: ({ position }) => sql`${wantedItems.position} < ${position}`,
  },
  budget: {
    // An open budget is stored as 0, and comes last.
    by: sql`${wantedItems.maxBudget} desc, ${wantedItems.position} desc`,
    isAfter: ({ key = 0, position }) =>
      sql`(${wantedItems.maxBudget}, ${wantedItems.position}) < (${key}::numeric, ${position})`,
  },
  expiring: {
    by: sql`${wantedItems.expiresAt}, ${wantedItems.position}`,
    isAfter: ({ key = 0, position }) =>
      sql`(${wantedItems.expiresAt}, ${wantedItems.position}) > (${new Date(key).toISOString()}::timestamptz, ${position})`,
  },
}
