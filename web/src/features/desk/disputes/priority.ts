import type { BadgeTone } from '../../../ui/display/badge.tsx'

const DAY_MS = 86_400_000

type Priority = 'high' | 'medium' | 'low'

const HIGH = { aboveCents: 50_000, afterDays: 5 }
const MEDIUM = { aboveCents: 20_000, afterDays: 2 }

/** The priority of a dispute by its amount and the time since its last update. */
export function priorityOf(
  { amount, updatedAt }: { amount: number; updatedAt: string },
  now: Date,
): Priority {
  const ageMs = now.getTime() - new Date(updatedAt).getTime()
  const isOver = ({ aboveCents, afterDays }: typeof HIGH) => amount > aboveCents || ageMs > afterDays * DAY_MS
  if (isOver(HIGH)) return 'high'
  return isOver(MEDIUM) ? 'medium' : 'low'
}

export const priorityBadges = {
  high: { label: 'High priority', tone: 'signal' },
  medium: { label: 'Medium priority', tone: 'attention' },
  low: { label: 'Low priority', tone: 'outline' },
} satisfies Record<Priority, { label: string; tone: BadgeTone }>
