import type { Payment } from '@sought/contract/payments'
import { useId } from 'react'
import { Link } from 'wouter'
import { formatCents } from '../../format/money.ts'
import { getDealStep } from '../../shared/deals/deal-step.ts'
import { PaymentProgress } from '../../shared/deals/payment-progress.tsx'
import { getPaymentLabel } from '../../shared/deals/payment-status.ts'
import { Money } from '../../ui/display/money.tsx'
import { Button } from '../../ui/forms/button.tsx'

export function TransactionCard({ payment, userId }: { payment: Payment; userId: string }) {
  const titleId = useId()
  const { status, buyerId } = payment
  const party = buyerId === userId ? 'buyer' : 'seller'
  const step = getDealStep(payment, party)
  return (
    <article
      aria-labelledby={titleId}
      className="mx-auto grid w-full max-w-slip gap-4 rounded-card border border-line p-4"
    >
      <div className="flex items-start justify-between gap-4">
        <h3 id={titleId} className="font-strong">
          Transaction update
        </h3>
        <Money
          amount={formatCents(payment.amount, payment.currency)}
          where={getPaymentLabel(payment, party)}
          className="text-right"
        />
      </div>
      <PaymentProgress payment={payment} reader={party} />
      {status !== 'pending' && (
        <Button asChild variant={step.isWaiting ? 'primary' : 'secondary'} size="sm">
          <Link href={step.to}>{step.label}</Link>
        </Button>
      )}
    </article>
  )
}
