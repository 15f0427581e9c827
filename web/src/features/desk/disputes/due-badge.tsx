import type { DeskDispute } from '@sought/contract/disputes'
import { formatDateTime } from '../../../format/dates.ts'
import { describeTimeLeft, isPast } from '../../../format/time-left.ts'
import { useNow } from '../../../shared/time/use-now.ts'
import { Badge } from '../../../ui/display/badge.tsx'

const SOON_MS = 4 * 3_600_000

/** Counts down to the next time that we promised the parties. */
export function DueBadge({ dispute: { dueAt } }: { dispute: DeskDispute }) {
  const now = useNow()
  if (dueAt === null) return null
  const isOverdue = isPast(dueAt, now)
  const isSoon = isPast(dueAt, new Date(now.getTime() + SOON_MS))
  const left = describeTimeLeft(dueAt, now)
  return (
    <Badge tone={isOverdue ? 'danger' : isSoon ? 'attention' : 'outline'}>
      <time dateTime={dueAt} title={formatDateTime(dueAt)}>
        {isOverdue ? `Overdue, was due ${left}` : `Due ${left}`}
      </time>
    </Badge>
  )
}
