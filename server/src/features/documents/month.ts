/** Transactions that began in a month may commit shortly after it. Only then is its statement final. */
const CLOSING_MS = 60 * 60_000

/** The first moment of a month such as '2026-11', and of the next one, in UTC. */
export function periodOf(month: string): { from: Date; until: Date } {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return { from: new Date(Date.UTC(year, number - 1)), until: new Date(Date.UTC(year, number)) }
}

/** Whether nothing can be booked in the month any more. */
export function isOver(month: string, now: Date): boolean {
  return now.getTime() >= periodOf(month).until.getTime() + CLOSING_MS
}
