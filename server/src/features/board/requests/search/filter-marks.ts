import type { Area, ItemFilter } from './item-filter.ts'

/*
 * The marks of requests (ADR 61): short keys for properties such as the category or the square of the map,
 * computed by request_marks in the database. A filter becomes the list of all marks that a matching request can
 * have. Requests with one of these marks are then checked against the filter itself.
 */

const BUDGET_STEPS = [1, 2, 5]
  .flatMap((step) => Array.from({ length: 8 }, (_, power) => step * 10 ** power))
  .filter((step) => step <= 20_000_000)
  .sort((a, b) => a - b)

/** Sizes of squares in degrees, smallest first. */
const SQUARES = [
  { mark: ':s', degrees: 0.25 },
  { mark: ':m', degrees: 1 },
  { mark: ':l', degrees: 4 },
]

/** An area that needs more squares uses the next size. */
const MAX_SQUARES = 64

const KM_PER_DEGREE = 111.19

/** A maximum of 0 means no limit and matches every range. */
const OPEN_BUDGET = ':>0'

const HOUR_MS = 3_600_000

/**
 * Most open requests were posted within this time. An earlier `since` has no marks, and requests are checked one
 * by one.
 */
const MAX_DAYS = 60

/** Requests of a currency are listed under this mark. It is not in `wanted_items.marks`. */
const CURRENCY = ':$'

export const isCurrencyMark = (mark: string) => mark.startsWith(CURRENCY)

/** One list of marks for each filter that has any. */
export function filterMarks(filter: ItemFilter): string[][] {
  const { category, urgency, currency, minBudget, maxBudget, area, since, hasImage, now } = filter
  return [
    ...(category ? [[`:c${category}`]] : []),
    // The database stores high urgency as the word '!!' instead of a mark.
    ...(urgency ? [[urgency === 'high' ? '!!' : `:u${urgency}`]] : []),
    ...(currency ? [[`${CURRENCY}${currency}`]] : []),
    ...(hasImage === undefined ? [] : [[hasImage ? ':p1' : ':p0']]),
    ...(since ? marksSince(Date.parse(since), now.getTime()) : []),
    ...(minBudget ? [[OPEN_BUDGET, ...marksAbove(minBudget)]] : []),
    ...(maxBudget === undefined ? [] : [[OPEN_BUDGET, ...marksBelow(maxBudget)]]),
    ...(area ? [coverArea(area)] : []),
  ].map((marks) => [...new Set(marks)])
}

/** Whether these are the marks of a maximum or a minimum budget. */
export const isMaxBudget = (marks: string[]) => marks.some((mark) => mark.startsWith(':<'))
export const isMinBudget = (marks: string[]) => marks[0] === OPEN_BUDGET && !isMaxBudget(marks)

/** The hours of the first day, and the days until tomorrow, because another server's clock can be ahead. */
function marksSince(since: number, now: number): string[][] {
  const hour = Math.floor(since / HOUR_MS)
  const [first, last] = [Math.floor(hour / 24), Math.floor(now / HOUR_MS / 24)]
  if (last - first > MAX_DAYS) return []
  const hours = first > last + 1 ? [] : range(hour, first * 24 + 23)
  return [[...hours.map((at) => `:h${at}`), ...range(first + 1, last + 1).map((day) => `:d${day}`)]]
}

function marksAbove(budget: number): string[] {
  const { step, tenth } = classOf(toCents(budget))
  if (step === BUDGET_STEPS.length) return [`:>${step}`]
  const last = classOf(toCents(BUDGET_STEPS[step] ?? budget) - 1).tenth
  return [
    ...range(tenth, last).map((at) => `:>${step}.${at}`),
    ...range(step + 1, BUDGET_STEPS.length).map((at) => `:>${at}`),
  ]
}

/**
 * The database marks a request with the class of its minimum budget less one cent, so the filter does the same.
 */
function marksBelow(budget: number): string[] {
  const { step, tenth } = classOf(toCents(budget) - 1)
  if (step === BUDGET_STEPS.length) return range(0, step).map((at) => `:<${at}`)
  return [...range(0, step - 1).map((at) => `:<${at}`), ...range(0, tenth).map((at) => `:<${step}.${at}`)]
}

const toCents = (budget: number) => Math.round(budget * 100)

/** The same as budget_marks in the database. */
function classOf(cents: number): { step: number; tenth: number } {
  const step = BUDGET_STEPS.filter((least) => least * 100 <= cents).length
  const leastCents = (BUDGET_STEPS[step - 1] ?? 0) * 100
  return { step, tenth: step === 0 ? 0 : Math.floor(((cents - leastCents) * 10) / leastCents) }
}

/** Covers the area with squares of the smallest size with which MAX_SQUARES are enough. */
function coverArea(area: Area): string[] {
  for (const { mark, degrees } of SQUARES) {
    const squares = squaresOf(area, degrees)
    if (squares.length <= MAX_SQUARES || degrees === SQUARES.at(-1)?.degrees) {
      return squares.map((square) => `${mark}${square}`)
    }
  }
  return []
}

function squaresOf({ latitude, longitude, radiusKm }: Area, degrees: number): string[] {
  const reach = radiusKm / KM_PER_DEGREE
  const [south, north] = [Math.max(latitude - reach, -90), Math.min(latitude + reach, 90)]
  const rows = range(Math.floor((south + 90) / degrees), Math.floor((north + 90) / degrees))
  const widest = Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180)
  const columnCount = 360 / degrees
  // An area at a pole includes all longitudes.
  const width = Math.min(180, reach / Math.max(widest, 1e-6))
  const columns = range(
    Math.floor((longitude - width + 180) / degrees),
    Math.floor((longitude + width + 180) / degrees),
  ).slice(0, columnCount + 1)
  // 180° east has a column of its own, and is the same as 180° west.
  const wrapped = new Set(columns.map((column) => ((column % columnCount) + columnCount) % columnCount))
  if (wrapped.has(0)) wrapped.add(columnCount)
  return rows.flatMap((row) => [...wrapped].map((column) => `${row},${column}`))
}

/** Empty if the last number is below the first. */
const range = (first: number, last: number) =>
  Array.from({ length: Math.max(last - first + 1, 0) }, (_, at) => first + at)
