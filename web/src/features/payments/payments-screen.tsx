import { listStatements } from '@sought/contract/documents'
import { paths } from '@sought/contract/paths'
import { listPayments, type PaymentWithItem } from '@sought/contract/payments'
import { listPayouts } from '@sought/contract/sellers'
import { isLikeTransactionNumber, parseTransactionNumber } from '@sought/contract/transaction-number'
import { useState } from 'react'
import { useRead, useReadPages } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { formatMonth } from '../../format/dates.ts'
import { isDraft } from '../../shared/deals/payment-status.ts'
import { SearchForm } from '../../shared/forms/search-form.tsx'
import { PagedList } from '../../shared/loading/paged-list.tsx'
import { LinkButton, TextLink } from '../../shared/navigation/links.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Skeletons } from '../../ui/feedback/skeleton.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { TransactionCard } from './transaction-card.tsx'

const PAGE_SIZE = 20
const RECENT_COUNT = 3

export function PaymentsScreen() {
  const session = useSession()
  const [search, setSearch] = useState('')
  const pairs = useReadPages(
    listPayments,
    { limit: String(PAGE_SIZE), ...(search && { search }) },
    { idOf: ({ payments }) => payments.id },
  )
  if (session.state !== 'signed-in') return null
  const userId = session.user.id
  const payments = pairs.data
    ?.map(({ payments, wantedItem }) => ({ ...payments, wantedItem }))
    // Sellers do not see checkouts that were only opened.
    .filter((payment) => payment.buyerId === userId || !isDraft(payment))
  const hasPayments = payments !== undefined && payments.length > 0
  return (
    <Page title="My Transactions" lead="What you bought and sold, and where the money is." width="desk">
      {(hasPayments || search !== '') && <PaymentSearch value={search} onSearch={setSearch} />}
      <PagedList
        pages={{ ...pairs, data: payments }}
        loading={<Skeletons className="gap-5" each="h-64 sm:h-52" />}
        empty={search ? <NoMatches search={search} onClear={() => setSearch('')} /> : <NoTransactions />}
        layout={(all) =>
          search ? (
            <Transactions title="Found" payments={all} userId={userId} />
          ) : (
            <>
              <Transactions title="Recent" payments={all.slice(0, RECENT_COUNT)} userId={userId} />
              <Transactions title="Earlier" payments={all.slice(RECENT_COUNT)} userId={userId} />
            </>
          )
        }
      />
      {hasPayments && <StatementList />}
    </Page>
  )
}

interface TransactionsProps {
  title: string
  payments: readonly PaymentWithItem[]
  userId: string
}

function Transactions({ title, payments, userId }: TransactionsProps) {
  if (payments.length === 0) return null
  const pageCount = Math.ceil(payments.length / PAGE_SIZE)
  return (
    <section aria-label={title} className="mt-10 first-of-type:mt-0">
      <h2 className="mb-4 font-display font-strong text-title">{title}</h2>
      <ul className="grid gap-5">
        {Array.from({ length: pageCount }, (_, page) => (
          <TransactionCards
            // biome-ignore lint/suspicious/noArrayIndexKey: a page has no id other than its position
            key={page}
            payments={payments.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE)}
            userId={userId}
          />
        ))}
      </ul>
    </section>
  )
}

/** Renders at most one page of payments, so that one request returns the payouts of all sales on it. */
function TransactionCards({ payments, userId }: Omit<TransactionsProps, 'title'>) {
  const saleIds = payments.filter(({ sellerId }) => sellerId === userId).map(({ id }) => id)
  const payouts = useRead(
    listPayouts,
    { query: { paymentIds: saleIds.join() } },
    { enabled: saleIds.length > 0 },
  )
  return payments.map((payment) => (
    <li key={payment.id}>
      <TransactionCard
        payment={payment}
        userId={userId}
        payout={payouts.data?.find(({ paymentId }) => paymentId === payment.id)}
      />
    </li>
  ))
}

function NoTransactions() {
  return (
    <EmptyState
      drawing="parcel"
      title="No transactions yet"
      action={
        <>
          <LinkButton to={paths.post()}>Post a Request</LinkButton>
          <LinkButton to={paths.home()} variant="secondary">
            Browse Requests
          </LinkButton>
        </>
      }
    >
      Items you buy or sell will appear here.
    </EmptyState>
  )
}

const SEARCH_DELAY_MS = 300

function PaymentSearch(search: { value: string; onSearch: (text: string) => void }) {
  return (
    <SearchForm
      label="Search your transactions"
      placeholder="Transaction number, item or name"
      maxLength={200}
      delayMs={SEARCH_DELAY_MS}
      className="mb-8 block max-w-column"
      {...search}
    />
  )
}

function NoMatches({ search, onClear }: { search: string; onClear: () => void }) {
  const isMistyped = isLikeTransactionNumber(search) && parseTransactionNumber(search) === null
  return (
    <EmptyState
      drawing="lens"
      title={isMistyped ? 'This is not a valid transaction number' : 'No transactions found'}
      action={
        <Button variant="secondary" onClick={onClear}>
          Show all transactions
        </Button>
      }
    >
      {isMistyped ? 'Please check it for typing mistakes.' : `Nothing matches “${search}”.`}
    </EmptyState>
  )
}

/** The seller's monthly statements. Buyers have none, so nothing is shown until there is one. */
function StatementList() {
  const { data: statements = [] } = useRead(listStatements)
  if (statements.length === 0) return null
  return (
    <section aria-labelledby="statements" className="mt-10">
      <h2 id="statements" className="mb-4 font-display font-strong text-title">
        Statements
      </h2>
      <ul className="flex flex-wrap gap-x-6 gap-y-2">
        {statements.map(({ month, draft }) => (
          <li key={month} className="flex items-center gap-2">
            <TextLink to={paths.statement(month)}>{formatMonth(month)}</TextLink>
            {draft && <Badge tone="outline">Draft</Badge>}
          </li>
        ))}
      </ul>
    </section>
  )
}
