import { type CurrentUser, getUserStats, listPurchases } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { listOwnWantedItems } from '@sought/contract/requests'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { formatMoney } from '../../format/money.ts'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { useFirstCurrency } from '../../shared/market/currency.ts'
import { TextLink } from '../../shared/navigation/links.tsx'
import { useResendLink } from '../../shared/sign-in/use-resend-link.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Button } from '../../ui/forms/button.tsx'
import {
  ActivityList,
  ActivityListSkeleton,
  NoRequestsYet,
  PaymentRow,
  RequestRow,
} from './activity-rows.tsx'
import { useIsUndeliverable } from './use-is-undeliverable.ts'

const RECENT_COUNT = 3

export function OverviewTab({ user }: { user: CurrentUser }) {
  const requests = useRead(listOwnWantedItems, { query: { limit: String(RECENT_COUNT) } })
  const purchases = useRead(listPurchases, { query: { limit: String(RECENT_COUNT) } })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
      <EmailNotice user={user} />
      <Stats />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-10 lg:grid-cols-2">
        <Recent title="Recent requests" more="All requests">
          <Loaded
            query={requests}
            loading={<ActivityListSkeleton />}
            errorTitle="Failed to fetch wanted items"
          >
            {(items) => (
              <ActivityList empty={<NoRequestsYet />}>
                {items.map((item) => (
                  <RequestRow key={item.id} item={item} />
                ))}
              </ActivityList>
            )}
          </Loaded>
        </Recent>
        <Recent title="Recent purchases" more="All purchases">
          <Loaded query={purchases} loading={<ActivityListSkeleton />}>
            {(list) => (
              <ActivityList empty="No purchases yet. Items you pay for appear here.">
                {list.map((purchase) => (
                  <PaymentRow
                    key={purchase.id}
                    title={purchase.title}
                    href={paths.delivery(purchase.id)}
                    payment={purchase}
                    party="buyer"
                    amountCents={purchase.amount}
                    currency={purchase.currency}
                  />
                ))}
              </ActivityList>
            )}
          </Loaded>
        </Recent>
      </div>
    </div>
  )
}

function Stats() {
  const currency = useFirstCurrency()
  const stats = useRead(getUserStats)
  return (
    <Loaded query={stats} loading={<Skeleton className="h-28" />}>
      {({ totalWantedItems, totalPurchases, totalSpent }) => (
        <dl className="grid rounded-card bg-paper shadow-card max-sm:divide-y max-sm:divide-line sm:grid-cols-3 sm:divide-x sm:divide-line">
          <Figure label="Requests posted" value={String(totalWantedItems)} />
          <Figure label="Purchases" value={String(totalPurchases)} />
          <Figure label="Spent" value={formatMoney(totalSpent, currency)} />
        </dl>
      )}
    </Loaded>
  )
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4 px-5 py-4 sm:flex-col-reverse sm:justify-end sm:gap-0.5 sm:px-7 sm:py-5">
      <dt className="text-ink-soft">{label}</dt>
      <dd className="font-display font-strong text-heading tabular-nums">{value}</dd>
    </div>
  )
}

function Recent({ title, more, children }: { title: string; more: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <div className="mb-2 flex items-baseline justify-between gap-4">
        <h2 className="font-display font-strong text-title">{title}</h2>
        <Link href={paths.profile({ tab: 'activity' })} className="link shrink-0 text-fine">
          {more}
        </Link>
      </div>
      {children}
    </section>
  )
}

/** Problems with the user's email address, if any. */
function EmailNotice({ user }: { user: CurrentUser }) {
  const isUndeliverable = useIsUndeliverable(user.email)
  if (isUndeliverable) return <UndeliverableNotice user={user} />
  return user.emailVerified ? null : <UnverifiedNotice user={user} />
}

function UnverifiedNotice({ user }: { user: CurrentUser }) {
  const { run, isPending } = useResendLink(user.email)
  return (
    <Notice
      title="Your email is not verified yet"
      action={
        <Button variant="secondary" size="sm" busy={isPending} onClick={() => void run()}>
          Resend Link
        </Button>
      }
    >
      Open the link we sent to <span className="[overflow-wrap:anywhere]">{user.email}</span>, so that we can
      reach you about your offers and payments.
    </Notice>
  )
}

/** While a new address waits for its confirmation, users confirm that one instead, so there is no retry button. */
function UndeliverableNotice({ user }: { user: CurrentUser }) {
  const { run, isPending } = useResendLink(user.email)
  return (
    <Notice
      tone="danger"
      title="Our emails don’t reach you"
      action={
        !user.pendingEmail && (
          <Button variant="secondary" size="sm" busy={isPending} onClick={() => void run()}>
            Try Again
          </Button>
        )
      }
    >
      The mail server says that <span className="[overflow-wrap:anywhere]">{user.email}</span> does not exist,
      so we stopped sending emails to it.{' '}
      <TextLink to={paths.profile({ tab: 'settings' })}>Change your address</TextLink>
      {user.pendingEmail ? '.' : ', or try again if it works now.'}
    </Notice>
  )
}
