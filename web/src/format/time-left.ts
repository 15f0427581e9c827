import { plural } from './plural.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * 'in 5 hours' before a time, '2 days ago' after it. Rounded down, so that nobody expects more time than is
 * left.
 */
export function describeTimeLeft(at: string, now: Date): string {
  const leftMs = new Date(at).getTime() - now.getTime()
  const span = describeSpan(Math.abs(leftMs))
  return leftMs >= 0 ? `in ${span}` : `${span} ago`
}

function describeSpan(ms: number): string {
  if (ms < MINUTE_MS) return 'less than a minute'
  if (ms < HOUR_MS) return plural(Math.floor(ms / MINUTE_MS), 'minute')
  if (ms < 2 * DAY_MS) return plural(Math.floor(ms / HOUR_MS), 'hour')
  return plural(Math.floor(ms / DAY_MS), 'day')
}

export const isPast = (at: string, now: Date) => new Date(at).getTime() < now.getTime()
