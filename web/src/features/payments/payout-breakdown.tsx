import { paths } from '@sought/contract/paths'
import type { PaymentStatus } from '@sought/contract/payments'
import type { Payout } from '@sought/contract/sellers'
import { calculateFees } from '@sought/escrow/fees'
import { Link } from 'wouter'
import { useCurrency } from '../../lib/currency.ts'
import { formatCents } from '../../lib/money.ts'
import { describePayout } from '../../lib/payout-status.ts'
import { Button } from '../../ui/button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { hasDispute, type ShownPayment } from './shown-payment.ts'

/** Where the seller gets the whole, less the fees. What a ruling divides is told by the payout alone. */
const wholeToSeller: readonly PaymentStatus[] = [
  'pending',
  'held_in_escrow',
  'completed',
  'disputed',
  'under_review',
  'resolved_seller',
]

interface PayoutBreakdownProps {
  payment: ShownPayment
  payout: Payout | undefined
}

/** What the seller gets of it, and where that is now. */
export function PayoutBreakdown({ payment, payout }: PayoutBreakdownProps) {
  const currency = useCurrency()
  const { platformCents, processingCents, payoutCents } = calculateFees(payment.amount)
  const inFull = (cents: number) => formatCents(cents, currency)
  return (
    <div className="grid gap-2 text-fine">
      {payment.status === 'resolved_buyer' && (
        <p className="text-ink-soft">Refunded to the buyer. Nothing is paid out.</p>
      )}
      {wholeToSeller.includes(payment.status) ? (
        <DefinitionList
          figures
          rows={[
            { key: 'amount', label: 'Amount', value: inFull(payment.amount) },
            { key: 'platform', label: 'Platform fee', value: inFull(-platformCents) },
            { key: 'processing', label: 'Card processing', value: inFull(-processingCents) },
            { key: 'payout', label: 'Your payout', value: inFull(payoutCents), total: true },
          ]}
        />
      ) : (
        payout && (
          <DefinitionList
            figures
            rows={[{ key: 'payout', label: 'Your payout', value: inFull(payout.amount), total: true }]}
          />
        )
      )}
      {payout && <PayoutState payout={payout} />}
      {hasDispute(payment) && (
        <Button asChild variant="secondary" size="sm">
          <Link href={paths.dispute(payment.id)}>View Dispute</Link>
        </Button>
      )}
    </div>
  )
}

function PayoutState({ payout }: { payout: Payout }) {
  return (
    <p className="text-ink-soft">
      {describePayout(payout)}
      {payout.method === null && payout.status !== 'paid' && (
        <>
          {' '}
          <Link href={paths.sellerSetup()} className="link">
            Set up payouts
          </Link>
        </>
      )}
    </p>
  )
}
