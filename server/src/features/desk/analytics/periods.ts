import type { Step } from '@sought/contract/analytics'

const DAY_MS = 86_400_000

/** A range of days in UTC. Both ends are included. */
export interface Days {
  from: string
  to: string
  /**
   * The first day of the first and of the last whole month, and the day after the last one. Null if the range
   * contains no whole month.
   */
  months: { first: string; last: string; end: string } | null
}

export function daysBetween(from: string, to: string): Days {
  const first = from.endsWith('-01') ? from : monthAfter(from)
  const end = startOf('month', dayAfter(to))
  return { from, to, months: first < end ? { first, last: monthBefore(end), end } : null }
}

/** The period of the same length that ends the day before `days`. */
export function daysBefore({ from, to }: Days): Days {
  const lengthMs = Date.parse(to) - Date.parse(from)
  const previousTo = Date.parse(from) - DAY_MS
  return daysBetween(asDay(previousTo - lengthMs), asDay(previousTo))
}

/** The first days of all periods that overlap `days`. Weeks start on Monday. */
export function listPeriods({ from, to }: Days, by: Step): string[] {
  const periods: string[] = []
  for (let period = startOf(by, from); period <= to; period = nextPeriod(by, period)) periods.push(period)
  return periods
}

function nextPeriod(by: Step, period: string): string {
  if (by === 'month') return monthAfter(period)
  return asDay(Date.parse(period) + (by === 'week' ? 7 : 1) * DAY_MS)
}

function startOf(by: Step, day: string): string {
  if (by === 'month') return `${day.slice(0, 7)}-01`
  if (by === 'day') return day
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7
  return asDay(Date.parse(day) - sinceMonday * DAY_MS)
}

const asDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const dayAfter = (day: string) => asDay(Date.parse(day) + DAY_MS)
const monthAfter = (day: string) => shiftMonth(day, 1)
const monthBefore = (day: string) => shiftMonth(day, -1)

/** The first day of the month this many months later, or earlier if negative. */
function shiftMonth(day: string, months: number): string {
  const date = new Date(`${day.slice(0, 7)}-01`)
  date.setUTCMonth(date.getUTCMonth() + months)
  return asDay(date.getTime())
}
