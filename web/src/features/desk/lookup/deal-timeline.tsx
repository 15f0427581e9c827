import type { DealDetails } from '@sought/contract/lookup'
import { formatDateTime } from '../../../format/dates.ts'
import { ReasonExcerpt } from '../../../shared/disputes/dispute-reason.tsx'
import { describeEvent } from './deal-events.ts'

export function DealTimeline({ deal: { timeline, currency } }: { deal: DealDetails }) {
  return (
    <ol aria-label="Timeline" className="grid grid-cols-[minmax(0,1fr)] *:first:pt-0">
      {timeline.map((event) => {
        const { label, actor, detail, technical } = describeEvent(event, currency)
        return (
          <li
            key={event.key}
            className="grid grid-cols-[minmax(0,1fr)] items-baseline gap-x-6 border-line border-t py-3 first:border-t-0 sm:grid-cols-[11rem_minmax(0,1fr)]"
          >
            <time dateTime={event.at} className="text-fine text-ink-soft">
              {formatDateTime(event.at)}
            </time>
            <div className="grid grid-cols-[minmax(0,1fr)] gap-0.5 [overflow-wrap:anywhere]">
              <p>
                <span className="font-strong">{label}</span>
                {actor && ` by ${actor}`}
              </p>
              {detail && event.kind === 'filed' && <ReasonExcerpt reason={detail} />}
              {detail && event.kind !== 'filed' && (
                <p className="whitespace-pre-line text-ink-soft">{detail}</p>
              )}
              {technical && <p className="text-fine text-ink-soft">{technical}</p>}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
