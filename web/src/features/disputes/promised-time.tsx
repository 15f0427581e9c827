import type { Dispute } from '@sought/contract/disputes'
import { formatDateTime } from '../../lib/dates.ts'
import { describeTimeLeft, isPast } from '../../lib/time-left.ts'
import { useNow } from '../../lib/use-now.ts'

/** Until when we promised our next step. Honest about a time that has passed. */
export function PromisedTime({ dispute: { dueAt, status } }: { dispute: Dispute }) {
  const now = useNow()
  if (dueAt === null) return null
  const isAnswered = status !== 'disputed'
  const step = isAnswered ? 'decide' : 'answer'
  return (
    <p className="mt-2">
      {isPast(dueAt, now) ? (
        <>
          We promised to {step} by <Time at={dueAt} /> and we are late. We are sorry. Our team has been
          reminded and will {step} as soon as possible.
        </>
      ) : (
        <>
          We will {step} by <Time at={dueAt} /> ({describeTimeLeft(dueAt, now)}).
        </>
      )}
    </p>
  )
}

function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} className="font-strong tabular-nums">
      {formatDateTime(at)}
    </time>
  )
}
