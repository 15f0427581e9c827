import type { Area, ItemFilter } from './item-filter.ts'

/*
 * The marks of requests (ADR 61), as request_marks in the database computes them. A filter becomes the list of all
 * marks that a matching request can have. The filter itself is checked for each request that has one of them.
 */

const BUDGET_STEPS = [1, 2, 5]
  .flatMap((step) => Array.from({ length: 8 }, (_, power) => step * 10 ** power))
  .filter((step) => step <= 20_000_000)
  .sort((a, b) => a - b)

/** The sizes of squares in degrees, the smallest first. */
const SQUARES = [
  { mark: ':s', degrees: 0.25 },
  { mark: ':m', degrees: 1 },
  { mark: ':l', degrees: 4 },
]

/** Squares of the next size are used for an area that needs more than this. */
const MAX_SQUARES = 64

const KM_PER_DEGREE = 111.19

/** A maximum of 0 fits every range. */
const OPEN_BUDGET = ':>0'

/** One list for each filter that has marks. */
export function filterMarks({ minBudget, maxBudget, area }: ItemFilter): string[][] {
  return [
    ...(minBudget ? [[OPEN_BUDGET, ...budgetMarks(':>', budgetClass(minBudget), BUDGET_STEPS.length)]] : []),
    ...(maxBudget === undefined ? [] : [[OPEN_BUDGET, ...budgetMarks(':<', 0, budgetClass(maxBudget))]]),
    ...(area ? [coverArea(area)] : []),
  ].map((marks) => [...new Set(marks)])
}

/** The same as width_bucket in PostgreSQL. */
const budgetClass = (budget: number) => BUDGET_STEPS.filter((step) => step <= budget).length

const budgetMarks = (mark: string, first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => `${mark}${first + at}`)

/** The squares of the smallest size that cover the area with few enough of them. */
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

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at)
