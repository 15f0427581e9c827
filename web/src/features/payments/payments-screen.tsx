import { paths } from '@sought/contract/paths'
import { listPayments, type PaymentWithItem } from '@sought/contract/payments'
import { listPayouts } from '@sought/contract/sellers'
import { Link } from 'wouter'
import { useRead, useReadPages } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { isDraft } from '../../shared/deals/payment-status.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { LoadMore } from '../../ui/feedback/load-more.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { NoMatches, PaymentSearch, usePaymentSearch } from './payment-search.tsx'
import { StatementList } from './statement-list.tsx'
import { TransactionCard } from './transaction-card.tsx'

const PAGE_SIZE = 20
const RECENT_COUNT = 3

export function PaymentsScreen() {
  const session = useSession()
  const { field, search, clear } = usePaymentSearch()
  const pairs = useReadPages(
    listPayments,
    { limit: String(PAGE_SIZE), ...(search && { search }) },
    { staleMs: 0, idOf: ({ payments }) => payments.id },
  )
  if (session.state !== 'signed-in') return null
  const userId = session.user.id
  const payments = (pairs.data ?? [])
    .map(({ payments, wantedItem }) => ({ ...payments, wantedItem }))
    // Sellers do not see checkouts that were only opened.
    .filter((payment) => payment.buyerId === userId || !isDraft(payment))
  const isEmpty = pairs.isSuccess && payments.length === 0
  return (
    <Page title="My Transactions" lead="What you bought and sold, and where the money is." width="desk">
      {(payments.length > 0 || field.text !== '' || search !== '') && <PaymentSearch {...field} />}
      {pairs.isPending && <Skeletons />}
      {pairs.isError && payments.length === 0 && (
        <ErrorState
          reference={pairs.error?.requestId}
          onRetry={() => void pairs.refetch()}
          busy={pairs.isFetching}
        />
      )}
      {isEmpty && (search ? <NoMatches search={search} onClear={clear} /> : <NoTransactions />)}
      {search ? (
        <Transactions title="Found" payments={payments} userId={userId} />
      ) : (
        <>
          <Transactions title="Recent" payments={payments.slice(0, RECENT_COUNT)} userId={userId} />
          <Transactions title="Earlier" payments={payments.slice(RECENT_COUNT)} userId={userId} />
        </>
      )}
      <LoadMore
        hasMore={pairs.hasNextPage}
        busy={pairs.isFetchingNextPage}
        onMore={() => void pairs.fetchNextPage()}
      />
      {payments.length > 0 && <StatementList />}
    </Page>
  )
}

interface TransactionsProps {
  title: string
  payments: readonly PaymentWithItem[]
  userId: string
}

function Transactions({ title, payments, userId }: TransactionsProps) {
  const isSeller = payments.some(({ sellerId }) => sellerId === userId)
  const payouts = useRead(listPayouts, { query: {} }, { enabled: isSeller, staleMs: 0 })
  if (payments.length === 0) return null
  return (
    <section aria-label={title} className="mt-10 first-of-type:mt-0">
      <h2 className="mb-4 font-display font-strong text-title">{title}</h2>
      <ul className="grid gap-5">
        {payments.map((payment) => (
          <li key={payment.id}>
            <TransactionCard
              payment={payment}
              userId={userId}
              payout={payouts.data?.find(({ paymentId }) => paymentId === payment.id)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
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
