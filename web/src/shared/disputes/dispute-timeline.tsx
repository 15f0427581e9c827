import type { Currency } from '@sought/contract/currencies'
import type { DisputeTimelineEntry } from '@sought/contract/disputes'
import { parseMoney } from '@sought/contract/money'
import { formatDateTime } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'
import { ReasonExcerpt } from './dispute-reason.tsx'

interface TimelineProps {
  entries: readonly DisputeTimelineEntry[]
  /** The currency of the disputed payment. */
  currency: Currency
}

/** The events of a dispute, oldest first. */
export function Timeline({ entries, currency }: TimelineProps) {
  if (entries.length === 0) return <p className="text-ink-soft">No timeline events available</p>
  return (
    <ol aria-label="Timeline" className="grid">
      {entries.map(({ id, action, actor, details, timestamp }) => (
        <li key={id} className="group relative grid grid-cols-[minmax(0,1fr)] gap-1 pb-5 pl-6 last:pb-0">
          <DotAndLine />
          <p className="font-strong">{disputeActionLabels[action] ?? action}</p>
          <p className="text-fine text-ink-soft">
            {actor} · <time dateTime={timestamp}>{formatDateTime(timestamp)}</time>
          </p>
          {details && <Details action={action} details={details} currency={currency} />}
        </li>
      ))}
    </ol>
  )
}

export const disputeActionLabels: Record<string, string | undefined> = {
  filed: 'Dispute filed',
  chargeback: 'Chargeback opened by the card’s bank',
  fraud_warning: 'Fraud warning by the card’s bank',
  review: 'Review asked for by the card provider',
  suspicion_dismissed: 'Checked: the payment continues',
  evidence: 'Evidence added',
  evidence_sent: 'Evidence sent to the card’s bank',
  answered: 'Statement added',
  withdrawn: 'Dispute withdrawn',
  settlement_proposed: 'Settlement proposed',
  settled: 'Settlement accepted',
  under_review: 'Under review',
  request_more_info: 'More information requested',
  refund_full: 'Decided: full refund',
  refund_partial: 'Decided: partial refund',
  release_seller: 'Decided: released to the seller',
  split_difference: 'Decided: difference split',
  refunded_later: 'Buyer refunded after the release',
}

interface DetailsProps {
  action: string
  details: string
  currency: Currency
}

function Details({ action, details, currency }: DetailsProps) {
  // An excerpt is enough: the same screen shows the whole reason.
  if (action === 'filed') return <ReasonExcerpt reason={details} />
  const isSettlement = action === 'settlement_proposed' || action === 'settled'
  return (
    <p className="whitespace-pre-line [overflow-wrap:anywhere]">
      {isSettlement ? formatSettlement(details, currency) : details}
    </p>
  )
}

/** The server stores a settlement as '12.50 back to the buyer'. The currency is added here. */
export const formatSettlement = (details: string, currency: Currency): string =>
  details.replace(/^\d+(\.\d+)?(?= )/, (amount) => formatMoney(parseMoney(amount, currency) ?? 0, currency))

function DotAndLine() {
  return (
    <span aria-hidden="true">
      <span className="absolute top-2 bottom-[-0.5rem] left-[0.3125rem] w-px bg-line-strong group-last:hidden" />
      <span className="absolute top-1.5 left-0 size-3 rounded-round border-2 border-accent bg-paper" />
    </span>
  )
}
