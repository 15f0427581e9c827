import type { FoundDeal, FoundPerson, FoundRequest } from '@sought/contract/lookup'
import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatDate } from '../../../format/dates.ts'
import { formatMoney } from '../../../format/money.ts'
import { getTeamLabel, paymentTones } from '../../../shared/deals/payment-status.ts'
import { requestStates } from '../../../shared/requests/request-status.ts'
import { Badge } from '../../../ui/display/badge.tsx'

interface RowProps {
  href: string
  title: string
  detail: ReactNode
  badge?: ReactNode
}

/** A row of a list that opens a page. */
function Row({ href, title, detail, badge }: RowProps) {
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-line border-t py-3 first:border-t-0">
      <div className="min-w-0 grow basis-56">
        <Link href={href} className="link font-strong [overflow-wrap:anywhere]">
          {title}
        </Link>
        <p className="text-fine text-ink-soft [overflow-wrap:anywhere]">{detail}</p>
      </div>
      {badge}
    </li>
  )
}

function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="grid grid-cols-[minmax(0,1fr)]">
      {children}
    </ul>
  )
}

export function PeopleList({ people }: { people: readonly FoundPerson[] }) {
  return (
    <Rows label="People">
      {people.map(({ id, name, email, createdAt, deletedAt }) => (
        <Row
          key={id}
          href={paths.adminPerson(id)}
          title={name}
          detail={`${email ?? 'No email'} · since ${formatDate(createdAt)}`}
          badge={deletedAt && <Badge tone="outline">Deleted</Badge>}
        />
      ))}
    </Rows>
  )
}

export function RequestList({ requests }: { requests: readonly FoundRequest[] }) {
  return (
    <Rows label="Requests">
      {requests.map(({ id, title, status, owner, createdAt }) => (
        <Row
          key={id}
          href={paths.item(id)}
          title={title}
          detail={`#${id} · ${owner.name} · ${formatDate(createdAt)}`}
          badge={<Badge tone={requestStates[status].tone}>{requestStates[status].label}</Badge>}
        />
      ))}
    </Rows>
  )
}

export function DealList({ deals }: { deals: readonly FoundDeal[] }) {
  return (
    <Rows label="Deals">
      {deals.map((deal) => (
        <Row
          key={deal.id}
          href={paths.adminDeal(deal.id)}
          title={`${deal.itemTitle}, ${formatMoney(deal.amount, deal.currency)}`}
          detail={describeDeal(deal)}
          badge={<Badge tone={paymentTones[deal.status]}>{getTeamLabel(deal)}</Badge>}
        />
      ))}
    </Rows>
  )
}

function describeDeal({ transactionNumber, buyer, seller, cardLast4, createdAt }: FoundDeal): string {
  return [
    transactionNumber,
    `${buyer.name} from ${seller.name}`,
    ...(cardLast4 ? [`card ${cardLast4}`] : []),
    formatDate(createdAt),
  ].join(' · ')
}
