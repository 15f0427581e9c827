import { paths } from '@sought/contract/paths'
import { canMove } from '@sought/escrow/moves'
import { useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { StarsInput } from '../../ui/stars.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { ConfirmButton } from './confirm-button.tsx'
import { DisputeButton } from './dispute-button.tsx'
import type { DraftRating } from './rating-path.ts'
import type { ShownPayment } from './shown-payment.ts'

const FEEDBACK_MAX_LENGTH = 2000

interface DeliveryActionsProps {
  payment: ShownPayment
  onConfirmed: (draft: DraftRating) => void
}

/** What the buyer may do now; in most states, nothing. */
export function DeliveryActions({ payment, onConfirmed }: DeliveryActionsProps) {
  if (payment.status === 'pending') return <Processing payment={payment} onConfirmed={onConfirmed} />
  if (canMove(payment.status, 'confirm', 'buyer')) return <Held payment={payment} onConfirmed={onConfirmed} />
  return <NothingToDo payment={payment} />
}

function Held({ payment, onConfirmed }: DeliveryActionsProps) {
  const [draft, setDraft] = useState<DraftRating>({ rating: 5, feedback: '' })
  return (
    <div className="grid gap-6">
      <div>
        <h2 className="font-display font-strong text-title">Is it in your hands?</h2>
        <p className="mt-1 text-ink-soft">
          Look at it first. Once you confirm, the money goes to {payment.seller.name}, and it cannot be called
          back.
        </p>
      </div>
      <StarsInput
        label="Your rating"
        value={draft.rating}
        onValueChange={(rating) => setDraft({ ...draft, rating })}
      />
      <TextArea
        label="Feedback"
        optional
        rows={3}
        maxLength={FEEDBACK_MAX_LENGTH}
        hint="Goes with your rating. If you report a problem instead, it says what is wrong."
        value={draft.feedback}
        onChange={({ target }) => setDraft({ ...draft, feedback: target.value })}
      />
      <div className="grid gap-3">
        <ConfirmButton payment={payment} onConfirmed={() => onConfirmed(draft)}>
          Confirm Delivery
        </ConfirmButton>
        <DisputeButton payment={payment} feedback={draft.feedback} />
      </div>
    </div>
  )
}

/** The charge has not reached us yet. Who has the thing all the same need not wait for it (ADR 8). */
function Processing({ payment, onConfirmed }: DeliveryActionsProps) {
  const { wantedItemId: itemId, offerId, amount } = payment
  return (
    <div className="grid gap-6">
      <Notice tone="warning" title="Processing">
        We wait for the card payment. Until it is there, nothing can be confirmed or disputed.
      </Notice>
      <div className="grid gap-3">
        <h2 className="font-display font-strong text-title">Already received it?</h2>
        <p className="text-ink-soft">
          Then we ask the card service at once, and confirm the delivery with it.
        </p>
        <ConfirmButton
          payment={payment}
          manually
          onConfirmed={() => onConfirmed({ rating: 5, feedback: '' })}
        >
          Confirm Delivery Now
        </ConfirmButton>
        <Button asChild variant="quiet">
          <Link href={paths.escrowCheckout({ itemId, offerId, amount })}>Not paid yet? Back to payment</Link>
        </Button>
      </div>
    </div>
  )
}

function NothingToDo({ payment }: { payment: ShownPayment }) {
  const isOpen = canMove(payment.status, 'review', 'admin')
  return (
    <div className="grid gap-4">
      <Notice tone={isOpen ? 'danger' : 'info'} title={isOpen ? 'In dispute' : 'Decided'}>
        {isOpen
          ? 'The money stays in escrow until the dispute is decided.'
          : 'The dispute about this payment has been decided. Nothing is left to do.'}
        {payment.disputeReason && (
          <p className="mt-2 whitespace-pre-line text-ink-soft [overflow-wrap:anywhere]">
            {payment.disputeReason}
          </p>
        )}
      </Notice>
      <div className="flex flex-wrap gap-3">
        <Button asChild>
          <Link href={paths.dispute(payment.id)}>View Dispute</Link>
        </Button>
        <Button asChild variant="secondary">
          <Link href={paths.payments()}>My Transactions</Link>
        </Button>
      </div>
    </div>
  )
}
