import { HOLD_DAYS_AFTER_DELIVERY, HOLD_DAYS_AFTER_SHIPPING } from '@sought/escrow/delivery'
import { getHoldDays } from '@sought/escrow/hold'
import { useId } from 'react'
import { useMarket } from '../../shared/market/market.ts'
import { usePayoutTiming } from '../../shared/payouts/use-payout-timing.ts'
import { Steps } from '../../ui/display/steps.tsx'

/** Explains escrow in four steps. */
export function EscrowSteps({ amountCents, isShipped }: { amountCents: number; isShipped: boolean }) {
  const headingId = useId()
  const days = getHoldDays(amountCents, useMarket())
  const timing = usePayoutTiming('buyer')
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-5 font-display font-strong text-title">
        How escrow protects you
      </h2>
      <Steps
        steps={[
          { title: 'Payment secured', text: 'We charge your card and hold the money in escrow.' },
          { title: 'Seller delivers', text: 'The seller sees your payment and sends the item.' },
          {
            title: 'You confirm',
            text: 'When you have the item, confirm delivery. The seller is then paid.',
          },
          {
            title: `Auto-release after ${days} days`,
            text: isShipped
              ? `If you do nothing, the payment is then released to the seller, but not before ${HOLD_DAYS_AFTER_SHIPPING} days after shipping and ${HOLD_DAYS_AFTER_DELIVERY} days after delivery. If nothing is shipped, you get it back.`
              : 'If you do nothing, the payment is then released to the seller.',
          },
        ]}
      />
      {timing && <p className="mt-5 text-ink-soft">{timing}</p>}
    </section>
  )
}
