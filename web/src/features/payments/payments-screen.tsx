import { paths } from '@sought/contract/paths'
import { listPayments, type PaymentWithItem } from '@sought/contract/payments'
import { listPayouts } from '@sought/contract/sellers'
import { Link } from 'wouter'
import { useRead, useReadPages } from '../../lib/calls.ts'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatementList } from './statement-list.tsx'
import { TransactionCard } from './transaction-card.tsx'

const PAGE_SIZE = 20
const RECENT_COUNT = 3

export function PaymentsScreen() {
  const session = useSession()
  const pairs = useReadPages(
    listPayments,
    { limit: String(PAGE_SIZE) },
    { staleMs: 0, idOf: ({ payments }) => payments.id },
  )
  const payments = (pairs.data ?? []).map(({ payments, wantedItem }) => ({ ...payments, wantedItem }))
  if (session.state !== 'signed-in') return null
  return (
    <Page title="My Transactions" lead="What you bought and sold, and where the money is." width="desk">
      {pairs.isPending && <Skeletons />}
      {pairs.isError && payments.length === 0 && (
        <ErrorState
          reference={pairs.error?.requestId}
          onRetry={() => void pairs.refetch()}
          busy={pairs.isFetching}
        />
      )}
      {pairs.isSuccess && payments.length === 0 && <NoTransactions />}
      <Transactions title="Recent" payments={payments.slice(0, RECENT_COUNT)} userId={session.user.id} />
      <Transactions title="Earlier" payments={payments.slice(RECENT_COUNT)} userId={session.user.id} />
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
