import { resetStripeConnect } from '@sought/contract/sellers'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { Button } from '../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'

/** Removes the connected account, so that the seller can set up another one. */
export function ResetButton() {
  const { run } = useAction(resetStripeConnect, {
    success: { title: 'Account reset', description: 'You can set it up again.' },
    failure: explainFailure('Reset Failed'),
  })
  return (
    <ConfirmDialog
      title="Reset your connected account?"
      description="We remove this connected account and keep any money owed to you until you set up payouts again."
      confirmLabel="Reset Account"
      tone="danger"
      onConfirm={() => run()}
      trigger={<Button variant="secondary">Reset</Button>}
    />
  )
}
