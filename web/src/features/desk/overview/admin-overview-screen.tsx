import { getOverview, type OverviewEntry } from '@sought/contract/overview'
import { ChevronRight } from 'lucide-react'
import { Link } from 'wouter'
import { useRead } from '../../../data/calls.ts'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Card, CardLink } from '../../../ui/layout/card.tsx'

export function AdminOverviewScreen() {
  const overview = useRead(getOverview)
  return (
    <Loaded query={overview}>
      {(entries) =>
        entries.length === 0 ? (
          <EmptyState title="All clear">There is no open work. New cases appear here.</EmptyState>
        ) : (
          <ul aria-label="Open work" className="grid grid-cols-[minmax(0,1fr)] gap-4">
            {entries.map((entry) => (
              <li key={entry.kind}>
                <Entry entry={entry} />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

const texts: Record<OverviewEntry['kind'], { one: string; many: string; explanation: string }> = {
  dispute_overdue: {
    one: 'dispute is overdue',
    many: 'disputes are overdue',
    explanation:
      'We promise a first answer within 24 hours and a ruling within 7 business days after a dispute was filed.',
  },
  bank_deadline: {
    one: 'chargeback needs evidence',
    many: 'chargebacks need evidence',
    explanation: 'A chargeback is lost if no evidence is sent before the deadline.',
  },
  refund_failed: {
    one: 'refund failed',
    many: 'refunds failed',
    explanation: 'The card provider refused the refund or returned it. The buyer still waits for the money.',
  },
  manual_payout: {
    one: 'manual payout to make',
    many: 'manual payouts to make',
    explanation: 'These sellers are paid by bank transfer. Transfer the money, then mark the payout as paid.',
  },
  payout_unclaimed: {
    one: 'payout has nowhere to go',
    many: 'payouts have nowhere to go',
    explanation: 'These sellers have not set up payouts. We remind them, but you may want to contact them.',
  },
  report: {
    one: 'report to decide',
    many: 'reports to decide',
    explanation: 'Users reported content or people, or appealed against a decision.',
  },
  reconciliation: {
    one: 'problem with the card provider',
    many: 'problems with the card provider',
    explanation: 'Its balance and the ledger do not agree, or a payment or an event could not be handled.',
  },
}

function Entry({ entry: { kind, count, path } }: { entry: OverviewEntry }) {
  const { one, many, explanation } = texts[kind]
  return (
    <Card interactive className="grid grid-cols-[minmax(2.5rem,auto)_minmax(0,1fr)_auto] items-center gap-4">
      <p aria-hidden="true" className="font-display font-strong text-heading tabular-nums">
        {count}
      </p>
      <div>
        <h2 className="font-strong">
          <CardLink asChild>
            <Link href={path}>
              <span className="sr-only">{count} </span>
              {count === 1 ? one : many}
            </Link>
          </CardLink>
        </h2>
        <p className="text-fine text-ink-soft">{explanation}</p>
      </div>
      <ChevronRight aria-hidden="true" className="size-5 text-ink-soft" />
    </Card>
  )
}
