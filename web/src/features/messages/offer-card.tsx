import type { Offer } from '@sought/contract/offers'
import { paths } from '@sought/contract/paths'
import type { Payment, PaymentStatus } from '@sought/contract/payments'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useCurrency } from '../../lib/currency.ts'
import { formatCents } from '../../lib/money.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Money } from '../../ui/money.tsx'
import { CounterButton } from './counter-dialog.tsx'
import { AcceptButton, RejectButton, WithdrawButton } from './offer-actions.tsx'
import { stateOf } from './offer-state.ts'
import { isBuyer, isProposer, type Parties } from './parties.ts'

interface Props {
  offer: Offer
  parties: Parties
  payments: readonly Payment[]
}

/** An offer: who named how much, how it stands, and what the viewer may do about it. */
export function OfferCard({ offer, parties, payments }: Props) {
  const currency = useCurrency()
  const state = stateOf(offer, new Date())
  const isOver = state !== 'pending' && state !== 'accepted'
  return (
    <article
      className={classNames(
        'grid gap-3 rounded-card border p-4',
        isOver ? 'border-line text-ink-soft' : 'border-line-strong',
      )}
    >
      <Money
        what={title(offer, parties)}
        amount={formatCents(offer.amount, currency)}
        size={isOver ? 'lead' : 'title'}
      />
      {offer.message && <p className="whitespace-pre-line [overflow-wrap:anywhere]">“{offer.message}”</p>}
      {state === 'pending' && <Pending offer={offer} parties={parties} />}
      {state === 'accepted' && <Accepted offer={offer} parties={parties} payments={payments} />}
      {state === 'rejected' && <State>Offer rejected</State>}
      {state === 'withdrawn' && <State>Offer withdrawn</State>}
      {state === 'expired' && <State>Offer expired</State>}
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

function Pending({ offer, parties }: { offer: Offer; parties: Parties }) {
  if (isProposer(parties, offer)) {
    return (
      <div className="grid justify-items-start gap-1">
        <State>{isBuyer(parties) ? 'Waiting for seller response...' : 'Waiting for buyer response...'}</State>
        <WithdrawButton offer={offer} />
      </div>
    )
  }
  return (
    <div className="grid grid-cols-2 gap-2">
      <AcceptButton offer={offer} parties={parties} />
      <RejectButton offer={offer} />
      {isBuyer(parties) && <CounterButton offer={offer} parties={parties} />}
    </div>
  )
}

const paidStatuses: readonly PaymentStatus[] = ['pending', 'held_in_escrow', 'completed']

function Accepted({ offer, parties, payments }: Props) {
  const paid = payments.some((it) => it.offerId === offer.id && paidStatuses.includes(it.status))
  if (!isBuyer(parties)) {
    return <State>{paid ? 'Payment Received' : 'Accepted. Waiting for the buyer’s payment.'}</State>
  }
  if (paid) {
    return (
      <div>
        <p className="font-strong">Payment Complete</p>
        <State>Waiting for delivery</State>
      </div>
    )
  }
  const { id: offerId, wantedItemId: itemId, amount } = offer
  return (
    <Button asChild wide>
      <Link href={paths.escrowCheckout({ itemId, offerId, amount })}>Proceed to Payment</Link>
    </Button>
  )
}
