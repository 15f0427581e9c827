import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { TextLink } from '../../shared/navigation/links.tsx'

export function FilingConsequences() {
  return (
    <Box title="What happens when you file">
      <li>The funds stay in escrow until the dispute is resolved.</li>
      <li>We aim to resolve it within 3-5 business days.</li>
      <li>We may ask you for more evidence.</li>
      <li>False claims may lead to account suspension.</li>
    </Box>
  )
}

export function FilingHelp() {
  return (
    <Box title="Need help?">
      <li>
        Before filing, write to the seller and give them 48 hours to reply. Most problems are solved this way.
      </li>
      <li>Have photos, messages and receipts ready.</li>
      <li>
        After you file, we review your case within 24 hours, ask the seller for their side, and tell you both
        what we decided.
      </li>
      <li>
        Read more in our <TextLink to={paths.disputeResolution()}>dispute resolution policy</TextLink>.
      </li>
    </Box>
  )
}

function Box({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="rounded-card bg-sunken p-5">
      <h2 className="font-strong">{title}</h2>
      <ul className="mt-3 grid list-disc gap-2 pl-4 text-fine marker:text-accent">{children}</ul>
    </section>
  )
}
