const DAY_MS = 86_400_000

export type Priority = 'high' | 'medium' | 'low'

const HIGH = { aboveCents: 50_000, afterDays: 5 }
const MEDIUM = { aboveCents: 20_000, afterDays: 2 }

/** How soon a dispute should be looked at: by how much is at stake, and how long it has lain (spec §4). */
export function priorityOf(
  { amount, updatedAt }: { amount: number; updatedAt: string },
  now: Date,
): Priority {
  const ageMs = now.getTime() - new Date(updatedAt).getTime()
  const isOver = ({ aboveCents, afterDays }: typeof HIGH) => amount > aboveCents || ageMs > afterDays * DAY_MS
  if (isOver(HIGH)) return 'high'
  return isOver(MEDIUM) ? 'medium' : 'low'
}
