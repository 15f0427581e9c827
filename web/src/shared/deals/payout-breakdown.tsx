import { rulesOf } from '@sought/contract/currencies'
import { paths } from '@sought/contract/paths'
import type { PaymentStatus, PaymentWithItem } from '@sought/contract/payments'
import type { Payout } from '@sought/contract/sellers'
import { calculateFees } from '@sought/escrow/fees'
import { formatMoney } from '../../format/money.ts'
import { DefinitionList } from '../../ui/display/definition-list.tsx'
import { LinkButton, TextLink } from '../navigation/links.tsx'
import { describePayout } from '../payouts/payout-status.ts'
import { hasDispute } from './payment-state.ts'

/** In these statuses the seller gets the full amount minus fees, unless a part was refunded. */
const fullPayoutStatuses: readonly PaymentStatus[] = [
  'pending',
  'held_in_escrow',
  'completed',
  'disputed',
  'under_review',
  'resolved_seller',
]

interface PayoutBreakdownProps {
  payment: PaymentWithItem
  payout: Payout | undefined
}

export function PayoutBreakdown({ payment, payout }: PayoutBreakdownProps) {
  const {
    platformFee: platformCents,
    processingFee: processingCents,
    payout: payoutCents,
  } = calculateFees(payment.amount, payment, rulesOf(payment.currency))
  const format = (cents: number) => formatMoney(cents, payment.currency)
  const isFull = fullPayoutStatuses.includes(payment.status) && payment.refundedAmount === 0
  return (
    <div className="grid gap-2 text-fine">
      {(payment.status === 'resolved_buyer' || payment.status === 'refunded') && (
        <p className="text-ink-soft">Refunded to the buyer. There is no payout.</p>
      )}
      {isFull ? (
        <DefinitionList
          figures
          rows={[
            { label: 'Amount', value: format(payment.amount) },
            { label: 'Platform fee', value: format(-platformCents) },
            { label: 'Card processing', value: format(-processingCents) },
            { label: 'Your payout', value: format(payoutCents), total: true },
          ]}
        />
      ) : (
        payout &&
        payout.status !== 'cancelled' && (
          <DefinitionList
            figures
            rows={[{ label: 'Your payout', value: format(payout.amount), total: true }]}
          />
        )
      )}
      {payout && <PayoutState payout={payout} />}
      {hasDispute(payment) && (
        <LinkButton to={paths.dispute(payment.id)} variant="secondary" size="sm">
          View Dispute
        </LinkButton>
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
          <TextLink to={paths.sellerSetup()}>Set up payouts</TextLink>
        </>
      )}
    </p>
  )
}
