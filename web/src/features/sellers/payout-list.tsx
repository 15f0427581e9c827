import type { Currency } from '@sought/contract/currencies'
import { listPayouts, type Payout } from '@sought/contract/sellers'
import { useId } from 'react'
import { useReadPages } from '../../data/calls.ts'
import { formatMoney } from '../../format/money.ts'
import { PagedList } from '../../shared/loading/paged-list.tsx'
import { useFirstCurrency } from '../../shared/market/currency.ts'
import { describePayout } from '../../shared/payouts/payout-status.ts'
import { Money } from '../../ui/display/money.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'

const PAGE_SIZE = 100

const labels = {
  owed: 'Owed to you',
  sending: 'On its way',
  paid: 'Paid',
  frozen: 'On hold',
  reversed: 'Reversed',
  cancelled: 'Cancelled',
  failed: 'Failed at your bank',
} satisfies Record<Payout['status'], string>

export function PayoutList() {
  const headingId = useId()
  const payouts = useReadPages(listPayouts, { limit: String(PAGE_SIZE) })
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-5 font-display font-strong text-title">
        Your payouts
      </h2>
      {payouts.data && <Totals payouts={payouts.data} hasMore={payouts.hasNextPage} />}
      <PagedList pages={payouts} loading={<Skeleton className="h-24" />} className="mt-5 grid">
        {(payout) => <PayoutRow key={payout.id} payout={payout} />}
      </PagedList>
    </section>
  )
}

function Totals({ payouts, hasMore }: { payouts: readonly Payout[]; hasMore: boolean }) {
  const currency = useFirstCurrency()
  const totalOf = (status: Payout['status']) =>
    formatTotal(
      payouts.filter((it) => it.status === status),
      currency,
    )
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-px overflow-hidden rounded-card bg-line shadow-card sm:grid-cols-3">
        {(['owed', 'sending', 'paid'] as const).map((status) => (
          <div key={status} className="bg-paper p-5">
            <Money what={labels[status]} amount={totalOf(status)} size="title" />
          </div>
        ))}
      </div>
      {hasMore && (
        <p className="mt-2 text-fine text-ink-soft">Totals of the latest {payouts.length} payouts.</p>
      )}
    </>
  )
}

/** One sum per currency. */
function formatTotal(payouts: readonly Payout[], defaultCurrency: Currency): string {
  const currencies = new Set(payouts.map(({ currency }) => currency))
  if (currencies.size === 0) return formatMoney(0, defaultCurrency)
  const sumOf = (currency: Currency) =>
    payouts.filter((it) => it.currency === currency).reduce((sum, { amount }) => sum + amount, 0)
  return [...currencies].map((currency) => formatMoney(sumOf(currency), currency)).join(' + ')
}

function PayoutRow({ payout }: { payout: Payout }) {
  return (
    <li className="flex items-baseline justify-between gap-6 border-line border-t py-3 first:border-t-0">
      <span className="grid min-w-0">
        <span className="truncate">{payout.itemTitle}</span>
        <span className="text-fine text-ink-soft">{describePayout(payout)}</span>
      </span>
      <span className="whitespace-nowrap font-strong tabular-nums">
        {formatMoney(payout.amount, payout.currency)}
      </span>
    </li>
  )
}
