import { paths } from '@sought/contract/paths'
import { confirmDelivery, confirmDeliveryManually, type PaymentWithItem } from '@sought/contract/payments'
import { canMove } from '@sought/escrow/moves'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { formatMoney } from '../../format/money.ts'
import { describeBankReview } from '../../shared/deals/payment-state.ts'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { StarsInput } from '../../ui/display/stars.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'
import { CheckNotice } from './deal-steps.tsx'
import { DEFAULT_RATING, type useDeliveryDraft } from './delivery-draft.ts'
import { DisputeButton } from './dispute-button.tsx'

const FEEDBACK_MAX_LENGTH = 2000

interface DeliveryActionsProps {
  payment: PaymentWithItem
  draft: ReturnType<typeof useDeliveryDraft>
  /** Called before the confirmation is sent. `onAnswered` follows with its result. */
  onConfirming: () => void
  onAnswered: (isConfirmed: boolean) => void
}

/** What the buyer can do with the payment in its current state. */
export function DeliveryActions(props: DeliveryActionsProps) {
  const { payment } = props
  if (payment.status === 'pending') return <Processing {...props} />
  if (canMove(payment.status, 'confirm', 'buyer') && payment.needsCheck) return <CheckedPayment {...props} />
  if (canMove(payment.status, 'confirm', 'buyer')) return <ConfirmOrDispute {...props} />
  return <DisputedPayment payment={payment} />
}

function ConfirmOrDispute({ payment, draft: { draft, change, forget }, ...confirm }: DeliveryActionsProps) {
  return (
    <div className="grid grid-cols-1 gap-6">
      <div>
        <h2 className="font-display font-strong text-title">Have you received the item?</h2>
        <p className="mt-1 text-ink-soft">
          Check the item first. Once you confirm, the money is released to {payment.seller.name}. This cannot
          be undone.
        </p>
      </div>
      <StarsInput
        label="Your rating"
        value={draft.rating ?? DEFAULT_RATING}
        onValueChange={(rating) => change({ rating })}
      />
      <TextArea
        label="Feedback"
        optional
        rows={3}
        maxLength={FEEDBACK_MAX_LENGTH}
        hint="Stars and feedback are sent when you confirm. If you change neither, you can rate on the next screen."
        value={draft.feedback}
        onChange={({ target }) => change({ feedback: target.value })}
      />
      <div className="grid gap-3">
        <ConfirmButton payment={payment} {...confirm}>
          Confirm Delivery
        </ConfirmButton>
        <DisputeButton
          payment={payment}
          reason={draft.disputeReason}
          onReasonChange={(disputeReason) => change({ disputeReason })}
          onSubmitted={forget}
        />
      </div>
    </div>
  )
}

/** The payment may be fraud, so it cannot be released yet. The buyer can still report a problem. */
function CheckedPayment({ payment, draft: { draft, change, forget } }: DeliveryActionsProps) {
  return (
    <div className="grid grid-cols-1 gap-6">
      <CheckNotice />
      <DisputeButton
        payment={payment}
        reason={draft.disputeReason}
        onReasonChange={(disputeReason) => change({ disputeReason })}
        onSubmitted={forget}
      />
    </div>
  )
}

/** Shown before the payment is in escrow. A buyer who already has the item need not wait (ADR 5). */
function Processing({ payment, onConfirming, onAnswered }: DeliveryActionsProps) {
  const { wantedItemId: itemId, offerId, amount } = payment
  return (
    <div className="grid grid-cols-1 gap-6">
      <Notice tone="warning" title="Processing">
        Your card payment is being processed. You can confirm delivery or report a problem once it is in
        escrow.
      </Notice>
      <div className="grid gap-3">
        <h2 className="font-display font-strong text-title">Already received it?</h2>
        <p className="text-ink-soft">
          We check the payment with the card provider now. If it went through, the delivery is confirmed.
        </p>
        <ConfirmButton payment={payment} manually onConfirming={onConfirming} onAnswered={onAnswered}>
          Confirm Delivery Now
        </ConfirmButton>
        <LinkButton to={paths.escrowCheckout({ itemId, offerId, amount })} variant="quiet">
          Not paid yet? Back to checkout
        </LinkButton>
      </div>
    </div>
  )
}

function DisputedPayment({ payment }: { payment: PaymentWithItem }) {
  const isOpen = canMove(payment.status, 'review', 'admin')
  return (
    <div className="grid grid-cols-1 gap-4">
      <Notice tone={isOpen ? 'danger' : 'info'} title={isOpen ? 'In dispute' : 'Dispute resolved'}>
        {describeBankReview(payment, 'buyer') ??
          (isOpen
            ? 'The money stays in escrow until the dispute is resolved.'
            : 'There is nothing left for you to do.')}
        {payment.disputeReason && (
          <p className="mt-2 whitespace-pre-line text-ink-soft [overflow-wrap:anywhere]">
            {payment.disputeReason}
          </p>
        )}
      </Notice>
      <div className="flex flex-wrap gap-3">
        <LinkButton to={paths.dispute(payment.id)}>View Dispute</LinkButton>
        <LinkButton to={paths.payments()} variant="secondary">
          My Transactions
        </LinkButton>
      </div>
    </div>
  )
}

interface ConfirmButtonProps {
  payment: PaymentWithItem
  /** First asks the card provider about the payment, if its webhook has not arrived. */
  manually?: boolean
  /** Called before the request, and then `onAnswered` with its result. */
  onConfirming: () => void
  onAnswered: (isConfirmed: boolean) => void
  children: string
}

/** Releasing the money cannot be undone, so it needs a confirmation. */
function ConfirmButton({
  payment,
  manually = false,
  onConfirming,
  onAnswered,
  children,
}: ConfirmButtonProps) {
  const amount = formatMoney(payment.amount, payment.currency)
  const { run } = useAction(manually ? confirmDeliveryManually : confirmDelivery, {
    success: {
      title: 'Delivery confirmed!',
      description: `${amount} has been released to ${payment.seller.name}.`,
    },
    failure: explainFailure('Failed to confirm delivery'),
  })
  const confirm = async () => {
    onConfirming()
    onAnswered(await run({ params: { id: String(payment.id) } }))
  }
  return (
    <ConfirmDialog
      title={`Release ${amount} to ${payment.seller.name}?`}
      description="You confirm that you received the item and that it is as described. This cannot be undone."
      confirmLabel={`Release ${amount}`}
      cancelLabel="Not Yet"
      onConfirm={confirm}
      trigger={
        <Button size="lg" wide>
          {children}
        </Button>
      }
    />
  )
}
