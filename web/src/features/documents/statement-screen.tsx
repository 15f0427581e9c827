import {
  exportStatement,
  getStatement,
  Month,
  type Statement,
  type StatementAccount,
} from '@sought/contract/documents'
import { useParams } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { getUrl } from '../../data/client.ts'
import { formatMonth, formatUtcDate } from '../../format/dates.ts'
import { formatCents } from '../../format/money.ts'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { DefinitionList } from '../../ui/display/definition-list.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { DocumentNotFound, DocumentPage } from './document-page.tsx'
import { StatementLines } from './statement-lines.tsx'

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
  const format = (cents: number) => formatCents(cents, currency)
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
