import { paths } from '@sought/contract/paths'
import { disputePayment } from '@sought/contract/payments'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { toast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { ShownPayment } from './shown-payment.ts'
import { usePaymentMove } from './use-payment-move.ts'

const DEFAULT_REASON = 'Product not as described'

interface DisputeButtonProps {
  payment: ShownPayment
  /** What the buyer wrote beside the stars: here it is what is wrong. */
  feedback: string
}

export function DisputeButton({ payment, feedback }: DisputeButtonProps) {
  const [, navigate] = useLocation()
  const [asking, setAsking] = useState(false)
  const reason = feedback.trim() || DEFAULT_REASON
  const { move, busy } = usePaymentMove(disputePayment, {
    failed: 'Failed to submit dispute',
    onDone: () => {
      toast({
        title: 'Dispute submitted',
        description: 'The money stays in escrow until we decide.',
      })
      navigate(paths.messages())
    },
  })
  return (
    <ConfirmDialog
      tone="danger"
      title="Report a problem?"
      description="The money stays in escrow, and a person looks at what both of you say."
      confirmLabel="Submit Dispute"
      busy={busy}
      open={asking}
      onOpenChange={setAsking}
      onConfirm={async () => {
        await move({ params: { id: String(payment.id) }, body: { reason } })
        setAsking(false)
      }}
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
