import type { Dispute } from '@sought/contract/disputes'
import { formatDateTime } from '../../format/dates.ts'
import { describeTimeLeft, isPast } from '../../format/time-left.ts'
import { useNow } from '../../shared/time/use-now.ts'

/** The promised time of our next step. Says so if it has passed. */
export function PromisedTime({ dispute: { dueAt, status } }: { dispute: Dispute }) {
  const now = useNow()
  if (dueAt === null) return null
  const isAnswered = status !== 'disputed'
  const step = isAnswered ? 'decide' : 'answer'
  const due = formatDateTime(dueAt)
  return (
    <p className="mt-2 font-strong">
      {isPast(dueAt, now)
        ? `We promised to ${step} by ${due}. We are late, and we are sorry. Our team has been reminded.`
        : `We will ${step} by ${due} (${describeTimeLeft(dueAt, now)}).`}
    </p>
  )
}
