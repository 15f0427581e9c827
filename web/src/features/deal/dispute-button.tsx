import { paths } from '@sought/contract/paths'
import { disputePayment, type PaymentWithItem } from '@sought/contract/payments'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { Button } from '../../ui/forms/button.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'

const DEFAULT_REASON = 'Product not as described'
const REASON_MAX_LENGTH = 2000

interface DisputeButtonProps {
  payment: PaymentWithItem
  reason: string
  onReasonChange: (reason: string) => void
  onSubmitted: () => void
}

export function DisputeButton({ payment, reason, onReasonChange, onSubmitted }: DisputeButtonProps) {
  const [, navigate] = useLocation()
  const [isOpen, setIsOpen] = useState(false)
  const { run, isPending } = useAction(disputePayment, {
    success: {
      title: 'Dispute submitted',
      description: 'The money stays in escrow until the dispute is resolved.',
    },
    failure: explainFailure('Failed to submit dispute'),
  })
  const submit = async () => {
    // Not in onDone: a live update may remove this button before the response arrives.
    const body = { reason: reason.trim() || DEFAULT_REASON }
    if (await run({ params: { id: String(payment.id) }, body })) {
      onSubmitted()
      navigate(paths.messages())
    }
    setIsOpen(false)
  }
  return (
    <ConfirmDialog
      tone="danger"
      title="Report a problem?"
      description="The money stays in escrow while our team reviews what you and the seller say."
      confirmLabel="Submit Dispute"
      busy={isPending}
      open={isOpen}
      onOpenChange={setIsOpen}
      onConfirm={() => void submit()}
      trigger={
        <Button variant="secondary" wide>
          Report a Problem
        </Button>
      }
    >
      <TextArea
        label="What went wrong?"
        optional
        rows={3}
        maxLength={REASON_MAX_LENGTH}
        hint={`If you leave it empty, the reason is “${DEFAULT_REASON}”. You can add files afterwards.`}
        value={reason}
        onChange={({ target }) => onReasonChange(target.value)}
      />
    </ConfirmDialog>
  )
}
