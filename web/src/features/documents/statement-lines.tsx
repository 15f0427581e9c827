import type { StatementAccount, StatementLine, StatementLineKind } from '@sought/contract/documents'
import { formatUtcDate } from '../../format/dates.ts'
import { formatCents } from '../../format/money.ts'

const labels = {
  sale: 'Sale',
  dispute_ruling: 'Sale after a dispute',
  refund: 'Refund',
  refund_failed: 'Refund failed',
  chargeback: 'Chargeback',
  chargeback_won: 'Chargeback won',
  payout: 'Payout',
  payout_undone: 'Payout undone',
  payout_reversed: 'Payout reversed',
  cancellation_fee: 'Card fee of a cancelled deal',
  goodwill: 'Goodwill payment',
  goodwill_paid: 'Goodwill paid',
  adjustment: 'Adjustment',
} satisfies Record<StatementLineKind, string>

const methods = { transfer: 'by transfer', manual: 'to your bank account' } as const

type Currency = StatementAccount['currency']

/** The amounts of a line that are not zero, such as 'Platform fee −$3.60'. */
function describeAmounts(line: StatementLine, currency: Currency): string[] {
  const parts: [string, number][] = [
    ['Amount', line.amount],
    ['Refund', -line.refund],
    ['Platform fee', -line.platformFee],
    ['Card processing', -line.processingFee],
    // The change of the balance already shows a payout, except one that was taken back for a chargeback.
    ['Payout taken back', line.kind === 'chargeback' ? -line.payout : 0],
  ]
  return parts
    .filter(([, cents]) => cents !== 0)
    .map(([what, cents]) => `${what} ${formatCents(cents, currency)}`)
}

function describeKind({ kind, payoutMethod }: StatementLine): string {
  return kind === 'payout' && payoutMethod ? `${labels[kind]} ${methods[payoutMethod]}` : labels[kind]
}

/** Each line with its date, its event, and the change of the amount owed to the seller. */
export function StatementLines({ lines, currency }: { lines: readonly StatementLine[]; currency: Currency }) {
  if (lines.length === 0) return <p className="text-ink-soft">Nothing changed in this month.</p>
  return (
    <ul className="grid border-line border-y">
      {lines.map((line) => (
        <li
          key={line.id}
          className="grid break-inside-avoid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-1 border-line border-t py-3 first:border-t-0 md:grid-cols-[7rem_minmax(0,1fr)_auto]"
        >
          <time dateTime={line.at} className="text-fine text-ink-soft max-md:col-span-2">
            {formatUtcDate(line.at)}
          </time>
          <div className="grid min-w-0 gap-0.5">
            <p className="font-strong">{describeKind(line)}</p>
            <p className="[overflow-wrap:anywhere]">
              {line.itemTitle} · {line.buyerName}
            </p>
            <p className="flex flex-wrap gap-x-4 text-fine text-ink-soft tabular-nums">
              <span className="whitespace-nowrap">{line.transactionNumber}</span>
              {describeAmounts(line, currency).map((amount) => (
                <span key={amount} className="whitespace-nowrap">
                  {amount}
                </span>
              ))}
            </p>
          </div>
          <span className="whitespace-nowrap text-right font-strong tabular-nums">
            {formatCents(line.balance, currency)}
          </span>
        </li>
      ))}
    </ul>
  )
}
