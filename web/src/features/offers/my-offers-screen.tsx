import { listOwnOffers, type OwnOffer } from '@sought/contract/offers'
import { paths } from '@sought/contract/paths'
import { Link } from 'wouter'
import { useReadPages } from '../../lib/calls.ts'
import { useCurrency } from '../../lib/currency.ts'
import { formatDate } from '../../lib/dates.ts'
import { describeDelivery } from '../../lib/delivery-terms.ts'
import { LinkButton } from '../../lib/error-page.tsx'
import { FirstSteps } from '../../lib/first-steps.tsx'
import { formatCents } from '../../lib/money.ts'
import { PersonLink } from '../../lib/person-link.tsx'
import { formatRelativeTime } from '../../lib/relative-time.ts'
import { WaitingList } from '../../lib/waiting-list.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Money } from '../../ui/money.tsx'
import { Page } from '../../ui/page.tsx'
import { getNextLink, offerStates } from './own-offer-state.ts'

const PAGE_SIZE = 20

export function MyOffersScreen() {
  const offers = useReadPages(
    listOwnOffers,
    { limit: String(PAGE_SIZE) },
    { staleMs: 0, idOf: ({ rank }) => rank },
  )
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
