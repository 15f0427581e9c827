import { useId } from 'react'
import { Steps } from '../../ui/steps.tsx'
import { holdDays } from './rates.ts'

/** How escrow goes, in the four steps of spec §2. */
export function EscrowSteps({ amountCents }: { amountCents: number }) {
  const headingId = useId()
  const days = holdDays(amountCents)
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-5 font-display font-strong text-title">
        How escrow protects you
      </h2>
      <Steps
        steps={[
          { title: 'Payment secured', text: 'Your card is charged, and the money waits with us.' },
          { title: 'Seller delivers', text: 'The seller sees that it is there, and sends the thing.' },
          { title: 'You confirm', text: 'Once it is in your hands, you say so, and the seller is paid.' },
          {
            title: `Auto-release after ${days} days`,
            text: 'If you say nothing until then, it goes to the seller by itself.',
          },
        ]}
      />
    </section>
  )
}
