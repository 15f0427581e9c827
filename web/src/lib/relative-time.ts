const HOUR_MS = 3_600_000

/** How long ago, in whole hours, then days; under an hour it is 'Just now' (spec §9). */
export function relativeTime(then: Date, now: Date): string {
  const hours = Math.floor((now.getTime() - then.getTime()) / HOUR_MS)
  if (hours < 1) return 'Just now'
  if (hours < 24) return counted(hours, 'hour')
  return counted(Math.floor(hours / 24), 'day')
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}
