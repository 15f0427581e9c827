import { type Dispute, withdrawDispute } from '@sought/contract/disputes'
import { paths } from '@sought/contract/paths'
import { useLocation } from 'wouter'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { Button } from '../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'

export function WithdrawButton({ dispute }: { dispute: Dispute }) {
  const [, navigate] = useLocation()
  const { run } = useAction(withdrawDispute, {
    success: { title: 'Dispute Withdrawn', description: 'The payment is back in escrow.' },
    failure: explainFailure('Failed to withdraw the dispute'),
  })
  return (
    <ConfirmDialog
      title="Withdraw the dispute?"
      description={`The payment goes back into escrow. If you do nothing, it is released to ${dispute.seller.name} when the hold ends, at least 48 hours from now.`}
      confirmLabel="Withdraw Dispute"
      cancelLabel="Keep Dispute"
      onConfirm={async () => {
        const isWithdrawn = await run({ params: { paymentId: String(dispute.id) } })
        // Not in onDone: a live update may remove this button before the response arrives.
        if (isWithdrawn) navigate(paths.payments())
      }}
      trigger={
        <Button variant="quiet" wide>
          Withdraw Dispute
        </Button>
      }
    />
  )
}
