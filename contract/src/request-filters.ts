import * as z from 'zod/mini'
import { BUDGET_MAX, CATEGORY_MAX_LENGTH } from './constants.ts'
import { Currency } from './currency-code.ts'
import { INTEGER_MAX, optionalText } from './fields.ts'
import { budgetMaxOf } from './money.ts'

export const Urgency = z.enum(['low', 'medium', 'high'])
export type Urgency = z.output<typeof Urgency>

export const RADIUS_KM_MAX = 500
export const RADIUS_KM_DEFAULT = 50

/**
 * `newest` starts with the last posted or renewed, `budget` with the highest maximum (open budgets come last), and
 * `expiring` with the soonest to expire.
 */
export const SORTS = ['newest', 'budget', 'expiring'] as const
export type Sort = (typeof SORTS)[number]

/** A form without JavaScript also sends its empty fields. They mean the same as missing ones. */
const Empty = z.pipe(
  z.literal(''),
  z.transform((): undefined => undefined),
)

function filter<Schema extends z.ZodMiniType>(schema: Schema, error: string) {
  return z.optional(z.union([Empty, schema], { error }))
}

function textFilter(maxLength: number) {
  return z.optional(
    z.pipe(
      optionalText(maxLength),
      z.transform((text) => text || undefined),
    ),
  )
}

/** Query strings contain text, and saved searches may contain numbers. */
function numberFilter(pattern: RegExp, min: number, max: number, error: string) {
  const typed = z.pipe(z.string().check(z.regex(pattern)), z.transform(Number))
  const isInRange = z.refine<number>(
    (value) => value >= min && value <= max && pattern.test(String(value)),
    error,
  )
  return filter(z.union([typed, z.number()]).check(isInRange), error)
}

const budgetError = (max: number) =>
  `Must be an amount between 0 and ${max.toLocaleString('en')}, with at most two decimals`

/** The largest one depends on the currency (`budgetsFit`). */
const budgetFilter = () =>
  numberFilter(/^\d+(\.\d{1,2})?$/, 0, Number.MAX_SAFE_INTEGER, budgetError(BUDGET_MAX))

const BooleanText = z.pipe(
  z.enum(['true', 'false']),
  z.transform((text) => text === 'true'),
)

const FIRST_MS = 0
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** A date starts at midnight UTC, and a time without a zone is in UTC. Years need four digits for the database. */
const Since = z.pipe(
  z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]),
  z.transform((text) => {
    const time = Date.parse(inUtc(text))
    return new Date(Math.min(Math.max(time, FIRST_MS), LAST_MS)).toISOString()
  }),
)

const inUtc = (text: string) => (/T[^Z+-]*$/.test(text) ? `${text}Z` : text)

/** The filters of requests, with their names in page addresses, forms, the API and saved searches. */
export const requestFilters = {
  search: textFilter(200),
  category: textFilter(CATEGORY_MAX_LENGTH),
  urgency: filter(Urgency, 'Must be low, medium or high'),
  /** Without one, budgets and the order by budget mean the market's first currency. */
  currency: filter(Currency, 'Must be the code of a currency, such as usd'),
  minBudget: budgetFilter(),
  maxBudget: budgetFilter(),
  /** Words of the location, as the owner of the request wrote it. */
  location: textFilter(100),
  /** A place of the gazetteer, such as 'Paris' or 'Paris, Texas', or a latitude and a longitude. */
  near: z.optional(
    z.pipe(
      optionalText(100).check(z.refine(hasValidPoint, 'The latitude or the longitude is out of range')),
      z.transform((text) => text || undefined),
    ),
  ),
  radiusKm: numberFilter(/^\d+$/, 1, RADIUS_KM_MAX, `Must be a whole number between 1 and ${RADIUS_KM_MAX}`),
  /** Posted at this time or later. */
  since: filter(Since, 'Must be a date or a time, such as 2026-11-30 or 2026-11-30T12:00:00Z'),
  /** Whether it has `images`. */
  hasImage: filter(z.union([BooleanText, z.boolean()]), 'Must be true or false'),
  sort: filter(z.enum(SORTS), `Must be ${SORTS.slice(0, -1).join(', ')} or ${SORTS.at(-1)}`),
}

interface Budgets {
  currency?: Currency | undefined
  minBudget?: number | undefined
  maxBudget?: number | undefined
}

const BUDGETS = ['minBudget', 'maxBudget'] as const

/** Added to each schema with the filters. */
export const budgetsFit = z.check<Budgets>((payload) => {
  const { currency = 'usd', minBudget = 0, maxBudget = Number.POSITIVE_INFINITY } = payload.value
  const max = budgetMaxOf(currency)
  for (const name of BUDGETS) {
    if ((payload.value[name] ?? 0) > max)
      payload.issues.push({ code: 'custom', path: [name], message: budgetError(max), input: payload.value })
  }
  if (minBudget > maxBudget) {
    const message = 'The minimum is above the maximum'
    payload.issues.push({ code: 'custom', path: ['minBudget'], message, input: payload.value })
  }
})

export const RequestFilters = z.object(requestFilters).check(budgetsFit)
export type RequestFilters = z.output<typeof RequestFilters>

export interface Point {
  latitude: number
  longitude: number
}

/** The point in a `near` such as '48.85,2.35'. Undefined if it is not of this form. */
export function parsePoint(near: string): Point | undefined {
  const [, latitude, longitude] = /^(-?\d{1,3}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)$/.exec(near) ?? []
  return latitude && longitude ? { latitude: Number(latitude), longitude: Number(longitude) } : undefined
}

function hasValidPoint(near: string): boolean {
  const point = parsePoint(near)
  return !point || (Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180)
}

/** The end of a page: the position of its last request and, in other sort orders, its sort value. */
export interface ListCursor {
  /** The maximum budget, or the expiry in milliseconds. */
  key?: number | undefined
  position: number
}

/** A position such as '4711', or '120.5-4711' in a list with another order than newest first. */
export const ListCursor = z.pipe(
  z.string().check(z.refine(isCursor, 'Must be the cursor of a page')),
  z.transform((text): ListCursor => {
    const [position, key] = text.split('-').reverse()
    return { key: key === undefined ? undefined : Number(key), position: Number(position) }
  }),
)

function isCursor(text: string): boolean {
  const [, position] = /^(?:\d{1,13}(?:\.\d{1,2})?-)?([1-9]\d*)$/.exec(text) ?? []
  return Number(position) <= INTEGER_MAX
}

interface Listed {
  position: number
  maxBudget: number
  expiresAt: string | Date
}

/** The cursor of the page after this request. */
export function cursorAfter(item: Listed, sort: Sort = 'newest'): string {
  switch (sort) {
    case 'newest':
      return String(item.position)
    case 'budget':
      return `${item.maxBudget}-${item.position}`
    case 'expiring':
      return `${new Date(item.expiresAt).getTime()}-${item.position}`
  }
}

/** Whether a cursor is from a list in this order. */
export const fitsSort = ({ key }: ListCursor, sort: Sort = 'newest') =>
  (key === undefined) === (sort === 'newest')
