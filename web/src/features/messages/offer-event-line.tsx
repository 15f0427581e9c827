import { formatCents } from '../../format/money.ts'
import { useCurrency } from '../../shared/market/currency.ts'
import type { Parties } from '../../shared/offers/parties.ts'
import { PhotoGrid } from '../../shared/photos/photo-grid.tsx'
import { formatTime } from './message-dates.ts'
import type { OfferEvent } from './offer-events.ts'

export function OfferEventLine({ event, parties }: { event: OfferEvent; parties: Parties }) {
  const amount = formatCents(event.offer.amount, useCurrency())
  const { action, actorId, offer, at } = event
  const isNew = action === 'offered' || action === 'countered'
  return (
    <div className="mx-auto grid max-w-[95%] justify-items-center gap-0.5 py-1 text-center text-fine sm:max-w-[85%]">
      <p className="text-balance">
        <span className="font-strong">{actorId === parties.me ? 'You' : parties.other.name}</span>{' '}
        {describeAction(action, amount, offer.proposedBy === 'buyer')}
        <time dateTime={at.toISOString()} className="ml-2 text-ink-soft">
          {formatTime(at)}
        </time>
      </p>
      {isNew && <PhotoGrid photos={offer.photos} isOwn={actorId === parties.me} className="mt-1" />}
      {isNew && offer.message && (
        <p className="whitespace-pre-line text-balance text-ink-soft [overflow-wrap:anywhere]">
          “{offer.message}”
        </p>
      )}
    </div>
  )
}

function describeAction(action: OfferEvent['action'], amount: string, isCounter: boolean): string {
  if (action === 'offered') return `offered ${amount}`
  if (action === 'countered') return `countered with ${amount}`
  return `${action} the ${isCounter ? 'counter-offer' : 'offer'} of ${amount}`
}
