import { listSettingsHistory, type SettingsVersion } from '@sought/contract/market-settings'
import { useReadPages } from '../../../data/calls.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { PagedList } from '../../../shared/loading/paged-list.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { SettingsSection } from './settings-section.tsx'

const PAGE_SIZE = 20

export function HistorySection() {
  return (
    <SettingsSection title="History" lead="Who changed which settings, newest first.">
      <History />
    </SettingsSection>
  )
}

function History() {
  return (
    <PagedList
      pages={useReadPages(listSettingsHistory, { limit: String(PAGE_SIZE) })}
      loading={<Skeleton className="h-24" />}
      empty={<p className="text-ink-soft">Nothing has been changed yet.</p>}
      layout={(versions) => (
        <ol aria-label="Changes" className="grid gap-4">
          {versions.map((version) => (
            <Version key={version.id} version={version} />
          ))}
        </ol>
      )}
    />
  )
}

const labels: Record<string, string> = {
  name: 'Name',
  categories: 'Categories',
  mode: 'Mode',
  paymentMethods: 'Payment methods',
  holdDays: 'Days in escrow',
  holdDaysHighValue: 'Days in escrow, high value',
  offerExpiryDays: 'Days until an offer expires',
  maxOfferCents: 'Highest offer',
  openRequestsMax: 'Open requests per person',
  goodwillApprovalCents: 'Goodwill without a second admin',
  proposedGoodwillApprovalCents: 'Proposed goodwill without a second admin',
  cancellationFeePayer: 'Who pays the card fee of a cancelled deal',
  cancellationsMax: 'Cancellations within 30 days',
  debtWriteOffDays: 'Days until a debt is given up',
  ratingMinCents: 'Lowest amount whose rating counts',
  requireVerifiedEmail: 'Offers and payments need a verified email',
  payoutDelayHours: 'Hours between payment and payout',
  newSellerPayoutDelayDays: 'Days that a new seller’s payouts wait',
  accentColor: 'Accent colour',
  logoUrl: 'Logo',
  platformFeePercent: 'Platform fee, in percent',
  processingFeePercent: 'Card fee, in percent',
  processingFeeCents: 'Card fee, fixed part',
  minimumFee: 'Lowest platform fee',
  feeTiers: 'Platform fees of larger amounts',
}

type Value = SettingsVersion['changes'][number]['to']

function formatValue(field: string, value: Value) {
  if (value === null) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  // Earlier logos are not kept.
  if (field === 'logoUrl') return 'a picture'
  if (!Array.isArray(value)) return value
  const texts = value.map((entry) =>
    typeof entry === 'string' ? entry : `${entry.percent}% from ${entry.from}`,
  )
  return texts.length > 0 ? texts.join(', ') : 'none'
}

function Version({ version: { changedBy, createdAt, changes, feesFrom } }: { version: SettingsVersion }) {
  return (
    <li className="[overflow-wrap:anywhere]">
      <p className="text-fine text-ink-soft">
        {changedBy?.name ?? 'Unknown'} · <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>
        {feesFrom && ` · fees from ${formatDateTime(feesFrom)}`}
      </p>
      <ul>
        {changes.map(({ field, from, to }) => (
          <li key={field}>
            <span className="font-strong">{labels[field] ?? field}</span>: {formatValue(field, from)} →{' '}
            {formatValue(field, to)}
          </li>
        ))}
      </ul>
    </li>
  )
}
