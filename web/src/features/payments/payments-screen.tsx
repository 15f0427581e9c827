import { paths } from '@sought/contract/paths'
import { listPayments, type PaymentWithItem } from '@sought/contract/payments'
import { listPayouts } from '@sought/contract/sellers'
import { useState } from 'react'
import { Link } from 'wouter'
import { useRead, useReadPages } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { isDraft } from '../../shared/deals/payment-status.ts'
import { PagedList } from '../../shared/loading/paged-list.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { NoMatches, PaymentSearch } from './payment-search.tsx'
import { StatementList } from './statement-list.tsx'
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
        loading={<Skeletons />}
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

function Skeletons() {
  return (
    <div role="status" aria-label="Loading..." className="grid gap-5">
      {['first', 'second', 'third'].map((key) => (
        <Skeleton key={key} className="h-64 sm:h-52" />
      ))}
    </div>
  )
}

function NoTransactions() {
  return (
    <EmptyState
      drawing="parcel"
      title="No transactions yet"
      action={
        <>
          <Button asChild>
            <Link href={paths.post()}>Post a Request</Link>
          </Button>
          <Button asChild variant="secondary">
            <Link href={paths.home()}>Browse Requests</Link>
          </Button>
        </>
      }
    >
      Items you buy or sell will appear here.
    </EmptyState>
  )
}
