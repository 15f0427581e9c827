import type { CurrentUser } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { listPayments } from '@sought/contract/payments'
import { listOwnWantedItems } from '@sought/contract/requests'
import { useReadPages } from '../../data/calls.ts'
import { formatDate } from '../../format/dates.ts'
import { isDraft } from '../../shared/deals/payment-status.ts'
import { PersonLink } from '../../shared/people/person-link.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { LoadMore } from '../../ui/feedback/load-more.tsx'
import {
  ActivityList,
  ActivityListSkeleton,
  NoRequestsYet,
  PaymentRow,
  RequestRow,
} from './activity-rows.tsx'
import { Section } from './section.tsx'

const PAGE_SIZE = 10

/** All requests, purchases and sales of the user, newest first. */
export function ActivityTab({ user }: { user: CurrentUser }) {
  return (
    <>
      <Section title="Requests" description="Items you asked for.">
        <Requests />
      </Section>
      <Section title="Purchases and sales" description="Items you bought and sold.">
        <Payments me={user.id} />
      </Section>
    </>
  )
}

function Requests() {
  const requests = useReadPages(listOwnWantedItems, { limit: String(PAGE_SIZE) }, { staleMs: 0 })
  if (requests.isPending) return <ActivityListSkeleton />
  if (requests.isError && !requests.data) {
    return (
      <ErrorState
        title="Failed to fetch wanted items"
        reference={requests.error?.requestId}
        onRetry={() => void requests.refetch()}
        busy={requests.isFetching}
      />
    )
  }
  return (
    <>
      <ActivityList empty={<NoRequestsYet />}>
        {requests.data.map((item) => (
          <RequestRow key={item.id} item={item} />
        ))}
      </ActivityList>
      <LoadMore
        hasMore={requests.hasNextPage}
        onMore={() => void requests.fetchNextPage()}
        busy={requests.isFetchingNextPage}
        label="Show more requests"
      />
    </>
  )
}

function Payments({ me }: { me: string }) {
  const pairs = useReadPages(
    listPayments,
    { limit: String(PAGE_SIZE) },
    { staleMs: 0, idOf: ({ payments }) => payments.id },
  )
  if (pairs.isPending) return <ActivityListSkeleton />
  if (pairs.isError && !pairs.data) {
    return (
      <ErrorState
        reference={pairs.error?.requestId}
        onRetry={() => void pairs.refetch()}
        busy={pairs.isFetching}
      />
    )
  }
  // Sellers do not see checkouts that were only opened.
  const shown = pairs.data.filter(({ payments }) => payments.buyerId === me || !isDraft(payments))
  return (
    <>
      <ActivityList empty="No purchases or sales yet.">
        {shown.map(({ payments: payment, wantedItem }) => {
          const isBuyer = payment.buyerId === me
          const other = isBuyer ? payment.seller : payment.buyer
          return (
            <PaymentRow
              key={payment.id}
              title={wantedItem.title}
              href={
                isBuyer
                  ? paths.delivery(payment.id)
                  : paths.messages({ itemId: wantedItem.id, userId: other.id })
              }
              payment={payment}
              party={isBuyer ? 'buyer' : 'seller'}
              amountCents={payment.amount}
              currency={payment.currency}
              note={
                <>
                  {isBuyer ? 'Bought from' : 'Sold to'} <PersonLink person={other} className="link" /> ·{' '}
                  {formatDate(payment.createdAt)}
                </>
              }
            />
          )
        })}
      </ActivityList>
      <LoadMore
        hasMore={pairs.hasNextPage}
        busy={pairs.isFetchingNextPage}
        onMore={() => void pairs.fetchNextPage()}
        label="Show more purchases and sales"
      />
    </>
  )
}
