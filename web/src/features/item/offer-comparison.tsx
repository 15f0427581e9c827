import { listReceivedOffers, type ReceivedOffer } from '@sought/contract/offers'
import { paths } from '@sought/contract/paths'
import type { WantedItem } from '@sought/contract/requests'
import { useState } from 'react'
import { useRead } from '../../data/calls.ts'
import { formatDate } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'
import { plural } from '../../format/plural.ts'
import { describeDelivery } from '../../shared/deals/delivery-terms.ts'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { CounterButton } from '../../shared/offers/counter-button.tsx'
import { AcceptButton } from '../../shared/offers/offer-actions.tsx'
import { PersonLink } from '../../shared/people/person-link.tsx'
import { Avatar } from '../../ui/display/avatar.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Money } from '../../ui/display/money.tsx'
import { Stars } from '../../ui/display/stars.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { Card } from '../../ui/layout/card.tsx'

/** The offers on a request side by side. The owner can accept, counter or ask about each. */
export function OfferComparison({ item }: { item: WantedItem }) {
  const offers = useRead(listReceivedOffers, { params: { id: String(item.id) }, query: {} })
  return (
    <section aria-label="Offers" className="mt-12">
      <Loaded query={offers} loading={<Skeleton className="h-48" />}>
        {(data) => <Offers item={item} offers={data} />}
      </Loaded>
    </section>
  )
}

function Offers({ item, offers }: { item: WantedItem; offers: readonly ReceivedOffer[] }) {
  const [order, setOrder] = useState<OfferOrder>('price')
  return (
    <>
      <div className="mb-5 flex flex-wrap items-end justify-between gap-4">
        <h2 className="font-display font-strong text-heading">
          {offers.length > 1 ? `Compare ${offers.length} offers` : 'Offers so far'}
        </h2>
        {offers.length > 1 && (
          <Select
            label="Sort by"
            options={offerOrders}
            value={order}
            onChange={({ target }) => setOrder(target.value as OfferOrder)}
          />
        )}
      </div>
      {offers.length === 0 ? (
        <p className="text-ink-soft">
          {item.status === 'open'
            ? 'No offers yet. Sellers who have it will message you.'
            : 'There are no open offers.'}
        </p>
      ) : (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {sortOffers(offers, order).map((offer) => (
            <li key={offer.id}>
              <OfferRow item={item} offer={offer} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function OfferRow({ item, offer }: { item: WantedItem; offer: ReceivedOffer }) {
  const { seller, message, counterAmount, currency } = offer
  return (
    <Card asChild>
      <article className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-4 md:grid-cols-[minmax(7rem,auto)_minmax(0,13rem)_minmax(0,1fr)_auto] md:items-center">
        <Money amount={formatMoney(offer.amount, currency)} size="title" />
        <div className="flex items-center gap-3">
          <Avatar name={seller.name} imageUrl={seller.profileImageUrl} />
          <div className="grid min-w-0 justify-items-start">
            <PersonLink person={seller} className="link max-w-full truncate font-strong" />
            <Stars value={seller.ratingCount === 0 ? null : seller.rating} count={seller.ratingCount} />
            <span className="text-fine text-ink-soft">{describeDeals(seller.completedDeals)}</span>
          </div>
        </div>
        <div className="grid gap-1 text-fine text-ink-soft">
          {message && (
            <p className="line-clamp-3 whitespace-pre-line text-body text-ink [overflow-wrap:anywhere]">
              “{message}”
            </p>
          )}
          <p>{describeDelivery(offer)}</p>
          {counterAmount !== null && <p>You offered {formatMoney(counterAmount, currency)}.</p>}
          {offer.status === 'pending' && offer.request.version !== offer.currentVersion && (
            <p className="text-signal-text">The request has changed since this offer.</p>
          )}
          {offer.sellerPayoutsStopped && <p>{seller.name} can’t receive payouts right now.</p>}
          {offer.status === 'pending' && <p>Open until {formatDate(offer.expiresAt)}</p>}
        </div>
        <OfferActions item={item} offer={offer} />
      </article>
    </Card>
  )
}

function OfferActions({ item, offer }: { item: WantedItem; offer: ReceivedOffer }) {
  const { id: offerId, amount, seller } = offer
  const parties = { me: item.userId, other: seller, item }
  const isPending = offer.status === 'pending' && item.status === 'open'
  return (
    <div className="flex flex-wrap items-center gap-2 md:justify-end">
      {isPending && <AcceptButton offer={offer} parties={parties} />}
      {isPending && <CounterButton offer={offer} parties={parties} />}
      {offer.status === 'accepted' && <Badge tone="accent">Accepted</Badge>}
      {offer.status === 'accepted' && item.status === 'open' && (
        <LinkButton to={paths.escrowCheckout({ itemId: item.id, offerId, amount })} size="sm">
          Proceed to Payment
        </LinkButton>
      )}
      <LinkButton to={paths.messages({ itemId: item.id, userId: seller.id })} size="sm" variant="secondary">
        Message
      </LinkButton>
    </div>
  )
}

const describeDeals = (count: number): string =>
  count === 0 ? 'No completed deals yet' : plural(count, 'completed deal')

const offerOrders = [
  { value: 'price', label: 'Lowest price' },
  { value: 'rating', label: 'Best rating' },
  { value: 'deals', label: 'Most completed deals' },
  { value: 'expiry', label: 'Ending soonest' },
] as const

type OfferOrder = (typeof offerOrders)[number]['value']

const comparisons: Record<OfferOrder, (one: ReceivedOffer, other: ReceivedOffer) => number> = {
  price: (one, other) => one.amount - other.amount,
  rating: (one, other) => other.seller.rating - one.seller.rating,
  deals: (one, other) => other.seller.completedDeals - one.seller.completedDeals,
  expiry: (one, other) => Date.parse(one.expiresAt) - Date.parse(other.expiresAt),
}

/** An accepted offer comes first in every order. Equal offers are sorted by price. */
function sortOffers(offers: readonly ReceivedOffer[], order: OfferOrder): ReceivedOffer[] {
  const isAccepted = ({ status }: ReceivedOffer) => Number(status === 'accepted')
  return offers.toSorted(
    (one, other) =>
      isAccepted(other) - isAccepted(one) || comparisons[order](one, other) || comparisons.price(one, other),
  )
}
