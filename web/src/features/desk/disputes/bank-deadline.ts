const DAY_MS = 86_400_000

/** The number of whole days left, or null if the deadline has passed. */
export function daysUntil(deadline: string, now: Date): number | null {
  const leftMs = new Date(deadline).getTime() - now.getTime()
  return leftMs <= 0 ? null : Math.floor(leftMs / DAY_MS)
}

export function describeDays(days: number): string {
  if (days === 0) return 'in less than a day'
  return days === 1 ? 'in one day' : `in ${days} days`
}
