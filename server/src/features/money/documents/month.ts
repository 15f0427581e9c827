/** Transactions of a month may commit shortly after its end. Its statement is final only after this time. */
const CLOSING_MS = 60 * 60_000

/** The first moments of a month such as '2026-11' and of the next month, in UTC. */
export function periodOf(month: string): { from: Date; until: Date } {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return { from: new Date(Date.UTC(year, number - 1)), until: new Date(Date.UTC(year, number)) }
}

/** Whether no more postings can be added to the month. */
export function isOver(month: string, now: Date): boolean {
  return now.getTime() >= periodOf(month).until.getTime() + CLOSING_MS
}
