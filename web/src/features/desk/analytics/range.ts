import { ANALYTICS_YEARS_MAX, STEPS, type Step } from '@sought/contract/analytics'
import { type Currency, isCurrency } from '@sought/contract/currencies'

const DAY_MS = 86_400_000

/** Stored in the URL. Days in UTC, both included. */
export interface Range {
  from: string
  to: string
  by: Step
  /** Of the amounts. Without one, the market's first. */
  currency?: Currency | undefined
}

const asDay = (date: Date) => date.toISOString().slice(0, 10)
const daysBefore = (day: string, days: number) => asDay(new Date(Date.parse(day) - days * DAY_MS))

export function presetsOf(today: Date): { label: string; range: Range }[] {
  const to = asDay(today)
  const last = (days: number, by: Step) => ({
    label: `Last ${days} days`,
    range: { from: daysBefore(to, days - 1), to, by },
  })
  return [
    last(7, 'day'),
    last(30, 'day'),
    last(90, 'week'),
    { label: 'This year', range: { from: `${to.slice(0, 4)}-01-01`, to, by: 'month' } },
  ]
}

const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** The last 30 days, unless the URL has a range. */
export function parseRange(query: URLSearchParams, today: Date): Range {
  const to = asDay(today)
  const [from, until] = [query.get('from'), query.get('to')]
  const currency = query.get('currency') ?? ''
  return {
    ...(isDay(from) && isDay(until) ? { from, to: until } : { from: daysBefore(to, 29), to }),
    by: STEPS.find((step) => step === query.get('by')) ?? 'day',
    ...(isCurrency(currency) && { currency }),
  }
}

/** The reason why the server would refuse the range. */
export function findRangeError({ from, to }: Range): string | undefined {
  if (to < from) return 'The last day must not be before the first'
  const days = countDays({ from, to })
  return days > ANALYTICS_YEARS_MAX * 366 ? `Choose at most ${ANALYTICS_YEARS_MAX} years` : undefined
}

export const countDays = ({ from, to }: Pick<Range, 'from' | 'to'>) =>
  (Date.parse(to) - Date.parse(from)) / DAY_MS + 1

const day = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' })
const month = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', year: 'numeric' })

/** A day or a month for the axis of a chart: 'Nov 17' or 'Nov 2026'. */
export const formatPeriod = (period: string): string =>
  (period.length === 'YYYY-MM'.length ? month : day).format(new Date(period))
