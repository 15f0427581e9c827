import { listOwnOffers, type OwnOffer } from '@sought/contract/offers'
import { paths } from '@sought/contract/paths'
import { Link } from 'wouter'
import { useReadPages } from '../../data/calls.ts'
import { formatDate } from '../../format/dates.ts'
import { formatCents } from '../../format/money.ts'
import { formatRelativeTime } from '../../format/relative-time.ts'
import { describeDelivery } from '../../shared/deals/delivery-terms.ts'
import { LinkButton } from '../../shared/loading/error-page.tsx'
import { WaitingList } from '../../shared/loading/waiting-list.tsx'
import { useCurrency } from '../../shared/market/currency.ts'
import { FirstSteps } from '../../shared/onboarding/first-steps.tsx'
import { PersonLink } from '../../shared/people/person-link.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Money } from '../../ui/display/money.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { getNextLink, offerStates } from './own-offer-state.ts'

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
  const currency = useCurrency()
  const { label, tone } = offerStates[offer.state]
  const next = getNextLink(offer)
  return (
    <Card asChild>
      <article className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="grid min-w-0 grow basis-80 grid-cols-[minmax(0,1fr)] gap-2 max-sm:basis-full">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-fine text-ink-soft">
            <Badge tone={tone}>{label}</Badge>
            <span>{formatRelativeTime(new Date(offer.createdAt), new Date())}</span>
            {offer.unreadCount > 0 && (
              <span className="font-strong text-ink">
                {offer.unreadCount === 1 ? '1 unread message' : `${offer.unreadCount} unread messages`}
              </span>
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
          <Money amount={formatCents(offer.amount, currency)} size="title" />
          <Button asChild variant={offer.isWaiting ? 'primary' : 'secondary'} className="max-sm:grow">
            <Link href={next.to}>{next.label}</Link>
          </Button>
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
