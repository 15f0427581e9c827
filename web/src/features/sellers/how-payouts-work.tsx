import { useId } from 'react'
import { PAYOUT_DAYS } from '../../lib/payout-status.ts'
import { Steps } from '../../ui/steps.tsx'

/** From the buyer's word to the seller's bank. */
export function HowPayoutsWork() {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-5 font-display font-strong text-title">
        How payouts work
      </h2>
      <Steps
        steps={[
          { title: 'The buyer pays', text: 'The money waits in escrow while you deliver.' },
          {
            title: 'Delivery is confirmed',
            text: 'By the buyer, or by itself when the hold runs out. Our fees are taken off then.',
          },
          { title: 'You are paid', text: `What is left reaches your bank in ${PAYOUT_DAYS}.` },
        ]}
      />
    </section>
  )
}
