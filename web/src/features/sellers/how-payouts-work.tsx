import { useId } from 'react'
import { PAYOUT_DAYS } from '../../shared/payouts/payout-status.ts'
import { Steps } from '../../ui/display/steps.tsx'

export function HowPayoutsWork() {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-5 font-display font-strong text-title">
        How payouts work
      </h2>
      <Steps
        steps={[
          { title: 'The buyer pays', text: 'The money is held in escrow while you deliver.' },
          {
            title: 'Delivery is confirmed',
            text: 'By the buyer, or automatically when the hold ends. Fees are deducted at this point.',
          },
          { title: 'You are paid', text: `Your payout reaches your bank in ${PAYOUT_DAYS}.` },
        ]}
      />
    </section>
  )
}
