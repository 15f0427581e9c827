import type { Currency } from '@sought/contract/currencies'
import { paths } from '@sought/contract/paths'
import type { WantedItem } from '@sought/contract/requests'
import { Children, type ReactNode } from 'react'
import { Link } from 'wouter'
import { formatBudget } from '../../format/budget.ts'
import { formatDate } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'
import { getPaymentLabel, type Party, paymentTones } from '../../shared/deals/payment-status.ts'
import { TextLink } from '../../shared/navigation/links.tsx'
import { requestStates } from '../../shared/requests/request-status.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Skeletons } from '../../ui/feedback/skeleton.tsx'

/** A list with lines between its rows, or a text if it is empty. */
export function ActivityList({ empty, children }: { empty: ReactNode; children: ReactNode }) {
  if (Children.count(children) === 0) return <NoActivity>{empty}</NoActivity>
  return <ul className={activityList}>{children}</ul>
}

export const activityList = 'border-line border-t'

export function NoActivity({ children }: { children: ReactNode }) {
  return <p className="border-line border-t py-4 text-ink-soft">{children}</p>
}

export function NoRequestsYet() {
  return (
    <>
      No requests yet. <TextLink to={paths.post()}>Post a request</TextLink>.
    </>
  )
}

export const ActivityListSkeleton = () => (
  <Skeletons className="gap-3 border-line border-t pt-3" each="h-14" />
)

interface RowProps {
  title: string
  href: string
  /** The line below the title: the date and the other person. */
  note?: ReactNode
  badge: ReactNode
  amount: string
}

function ActivityRow({ title, href, note, badge, amount }: RowProps) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-6 gap-y-1 border-line border-b py-3">
      <Link href={href} className="line-clamp-2 font-strong text-ink no-underline hover:underline">
        {title}
      </Link>
      <span className="whitespace-nowrap text-right font-strong tabular-nums">{amount}</span>
      <span className="min-w-0 text-fine text-ink-soft [overflow-wrap:anywhere]">{note}</span>
      <span className="justify-self-end">{badge}</span>
    </li>
  )
}

export function RequestRow({ item }: { item: WantedItem }) {
  const { label, tone } = requestStates[item.status]
  return (
    <ActivityRow
      title={item.title}
      href={paths.item(item.id)}
      note={`${item.category} · ${formatDate(item.createdAt)}`}
      badge={<Badge tone={tone}>{label}</Badge>}
      amount={formatBudget(item, item.currency)}
    />
  )
}

interface PaymentRowProps {
  title: string
  href: string
  payment: Parameters<typeof getPaymentLabel>[0]
  party: Party
  amountCents: number
  currency: Currency
  note?: ReactNode
}

export function PaymentRow({ title, href, payment, party, amountCents, currency, note }: PaymentRowProps) {
  return (
    <ActivityRow
      title={title}
      href={href}
      note={note}
      badge={<Badge tone={paymentTones[payment.status]}>{getPaymentLabel(payment, party)}</Badge>}
      amount={formatMoney(amountCents, currency)}
    />
  )
}
