import type { ReplyOf } from '@sought/contract/call'
import type { getPaymentSummary } from '@sought/contract/payments'
import { formatDate } from '../../format/dates.ts'
import { formatCents } from '../../format/money.ts'
import { Money } from '../../ui/display/money.tsx'
import { Card } from '../../ui/layout/card.tsx'

export type PaymentSummary = ReplyOf<typeof getPaymentSummary>

export function TransactionSummary({ payment }: { payment: PaymentSummary }) {
  return (
    <Card asChild>
      <section aria-label="Transaction" className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 grow basis-52">
          <p className="text-fine text-ink-soft">
            Paid on {formatDate(payment.createdAt)} · {payment.transactionNumber}
          </p>
          <h2 className="mt-1 font-display font-strong text-title [overflow-wrap:anywhere]">
            {payment.wantedItems.title || 'Unknown Item'}
          </h2>
        </div>
        <Money amount={formatCents(payment.amount, payment.currency)} where="In escrow" size="title" />
      </section>
    </Card>
  )
}
