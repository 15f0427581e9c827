import type { Offer } from '@sought/contract/offers'
import { paths } from '@sought/contract/paths'
import type { Payment } from '@sought/contract/payments'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useCurrency } from '../../lib/currency.ts'
import { formatCents } from '../../lib/money.ts'
import { Button } from '../../ui/button.tsx'
import { Money } from '../../ui/money.tsx'
import { CounterButton } from './counter-dialog.tsx'
import { AcceptButton, RejectButton, WithdrawButton } from './offer-actions.tsx'
import type { PastState } from './offer-state.ts'
import { PaidOffer } from './paid-offer.tsx'
import { isBuyer, isProposer, type Parties } from './parties.ts'

interface Props {
  offer: Offer
  parties: Parties
  payments: readonly Payment[]
  /** On a request that is no longer open nothing more can be agreed. */
  isClosed: boolean
}

/** An offer that stands: who named how much, how things are, and what the viewer may do about it. */
export function OfferCard({ offer, parties, payments, isClosed }: Props) {
  const currency = useCurrency()
  return (
    <article className="grid gap-3 rounded-card border border-line-strong p-4">
      <Money what={title(offer, parties)} amount={formatCents(offer.amount, currency)} size="title" />
      {offer.message && <p className="whitespace-pre-line [overflow-wrap:anywhere]">“{offer.message}”</p>}
      {offer.status === 'accepted' ? (
        <Accepted offer={offer} parties={parties} payments={payments} />
      ) : (
        <Pending offer={offer} parties={parties} isClosed={isClosed} />
      )}
    </article>
  )
}

const ends = {
  rejected: 'Offer rejected',
  withdrawn: 'Offer withdrawn',
  expired: 'Offer expired',
} satisfies Record<PastState, string>

/** An offer that came to nothing, in a line: what was said with it stands in the thread. */
export function PastOffer({ offer, parties, state }: { offer: Offer; parties: Parties; state: PastState }) {
  const currency = useCurrency()
  return (
    <article className="flex items-baseline-last justify-between gap-4 border-line border-t pt-3 text-ink-soft">
      <Money what={title(offer, parties)} amount={formatCents(offer.amount, currency)} className="min-w-0" />
      <p className="shrink-0 text-fine">{ends[state]}</p>
    </article>
  )
}

function title(offer: Offer, parties: Parties): string {
  const kind = offer.proposedBy === 'seller' ? 'offer' : 'counter-offer'
  return isProposer(parties, offer) ? `Your ${kind}` : `${parties.other.name}’s ${kind}`
}

function State({ children }: { children: ReactNode }) {
  return <p className="text-fine text-ink-soft">{children}</p>
}

function Pending({ offer, parties, isClosed }: Omit<Props, 'payments'>) {
  if (isProposer(parties, offer)) {
    return (
      <div className="grid justify-items-start gap-1">
        <State>{isBuyer(parties) ? 'Waiting for seller response...' : 'Waiting for buyer response...'}</State>
        <WithdrawButton offer={offer} />
      </div>
    )
  }
  return (
    <div className="flex gap-2 *:grow *:basis-0">
      {!isClosed && <AcceptButton offer={offer} parties={parties} />}
      <RejectButton offer={offer} />
      {!isClosed && isBuyer(parties) && <CounterButton offer={offer} parties={parties} />}
    </div>
  )
}

function Accepted({ offer, parties, payments }: Omit<Props, 'isClosed'>) {
  const payment = payments.find((it) => it.offerId === offer.id)
  const { id: offerId, wantedItemId: itemId, amount } = offer
  const checkout = paths.escrowCheckout({ itemId, offerId, amount })
  if (payment) return <PaidOffer status={payment.status} asBuyer={isBuyer(parties)} checkout={checkout} />
  if (!isBuyer(parties)) return <State>Accepted. Waiting for the buyer’s payment.</State>
  return (
    <Button asChild wide>
      <Link href={checkout}>Proceed to Payment</Link>
    </Button>
  )
}
