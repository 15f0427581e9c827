import type { Offer } from '@sought/contract/offers'
import type { Payment } from '@sought/contract/payments'
import { getWantedItem, type WantedItem } from '@sought/contract/requests'
import { isInEscrow } from '@sought/escrow/moves'
import { ChevronDown } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { useRead } from '../../../data/calls.ts'
import { formatMoney } from '../../../format/money.ts'
import { getPaymentLabel, isDraft, isWaiting } from '../../../shared/deals/payment-status.ts'
import { isBuyer, type Parties } from '../../../shared/offers/parties.ts'
import { classNames } from '../../../ui/base/class-names.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { OfferCard, PastOffer } from './offer-card.tsx'
import { getOfferState, groupOffers, type OfferState } from './offer-state.ts'

interface Props {
  parties: Parties
  /** The latest first. */
  offers: readonly Offer[]
  payments: readonly Payment[]
  /** Whether the user has blocked the other person. Then neither can make or accept offers. */
  isBlocked: boolean
}

/** Next to the thread on wide screens. Otherwise a bar above it with a summary that expands. */
export function OfferPanel(props: Props) {
  const { parties, offers, payments } = props
  const [isExpanded, setIsExpanded] = useState(false)
  const bodyId = useId()
  return (
    <section
      aria-label="Offers"
      className="flex min-h-0 flex-col border-line md:max-xl:max-h-[60dvh] max-xl:border-b xl:col-start-2 xl:row-span-2 xl:row-start-2 xl:border-l"
    >
      <button
        type="button"
        aria-expanded={isExpanded}
        aria-controls={bodyId}
        onClick={() => setIsExpanded(!isExpanded)}
        className="flex min-h-11 shrink-0 items-center gap-2 px-4 text-left font-strong text-fine -outline-offset-2 hover:bg-sunken xl:hidden"
      >
        <span className="min-w-0 grow truncate">
          <Summary parties={parties} offer={findMainOffer(offers)} payments={payments} />
        </span>
        <ChevronDown
          aria-hidden="true"
          className={classNames('size-4 shrink-0 transition-transform', isExpanded && 'rotate-180')}
        />
      </button>
      <div
        id={bodyId}
        className={classNames(
          'min-h-0 overflow-y-auto overscroll-contain px-4 py-4 max-xl:border-line max-xl:border-t xl:px-5',
          !isExpanded && 'max-xl:hidden',
        )}
      >
        <PanelBody {...props} />
      </div>
    </section>
  )
}

function PanelBody({ parties, offers, payments, isBlocked }: Props) {
  const params = { id: String(parties.item.id) }
  const { data: item, error } = useRead(getWantedItem, { params })
  // The request of a deleted account no longer exists.
  const status = error?.status === 410 ? 'closed' : item?.status
  const isClosed = status !== undefined && status !== 'open'
  const { active, past } = groupOffers(offers, new Date())
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {isBuyer(parties) && offers.length === 0 && <NoOffers name={parties.other.name} />}
      {active.length > 0 && (
        <Group title="Offers">
          {active.map((offer) => (
            <OfferCard key={offer.id} {...{ offer, parties, payments, isClosed, isBlocked }} />
          ))}
        </Group>
      )}
      {status && <RequestNotice status={status} parties={parties} payments={payments} />}
      {item && !isClosed && !isBlocked && !isBuyer(parties) && (
        <MakeOffer item={item} hasActiveOffer={active.length > 0} />
      )}
      {past.length > 0 && (
        <Group title="Past offers">
          {past.map(({ offer, state }) => (
            <PastOffer key={offer.id} {...{ offer, parties, state }} />
          ))}
        </Group>
      )}
    </div>
  )
}

interface RequestNoticeProps {
  status: WantedItem['status']
  parties: Parties
  payments: readonly Payment[]
}

/** Explains why offers are not possible. Hidden from the parties of a deal in escrow, who see its status instead. */
function RequestNotice({ status, parties, payments }: RequestNoticeProps) {
  if (status === 'open') return null
  if (status !== 'reserved') return <Notice>This request is no longer open.</Notice>
  if (payments.some((payment) => isInEscrow(payment.status) || isWaiting(payment))) return null
  return isBuyer(parties) ? (
    <Notice title="Reserved">
      You have paid another seller. If that deal is cancelled, you can accept open offers again.
    </Notice>
  ) : (
    <Notice title="Reserved">
      The buyer has paid another seller. Your open offer stays until it expires: if that deal is cancelled,
      the buyer can accept it.
    </Notice>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 className="font-display font-strong text-lead">{title}</h3>
      {children}
    </div>
  )
}

const stateLabels = {
  pending: 'waiting for an answer',
  accepted: 'accepted',
  rejected: 'rejected',
  withdrawn: 'withdrawn',
  replaced: 'replaced',
  expired: 'expired',
} satisfies Record<OfferState, string>

/** The accepted offer, otherwise a pending one, otherwise the latest. */
function findMainOffer(offers: readonly Offer[]): Offer | undefined {
  const inState = (state: OfferState) => offers.find((offer) => getOfferState(offer, new Date()) === state)
  return inState('accepted') ?? inState('pending') ?? offers[0]
}

interface SummaryProps {
  parties: Parties
  offer: Offer | undefined
  payments: readonly Payment[]
}

function Summary({ parties, offer, payments }: SummaryProps) {
  if (!offer) return isBuyer(parties) ? 'No offers yet' : 'Make an offer'
  const kind = offer.proposedBy === 'seller' ? 'Offer' : 'Counter-offer'
  const payment = payments.find((it) => it.offerId === offer.id && !isDraft(it))
  const party = isBuyer(parties) ? 'buyer' : 'seller'
  const status = payment ? getPaymentLabel(payment, party) : stateLabels[getOfferState(offer, new Date())]
  return `${kind} of ${formatMoney(offer.amount, offer.currency)}, ${status}`
}

function NoOffers({ name }: { name: string }) {
  return (
    <div>
      <h3 className="font-display font-strong text-lead">Offers</h3>
      <p className="mt-1 text-ink-soft">
        No offers yet. When {name} makes an offer, you can accept or reject it here.
      </p>
    </div>
  )
}

const MakeOfferForm = lazy(() => import('./make-offer-form.tsx'))

/** The make-offer form, behind a button while the seller has an active offer. */
function MakeOffer({ item, hasActiveOffer }: { item: WantedItem; hasActiveOffer: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  if (hasActiveOffer && !isOpen) {
    return (
      <Button variant="quiet" size="sm" className="justify-self-start" onClick={() => setIsOpen(true)}>
        Make Another Offer
      </Button>
    )
  }
  return (
    <Suspense fallback={<Skeleton className="h-96" />}>
      <MakeOfferForm item={item} onSent={() => setIsOpen(false)} />
    </Suspense>
  )
}
