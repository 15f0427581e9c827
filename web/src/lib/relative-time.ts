const HOUR_MS = 3_600_000

/** 'Just now' for less than an hour, then whole hours, then days (spec §9). */
export function formatRelativeTime(then: Date, now: Date): string {
  const hours = Math.floor((now.getTime() - then.getTime()) / HOUR_MS)
  if (hours < 1) return 'Just now'
  if (hours < 24) return formatAgo(hours, 'hour')
  return formatAgo(Math.floor(hours / 24), 'day')
}

function formatAgo(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}
