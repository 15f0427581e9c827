import type { DisputeTimelineEntry } from '@sought/contract/disputes'
import { useCurrency } from '../../lib/currency.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { ReasonLines } from './reason-text.tsx'
import { happening, settlementWords } from './words.ts'

/** What happened, by whom and when, the first thing first. */
export function Timeline({ entries }: { entries: readonly DisputeTimelineEntry[] }) {
  if (entries.length === 0) return <p className="text-ink-soft">No timeline events available</p>
  return (
    <ol aria-label="Timeline" className="grid">
      {entries.map(({ id, action, actor, details, timestamp }) => (
        <li key={id} className="group relative grid grid-cols-[minmax(0,1fr)] gap-1 pb-5 pl-6 last:pb-0">
          <Thread />
          <p className="font-strong">{happening(action)}</p>
          <p className="text-fine text-ink-soft">
            {actor} · <time dateTime={timestamp}>{formatDateTime(timestamp)}</time>
          </p>
          {details && <Details action={action} details={details} />}
        </li>
      ))}
    </ol>
  )
}

/** What was filed stands in full elsewhere on the same screen. */
function Details({ action, details }: { action: string; details: string }) {
  const currency = useCurrency()
  if (action === 'filed') return <ReasonLines reason={details} />
  const isSettlement = action === 'settlement_proposed' || action === 'settled'
  return (
    <p className="whitespace-pre-line [overflow-wrap:anywhere]">
      {isSettlement ? settlementWords(details, currency) : details}
    </p>
  )
}

/** A dot, and the line to the next one. */
function Thread() {
  return (
    <span aria-hidden="true">
      <span className="absolute top-2 bottom-[-0.5rem] left-[0.3125rem] w-px bg-line-strong group-last:hidden" />
      <span className="absolute top-1.5 left-0 size-3 rounded-round border-2 border-accent bg-paper" />
    </span>
  )
}
