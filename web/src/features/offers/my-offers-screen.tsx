import { listOwnOffers, type OwnOffer } from '@sought/contract/offers'
import { paths } from '@sought/contract/paths'
import { Link } from 'wouter'
import { useReadPages } from '../../data/calls.ts'
import { formatDate } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'
import { plural } from '../../format/plural.ts'
import { formatRelativeTime } from '../../format/relative-time.ts'
import { describeDelivery } from '../../shared/deals/delivery-terms.ts'
import { describeWaitShort } from '../../shared/deals/payment-status.ts'
import { WaitingList } from '../../shared/loading/waiting-list.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { FirstSteps } from '../../shared/onboarding/first-steps.tsx'
import { PersonLink } from '../../shared/people/person-link.tsx'
import { Badge, type BadgeTone } from '../../ui/display/badge.tsx'
import { Money } from '../../ui/display/money.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'

const PAGE_SIZE = 20

export function MyOffersScreen() {
  const offers = useReadPages(listOwnOffers, { limit: String(PAGE_SIZE) }, { idOf: ({ rank }) => rank })
  return (
    <Page title="My Offers" lead="What you offered, and what to do next.">
      <div className="mb-8 empty:hidden">
        <FirstSteps lists={['seller']} />
      </div>
      <WaitingList pages={offers} othersTitle="Other offers" empty={<NoOffers />}>
        {(offer) => <OwnOfferCard offer={offer} />}
      </WaitingList>
    </Page>
  )
}

function OwnOfferCard({ offer }: { offer: OwnOffer }) {
  const { label, tone } = offer.waitingUntil
    ? { ...offerStates[offer.state], label: describeWaitShort(offer.waitingUntil) }
    : offerStates[offer.state]
  const next = getNextLink(offer)
  return (
    <Card asChild>
      <article className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="grid min-w-0 grow basis-80 grid-cols-[minmax(0,1fr)] gap-2 max-sm:basis-full">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-fine text-ink-soft">
            <Badge tone={tone}>{label}</Badge>
            <span>{formatRelativeTime(new Date(offer.createdAt), new Date())}</span>
            {offer.unreadCount > 0 && (
              <span className="font-strong text-ink">{plural(offer.unreadCount, 'unread message')}</span>
            )}
          </div>
          <h3 className="font-display font-strong text-lead [overflow-wrap:anywhere]">
            <Link href={paths.item(offer.wantedItemId)} className="text-ink no-underline hover:underline">
              {offer.wantedItem.title}
            </Link>
          </h3>
          <p className="text-ink-soft [overflow-wrap:anywhere]">
            {offer.proposedBy === 'seller' ? 'To' : 'Counter-offer of'} <PersonLink person={offer.buyer} />
            {` · ${describeDelivery(offer)}`}
            {isOpen(offer) && ` · Open until ${formatDate(offer.expiresAt)}`}
          </p>
          {isOpen(offer) && offer.request.version !== offer.currentVersion && (
            <p className="text-signal-text">
              <Link
                href={paths.messages({ itemId: offer.wantedItemId, userId: offer.buyerId })}
                className="link"
              >
                The request has changed since this offer
              </Link>
            </p>
          )}
        </div>
        <div className="flex items-center justify-between gap-5 max-sm:w-full max-sm:flex-wrap">
          <Money amount={formatMoney(offer.amount, offer.currency)} size="title" />
          <LinkButton
            to={next.to}
            variant={offer.isWaiting ? 'primary' : 'secondary'}
            className="max-sm:grow"
          >
            {next.label}
          </LinkButton>
        </div>
      </article>
    </Card>
  )
}

const isOpen = ({ state }: OwnOffer) => state === 'pending' || state === 'countered'

function NoOffers() {
  return (
    <EmptyState
      drawing="letters"
      title="You have made no offers yet"
      action={<LinkButton to={paths.home()}>Browse Requests</LinkButton>}
    >
      Find a request for something you have, contact the buyer and make an offer.
    </EmptyState>
  )
}

/** The states of an offer, in words for its seller. */
const offerStates = {
  pending: { label: 'Waiting for the buyer', tone: 'neutral' },
  countered: { label: 'Counter-offer from the buyer', tone: 'attention' },
  awaiting_payment: { label: 'Accepted, waiting for payment', tone: 'accent' },
  payment_processing: { label: 'Payment is being processed', tone: 'accent' },
  paid: { label: 'Paid into escrow: deliver now', tone: 'attention' },
  disputed: { label: 'In dispute', tone: 'danger' },
  completed: { label: 'Completed', tone: 'accent' },
  settled: { label: 'Dispute resolved', tone: 'neutral' },
  refunded: { label: 'Refunded to the buyer', tone: 'neutral' },
  replaced: { label: 'Replaced', tone: 'outline' },
  rejected: { label: 'Rejected', tone: 'outline' },
  withdrawn: { label: 'Withdrawn', tone: 'outline' },
  expired: { label: 'Expired', tone: 'outline' },
  request_closed: { label: 'Request no longer open', tone: 'outline' },
} satisfies Record<OwnOffer['state'], { label: string; tone: BadgeTone }>

const stepLabels = {
  ship: 'Open Deal',
  answer_counter: 'Answer Counter-Offer',
  read_messages: 'Read Messages',
  view_dispute: 'View Dispute',
  offer_again: 'Make Another Offer',
  none: 'Open Conversation',
} satisfies Record<OwnOffer['nextStep'], string>

/** Before a payment, every step takes place in the conversation with the buyer. */
function getNextLink({ nextStep, wantedItemId, buyerId, paymentId }: OwnOffer) {
  const conversation = paths.messages({ itemId: wantedItemId, userId: buyerId })
  const label = stepLabels[nextStep]
  if (paymentId !== null && nextStep === 'ship') return { label, to: paths.deal(paymentId) }
  if (paymentId !== null && nextStep === 'view_dispute') return { label, to: paths.dispute(paymentId) }
  return { label, to: conversation }
}
