import type { CurrentUser } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { listPayments } from '@sought/contract/payments'
import { listOwnWantedItems } from '@sought/contract/requests'
import { useState } from 'react'
import { useRead, useReadPages } from '../../lib/calls.ts'
import { formatDate } from '../../lib/dates.ts'
import { Loaded } from '../../lib/loaded.tsx'
import { PersonLink } from '../../lib/person-link.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
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
  const requests = useRead(listOwnWantedItems, undefined, { staleMs: 0 })
  const [shownCount, setShownCount] = useState(PAGE_SIZE)
  return (
    <Loaded query={requests} loading={<ActivityListSkeleton />} errorTitle="Failed to fetch wanted items">
      {(items) => (
        <>
          <ActivityList empty={<NoRequestsYet />}>
            {items.slice(0, shownCount).map((item) => (
              <RequestRow key={item.id} item={item} />
            ))}
          </ActivityList>
          <LoadMore
            hasMore={items.length > shownCount}
            onMore={() => setShownCount(shownCount + PAGE_SIZE)}
            label="Show more requests"
          />
        </>
      )}
    </Loaded>
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
    return <ErrorState onRetry={() => void pairs.refetch()} busy={pairs.isFetching} />
  }
  return (
    <>
      <ActivityList empty="No purchases or sales yet.">
        {pairs.data.map(({ payments: payment, wantedItem }) => {
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
              status={payment.status}
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
