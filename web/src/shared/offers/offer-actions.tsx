import { rulesOf } from '@sought/contract/currencies'
import { acceptOffer, listOffers, type Offer, rejectOffer, withdrawOffer } from '@sought/contract/offers'
import { calculateFees } from '@sought/escrow/fees'
import { changeItems } from '../../data/optimistic-changes.ts'
import { useAction } from '../../data/use-action.ts'
import { getTimestamp } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'
import { Button } from '../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'
import { useFees } from '../market/market.ts'
import { usePayoutTiming } from '../payouts/use-payout-timing.ts'
import { Changes, useChanges } from './changed-request.tsx'
import { explainOfferFailure } from './offer-feedback.ts'
import { isBuyer, type Parties } from './parties.ts'

const inputFor = (offer: Offer) => ({ params: { id: String(offer.id) } })

/** Accepting is binding, so it needs a confirmation. */
export function AcceptButton({ offer, parties }: { offer: Offer; parties: Parties }) {
  const { currency } = offer
  const amount = formatMoney(offer.amount, currency)
  const fees = useFees(currency)
  const payout = fees && formatMoney(calculateFees(offer.amount, fees, rulesOf(currency)).payout, currency)
  const timing = usePayoutTiming(isBuyer(parties) ? 'buyer' : 'seller')
  const next = isBuyer(parties) ? 'You can now pay it into escrow.' : 'The buyer can now pay it into escrow.'
  const { run, isPending } = useAction(acceptOffer, {
    success: { title: 'Offer Accepted!', description: next },
    failure: explainOfferFailure('Failed to accept offer. Please try again.'),
  })
  const { changes, isLoading } = useChanges(offer, parties)
  return (
    <ConfirmDialog
      title={`Accept ${amount}?`}
      description={[
        isBuyer(parties)
          ? `You agree to buy from ${parties.other.name} for ${amount}. You then pay into escrow, where the money is held until you confirm delivery.`
          : `You agree to sell to ${parties.other.name} for ${amount}.${payout ? ` You receive ${payout} after fees, once delivery is confirmed.` : ''}`,
        timing,
      ]
        .filter(Boolean)
        .join(' ')}
      confirmLabel={`Accept ${amount}`}
      busy={isLoading}
      onConfirm={() => void run(inputFor(offer))}
      trigger={
        <Button size="sm" busy={isPending}>
          Accept
        </Button>
      }
    >
      {changes.length > 0 && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Changes changes={changes} />
          <p className="[overflow-wrap:anywhere]">
            You agree on “{offer.request.title}” (version {offer.request.version}).
          </p>
        </div>
      )}
    </ConfirmDialog>
  )
}

export function RejectButton({ offer }: { offer: Offer }) {
  const { run, isPending } = useAction(rejectOffer, {
    success: { title: 'Offer Rejected' },
    failure: explainOfferFailure('Failed to reject offer. Please try again.'),
    optimistic: () => [
      changeItems(listOffers, ({ id }) => id === offer.id, {
        status: 'rejected',
        rejectedAt: getTimestamp(),
      }),
    ],
  })
  return (
    <Button size="sm" variant="secondary" busy={isPending} onClick={() => void run(inputFor(offer))}>
      Reject
    </Button>
  )
}

export function WithdrawButton({ offer }: { offer: Offer }) {
  const { run, isPending } = useAction(withdrawOffer, {
    success: { title: 'Offer Withdrawn' },
    failure: explainOfferFailure('Failed to withdraw offer. Please try again.'),
    optimistic: () => [
      changeItems(listOffers, ({ id }) => id === offer.id, {
        status: 'withdrawn',
        withdrawnAt: getTimestamp(),
      }),
    ],
  })
  return (
    <Button
      size="sm"
      variant="quiet"
      className="-mb-2 -ml-3"
      busy={isPending}
      onClick={() => void run(inputFor(offer))}
    >
      Withdraw
    </Button>
  )
}
