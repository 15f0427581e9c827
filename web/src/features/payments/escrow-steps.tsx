import { useId } from 'react'
import { Steps } from '../../ui/steps.tsx'
import { getHoldDays } from './rates.ts'

/** The four-step escrow explanation of spec §2. */
export function EscrowSteps({ amountCents }: { amountCents: number }) {
  const headingId = useId()
  const days = getHoldDays(amountCents)
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
            text: 'If you do nothing, the payment is then released to the seller.',
          },
        ]}
      />
    </section>
  )
}
