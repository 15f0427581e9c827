import { paths } from '@sought/contract/paths'
import type { Payment, PaymentStatus } from '@sought/contract/payments'
import { Link } from 'wouter'
import { useCurrency } from '../../lib/currency.ts'
import { formatCents } from '../../lib/money.ts'
import { Button } from '../../ui/button.tsx'
import { Money } from '../../ui/money.tsx'
import { PaymentPath, type PaymentPlace } from '../../ui/payment-path.tsx'

const places = {
  pending: 'paying',
  held_in_escrow: 'escrow',
  completed: 'released',
  disputed: 'disputed',
  under_review: 'disputed',
  resolved_buyer: 'refunded',
  resolved_seller: 'released-after-dispute',
  resolved_partial: 'shared',
} satisfies Record<PaymentStatus, PaymentPlace>

/** The names of spec §4; any other status is shown as it is. */
const labels: Partial<Record<PaymentStatus, string>> = {
  pending: 'Processing',
  held_in_escrow: 'In Escrow',
  completed: 'Payment Released',
}

/** Where the money of this conversation is now. */
export function TransactionCard({ payment, me }: { payment: Payment; me: string }) {
  const currency = useCurrency()
  const { status, buyerId } = payment
  return (
    <div className="mx-auto grid w-full max-w-slip gap-4 rounded-card border border-line p-4">
      <div className="flex items-start justify-between gap-4">
        <h3 className="font-strong">Transaction update</h3>
        <Money
          amount={formatCents(payment.amount, currency)}
          where={labels[status] ?? status}
          className="text-right"
        />
      </div>
      <PaymentPath at={places[status]} />
      {status === 'held_in_escrow' && buyerId === me && (
        <Button asChild variant="secondary" size="sm">
          <Link href={paths.delivery(payment.id)}>Confirm Delivery</Link>
        </Button>
      )}
    </div>
  )
}
