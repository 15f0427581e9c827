import { paths } from '@sought/contract/paths'
import type { PaymentWithItem } from '@sought/contract/payments'
import { isReleasedByClock } from '@sought/escrow/delivery'
import { Link } from 'wouter'
import { formatDate } from '../../lib/dates.ts'
import { parseDelivery } from '../../lib/deal-step.ts'
import { describeDelivery } from '../../lib/delivery-terms.ts'
import { formatCents } from '../../lib/money.ts'
import { PaymentProgress } from '../../lib/payment-progress.tsx'
import { getPaymentLabel, paymentTones } from '../../lib/payment-status.ts'
import { PersonLink } from '../../lib/person-link.tsx'
import { TransactionNumber } from '../../lib/transaction-number.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'

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
