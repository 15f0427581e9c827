import { acceptOffer, type Offer, rejectOffer, withdrawOffer } from '@sought/contract/offers'
import { useCurrency } from '../../lib/currency.ts'
import { formatCents } from '../../lib/money.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { isBuyer, type Parties } from './parties.ts'
import { useOfferStep } from './use-offer-step.ts'

const on = (offer: Offer) => ({ input: { params: { id: String(offer.id) } } })

/** Accepting is a promise: it asks first. */
export function AcceptButton({ offer, parties }: { offer: Offer; parties: Parties }) {
  const amount = formatCents(offer.amount, useCurrency())
  const next = isBuyer(parties) ? 'You can now pay it into escrow.' : 'The buyer can now pay it into escrow.'
  const { take, busy } = useOfferStep(acceptOffer, {
    done: { title: 'Offer Accepted!', description: next },
    failed: 'Failed to accept offer. Please try again.',
  })
  return (
    <ConfirmDialog
      title={`Accept ${amount}?`}
      description={
        isBuyer(parties)
          ? `You agree to buy from ${parties.other.name} for ${amount}. You then pay into escrow, where the money waits until you confirm delivery.`
          : `You agree to sell to ${parties.other.name} for ${amount}. The money is released to you once delivery is confirmed.`
      }
      confirmLabel={`Accept ${amount}`}
      onConfirm={() => take(on(offer))}
      trigger={
        <Button size="sm" busy={busy}>
          Accept
        </Button>
      }
    />
  )
}

export function RejectButton({ offer }: { offer: Offer }) {
  const { take, busy } = useOfferStep(rejectOffer, {
    done: { title: 'Offer Rejected' },
    failed: 'Failed to reject offer. Please try again.',
  })
  return (
    <Button size="sm" variant="secondary" busy={busy} onClick={() => take(on(offer))}>
      Reject
    </Button>
  )
}

export function WithdrawButton({ offer }: { offer: Offer }) {
  const { take, busy } = useOfferStep(withdrawOffer, {
    done: { title: 'Offer Withdrawn' },
    failed: 'Failed to withdraw offer. Please try again.',
  })
  return (
    <Button size="sm" variant="quiet" className="-mb-2 -ml-3" busy={busy} onClick={() => take(on(offer))}>
      Withdraw
    </Button>
  )
}
