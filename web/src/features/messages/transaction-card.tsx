import { paths } from '@sought/contract/paths'
import type { Payment } from '@sought/contract/payments'
import { useId } from 'react'
import { Link } from 'wouter'
import { formatCents } from '../../lib/money.ts'
import { getPaymentLabel, getPaymentPlace } from '../../lib/payment-status.ts'
import { Button } from '../../ui/button.tsx'
import { Money } from '../../ui/money.tsx'
import { PaymentPath } from '../../ui/payment-path.tsx'

export function TransactionCard({ payment, userId }: { payment: Payment; userId: string }) {
  const titleId = useId()
  const { status, buyerId } = payment
  const party = buyerId === userId ? 'buyer' : 'seller'
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
      <PaymentPath at={getPaymentPlace(payment)} reader={party} />
      {status === 'held_in_escrow' && party === 'buyer' && (
        <Button asChild variant="secondary" size="sm">
          <Link href={paths.delivery(payment.id)}>Confirm Delivery</Link>
        </Button>
      )}
    </article>
  )
}
