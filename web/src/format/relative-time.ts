import { plural } from './plural.ts'

const HOUR_MS = 3_600_000

/** 'Just now' for less than an hour, then whole hours, then days. */
export function formatRelativeTime(then: Date, now: Date): string {
  const hours = Math.floor((now.getTime() - then.getTime()) / HOUR_MS)
  if (hours < 1) return 'Just now'
  if (hours < 24) return `${plural(hours, 'hour')} ago`
  return `${plural(Math.floor(hours / 24), 'day')} ago`
}

interface Aged {
  createdAt: string
  renewedAt: string | null
}

/** How long ago a request was posted or last renewed. */
export function describeAge({ createdAt, renewedAt }: Aged, now: Date): string {
  if (renewedAt === null) return formatRelativeTime(new Date(createdAt), now)
  return `Renewed ${formatRelativeTime(new Date(renewedAt), now).toLowerCase()}`
}
