import { paths } from '@sought/contract/paths'
import { disputePayment, type PaymentWithItem } from '@sought/contract/payments'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { explainFailure, useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { paymentQueries } from './payment-queries.ts'

const DEFAULT_REASON = 'Product not as described'

interface DisputeButtonProps {
  payment: PaymentWithItem
  /** The text of the feedback field, sent as the reason. */
  feedback: string
}

export function DisputeButton({ payment, feedback }: DisputeButtonProps) {
  const [, navigate] = useLocation()
  const [isOpen, setIsOpen] = useState(false)
  const reason = feedback.trim() || DEFAULT_REASON
  const { run, isPending } = useAction(disputePayment, {
    success: {
      title: 'Dispute submitted',
      description: 'The money stays in escrow until the dispute is resolved.',
    },
    failure: explainFailure('Failed to submit dispute'),
    refreshes: paymentQueries,
  })
  const submit = async () => {
    // Not in onDone: a live update may remove this button before the response arrives.
    if (await run({ params: { id: String(payment.id) }, body: { reason } })) navigate(paths.messages())
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
      <p className="rounded-card bg-sunken p-3 whitespace-pre-line [overflow-wrap:anywhere]">“{reason}”</p>
    </ConfirmDialog>
  )
}
