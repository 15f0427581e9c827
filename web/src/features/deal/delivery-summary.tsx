import { paths } from '@sought/contract/paths'
import type { PaymentWithItem } from '@sought/contract/payments'
import { isReleasedByClock } from '@sought/escrow/delivery'
import { Link } from 'wouter'
import { formatDate } from '../../format/dates.ts'
import { parseDelivery } from '../../shared/deals/deal-step.ts'
import { PaymentProgress } from '../../shared/deals/payment-progress.tsx'
import { DefinitionList } from '../../ui/display/definition-list.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { getDealRows } from './deal-rows.tsx'

export function DeliverySummary({ payment }: { payment: PaymentWithItem }) {
  const { wantedItem, status, escrowHoldUntil, completedAt } = payment
  const rows = getDealRows(payment, 'buyer')
  return (
    <Card padding="lg" className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PaymentProgress payment={payment} />
      <DefinitionList
        rows={[
          {
            key: 'item',
            label: 'Item',
            value: (
              <Link href={paths.item(wantedItem.id)} className="link [overflow-wrap:anywhere]">
                {wantedItem.title}
              </Link>
            ),
          },
          rows.person,
          rows.amount,
          rows.status,
          rows.number,
          rows.delivery,
          ...(status === 'held_in_escrow' && escrowHoldUntil && isReleasedByClock(parseDelivery(payment))
            ? [{ key: 'release', label: 'Auto-release', value: formatDate(escrowHoldUntil) }]
            : []),
          ...(completedAt ? [{ key: 'done', label: 'Released', value: formatDate(completedAt) }] : []),
        ]}
      />
      <Link href={paths.deal(payment.id)} className="link justify-self-start">
        View the whole deal
      </Link>
    </Card>
  )
}
