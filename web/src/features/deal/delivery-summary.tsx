import { paths } from '@sought/contract/paths'
import type { PaymentWithItem } from '@sought/contract/payments'
import { isReleasedByClock } from '@sought/escrow/delivery'
import { Link } from 'wouter'
import { formatDate } from '../../format/dates.ts'
import { formatCents } from '../../format/money.ts'
import { parseDelivery } from '../../shared/deals/deal-step.ts'
import { describeDelivery } from '../../shared/deals/delivery-terms.ts'
import { PaymentProgress } from '../../shared/deals/payment-progress.tsx'
import { getPaymentLabel, paymentTones } from '../../shared/deals/payment-status.ts'
import { TransactionNumber } from '../../shared/deals/transaction-number.tsx'
import { PersonLink } from '../../shared/people/person-link.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { DefinitionList } from '../../ui/display/definition-list.tsx'
import { Card } from '../../ui/layout/card.tsx'

export function DeliverySummary({ payment }: { payment: PaymentWithItem }) {
  const { wantedItem, seller, amount, status, escrowHoldUntil, completedAt } = payment
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
          { key: 'seller', label: 'Seller', value: <PersonLink person={seller} className="link" /> },
          {
            key: 'amount',
            label: 'Amount',
            value: <span className="font-strong tabular-nums">{formatCents(amount, payment.currency)}</span>,
          },
          {
            key: 'status',
            label: 'Status',
            value: <Badge tone={paymentTones[status]}>{getPaymentLabel(payment, 'buyer')}</Badge>,
          },
          {
            key: 'number',
            label: 'Transaction number',
            value: <TransactionNumber value={payment.transactionNumber} />,
          },
          { key: 'delivery', label: 'Delivery', value: describeDelivery(payment) },
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
