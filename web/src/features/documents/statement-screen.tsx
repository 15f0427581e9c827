import {
  exportStatement,
  getStatement,
  Month,
  type Statement,
  type StatementAccount,
  type StatementLine,
  type StatementLineKind,
} from '@sought/contract/documents'
import { useParams } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { getUrl } from '../../data/client.ts'
import { formatMonth, formatUtcDate } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { DefinitionList } from '../../ui/display/definition-list.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { DocumentNotFound, DocumentPage } from './document-page.tsx'

/** A seller's sales and payouts in a month. */
export function StatementScreen() {
  const { month } = useParams<{ month: string }>()
  const isMonth = Month.safeParse(month).success
  const statement = useRead(getStatement, { params: { month } }, { enabled: isMonth })
  if (!isMonth) return <StatementNotFound />
  return (
    <Loaded query={statement} notFound={<StatementNotFound />} errorTitle="The statement could not be loaded">
      {(it) => <StatementPage statement={it} />}
    </Loaded>
  )
}

function StatementNotFound() {
  return (
    <DocumentNotFound title="Statement Not Found">
      You have no sales or payouts in this month, so there is no statement for it.
    </DocumentNotFound>
  )
}

function StatementPage({ statement }: { statement: Statement }) {
  const { month, number, issuedAt, issuer, sellerName, accounts } = statement
  const csvUrl = getUrl(exportStatement, { params: { month } })
  return (
    <DocumentPage title="Statement" number={number ?? 'Draft'} issuer={issuer} csvUrl={csvUrl}>
      {!number && (
        <Notice title="This month is not over">
          The statement gets its number on the first day of the next month.
        </Notice>
      )}
      <DefinitionList
        rows={[
          { label: 'Month', value: formatMonth(month) },
          { label: 'Seller', value: sellerName },
          issuedAt && { label: 'Issued on', value: formatUtcDate(issuedAt) },
        ]}
      />
      {accounts.map((account) => (
        <Account key={account.currency} account={account} isDraft={!number} />
      ))}
    </DocumentPage>
  )
}

function Account({ account, isDraft }: { account: StatementAccount; isDraft: boolean }) {
  const { currency, opening, lines, totals, closing } = account
  const format = (cents: number) => formatMoney(cents, currency)
  const name = currency.toUpperCase()
  return (
    <section aria-label={name} className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <h2 className="font-display font-strong text-lead">{name}</h2>
      <StatementLines lines={lines} currency={currency} />
      <DefinitionList
        figures
        rows={[
          { label: 'Owed to you before', value: format(opening) },
          { label: 'Amount', value: format(totals.amount) },
          { label: 'Refunds', value: format(-totals.refund) },
          { label: 'Platform fees', value: format(-totals.platformFee) },
          { label: 'Card processing', value: format(-totals.processingFee) },
          { label: 'Payouts', value: format(-totals.payout) },
          {
            label: isDraft ? 'Owed to you now' : 'Owed to you at the end of the month',
            value: format(closing),
            total: true,
          },
        ]}
      />
    </section>
  )
}

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
    .map(([what, cents]) => `${what} ${formatMoney(cents, currency)}`)
}

function describeKind({ kind, payoutMethod }: StatementLine): string {
  return kind === 'payout' && payoutMethod ? `${labels[kind]} ${methods[payoutMethod]}` : labels[kind]
}

/** Each line with its date, its event, and the change of the amount owed to the seller. */
function StatementLines({ lines, currency }: { lines: readonly StatementLine[]; currency: Currency }) {
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
            {formatMoney(line.balance, currency)}
          </span>
        </li>
      ))}
    </ul>
  )
}
