import type { CurrentUser } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { listPayments } from '@sought/contract/payments'
import { listOwnWantedItems } from '@sought/contract/requests'
import { useReadPages } from '../../data/calls.ts'
import { formatDate } from '../../format/dates.ts'
import { isDraft } from '../../shared/deals/payment-status.ts'
import { PagedList } from '../../shared/loading/paged-list.tsx'
import { PersonLink } from '../../shared/people/person-link.tsx'
import {
  ActivityListSkeleton,
  activityList,
  NoActivity,
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
  return (
    <PagedList
      pages={useReadPages(listOwnWantedItems, { limit: String(PAGE_SIZE) })}
      loading={<ActivityListSkeleton />}
      errorTitle="Failed to fetch wanted items"
      className={activityList}
      empty={
        <NoActivity>
          <NoRequestsYet />
        </NoActivity>
      }
      more={{ label: 'Show more requests' }}
    >
      {(item) => <RequestRow key={item.id} item={item} />}
    </PagedList>
  )
}

function Payments({ me }: { me: string }) {
  const pairs = useReadPages(
    listPayments,
    { limit: String(PAGE_SIZE) },
    { idOf: ({ payments }) => payments.id },
  )
  // Sellers do not see checkouts that were only opened.
  const shown = pairs.data?.filter(({ payments }) => payments.buyerId === me || !isDraft(payments))
  return (
    <PagedList
      pages={{ ...pairs, data: shown }}
      loading={<ActivityListSkeleton />}
      className={activityList}
      empty={<NoActivity>No purchases or sales yet.</NoActivity>}
      more={{ label: 'Show more purchases and sales' }}
    >
      {({ payments: payment, wantedItem }) => {
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
      }}
    </PagedList>
  )
}
