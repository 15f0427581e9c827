import { useCurrency } from '../../lib/currency.ts'
import { formatCents } from '../../lib/money.ts'
import { timeOfDay } from './moments.ts'
import type { OfferStep } from './offer-steps.ts'
import type { Parties } from './parties.ts'

/** A step of an offer, as a line between the messages. */
export function OfferLine({ step, parties }: { step: OfferStep; parties: Parties }) {
  const amount = formatCents(step.offer.amount, useCurrency())
  const { did, by, offer, at } = step
  const isNew = did === 'offered' || did === 'countered'
  return (
    <div className="mx-auto grid max-w-[95%] justify-items-center gap-0.5 py-1 text-center text-fine sm:max-w-[85%]">
      <p className="text-balance">
        <span className="font-strong">{by === parties.me ? 'You' : parties.other.name}</span>{' '}
        {words(did, amount, offer.proposedBy === 'buyer')}
        <time dateTime={at.toISOString()} className="ml-2 text-ink-soft">
          {timeOfDay(at)}
        </time>
      </p>
      {isNew && offer.message && (
        <p className="whitespace-pre-line text-balance text-ink-soft [overflow-wrap:anywhere]">
          “{offer.message}”
        </p>
      )}
    </div>
  )
}

function words(did: OfferStep['did'], amount: string, isCounter: boolean): string {
  if (did === 'offered') return `offered ${amount}`
  if (did === 'countered') return `countered with ${amount}`
  return `${did} the ${isCounter ? 'counter-offer' : 'offer'} of ${amount}`
}
