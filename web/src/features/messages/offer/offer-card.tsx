import type { Offer } from '@sought/contract/offers'
import { paths } from '@sought/contract/paths'
import type { Payment } from '@sought/contract/payments'
import type { ReactNode } from 'react'
import { formatDateTime } from '../../../format/dates.ts'
import { formatMoney } from '../../../format/money.ts'
import { describeDelivery } from '../../../shared/deals/delivery-terms.ts'
import { isDraft } from '../../../shared/deals/payment-status.ts'
import { LinkButton } from '../../../shared/navigation/links.tsx'
import { ChangedRequest } from '../../../shared/offers/changed-request.tsx'
import { CounterButton } from '../../../shared/offers/counter-button.tsx'
import { AcceptButton, RejectButton, WithdrawButton } from '../../../shared/offers/offer-actions.tsx'
import { isBuyer, isProposer, type Parties } from '../../../shared/offers/parties.ts'
import { PayoutsStopped } from '../../../shared/offers/payouts-stopped.tsx'
import { PhotoGrid } from '../../../shared/photos/photo-grid.tsx'
import { AgreedVersion } from '../../../shared/requests/agreed-version.tsx'
import { Money } from '../../../ui/display/money.tsx'
import type { PastState } from './offer-state.ts'
import { PaidOffer } from './paid-offer.tsx'

interface Props {
  offer: Offer
  parties: Parties
  payments: readonly Payment[]
  /** Offers on a request that is not open cannot be accepted, countered or paid. */
  isClosed: boolean
  /** Offers between blocked people cannot be accepted or countered either. Accepted offers can still be paid. */
  isBlocked: boolean
}

/** A pending or accepted offer with its status and actions. */
export function OfferCard({ offer, parties, payments, isClosed, isBlocked }: Props) {
  const isPaid = payments.some((it) => it.offerId === offer.id && !isDraft(it))
  return (
    <article className="grid gap-3 rounded-card border border-line-strong p-4">
      <Money
        what={offerTitle(offer, parties)}
        amount={formatMoney(offer.amount, offer.currency)}
        size="title"
      />
      <p className="text-fine text-ink-soft">{describeDelivery(offer)}</p>
      {offer.message && <p className="whitespace-pre-line [overflow-wrap:anywhere]">“{offer.message}”</p>}
      <PhotoGrid photos={offer.photos} isOwn={isProposer(parties, offer)} />
      {offer.status === 'accepted' ? (
        <p className="text-fine">
          <AgreedVersion itemId={offer.wantedItemId} version={offer.request.version} />
        </p>
      ) : (
        <ChangedRequest offer={offer} parties={parties} />
      )}
      {offer.sellerPayoutsStopped && isBuyer(parties) && !isPaid && <PayoutsStopped offer={offer} />}
      {offer.status === 'accepted' ? (
        <Accepted offer={offer} parties={parties} payments={payments} isClosed={isClosed} />
      ) : (
        <Pending offer={offer} parties={parties} isClosed={isClosed || isBlocked} />
      )}
    </article>
  )
}

const stateLabels = {
  rejected: 'Offer rejected',
  withdrawn: 'Offer withdrawn',
  replaced: 'Replaced',
  expired: 'Offer expired',
} satisfies Record<PastState, string>

/** A rejected, withdrawn, replaced or expired offer. Its message is shown in the thread. */
export function PastOffer({ offer, parties, state }: { offer: Offer; parties: Parties; state: PastState }) {
  return (
    <article className="flex items-baseline-last justify-between gap-4 border-line border-t pt-3 text-ink-soft">
      <Money
        what={offerTitle(offer, parties)}
        amount={formatMoney(offer.amount, offer.currency)}
        className="min-w-0"
      />
      <p className="shrink-0 text-fine">{stateLabels[state]}</p>
    </article>
  )
}

function offerTitle(offer: Offer, parties: Parties): string {
  const kind = offer.proposedBy === 'seller' ? 'offer' : 'counter-offer'
  return isProposer(parties, offer) ? `Your ${kind}` : `${parties.other.name}’s ${kind}`
}

function StatusText({ children }: { children: ReactNode }) {
  return <p className="text-fine text-ink-soft">{children}</p>
}

function Pending({ offer, parties, isClosed }: Omit<Props, 'payments' | 'isBlocked'>) {
  if (isProposer(parties, offer)) {
    return (
      <div className="grid justify-items-start gap-1">
        <StatusText>
          {isBuyer(parties) ? 'Waiting for seller response...' : 'Waiting for buyer response...'}
        </StatusText>
        <Expiry offer={offer} />
        <WithdrawButton offer={offer} />
      </div>
    )
  }
  return (
    <div className="grid gap-2">
      <Expiry offer={offer} />
      <div className="flex gap-2 *:grow *:basis-0">
        {!isClosed && <AcceptButton offer={offer} parties={parties} />}
        <RejectButton offer={offer} />
        {!isClosed && isBuyer(parties) && <CounterButton offer={offer} parties={parties} />}
      </div>
    </div>
  )
}

function Expiry({ offer }: { offer: Offer }) {
  return (
    <StatusText>
      Expires <time dateTime={offer.expiresAt}>{formatDateTime(offer.expiresAt)}</time>
    </StatusText>
  )
}

/** Opening the checkout starts a payment. It counts only once the card step was submitted. */
function Accepted({ offer, parties, payments, isClosed }: Omit<Props, 'isBlocked'>) {
  const payment = payments.find((it) => it.offerId === offer.id && !isDraft(it))
  const { id: offerId, wantedItemId: itemId, amount } = offer
  const checkoutPath = paths.escrowCheckout({ itemId, offerId, amount })
  if (payment) return <PaidOffer payment={payment} isBuyer={isBuyer(parties)} checkoutPath={checkoutPath} />
  if (isClosed) return <StatusText>Accepted, but not paid. The request is no longer open.</StatusText>
  if (!isBuyer(parties)) return <StatusText>Accepted. Waiting for the buyer’s payment.</StatusText>
  return (
    <LinkButton to={checkoutPath} wide>
      Proceed to Payment
    </LinkButton>
  )
}
