import { type Dispute, withdrawDispute } from '@sought/contract/disputes'
import { paths } from '@sought/contract/paths'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { toast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useDisputeStep } from './use-dispute-step.ts'

export function WithdrawButton({ dispute }: { dispute: Dispute }) {
  const [isOpen, setIsOpen] = useState(false)
  const [, navigate] = useLocation()
  const { take, busy } = useDisputeStep(withdrawDispute, {
    failed: 'Failed to withdraw the dispute',
    onDone: () => {
      toast({ title: 'Dispute Withdrawn', description: 'The payment is back in escrow.' })
      navigate(paths.payments())
    },
  })
  return (
    <ConfirmDialog
      title="Withdraw the dispute?"
      description={`The payment goes back into escrow. If you then do nothing, it is released to ${dispute.seller.name} once the hold has run out, at least 48 hours from now.`}
      confirmLabel="Withdraw Dispute"
      cancelLabel="Keep It"
      busy={busy}
      open={isOpen}
      onOpenChange={setIsOpen}
      onConfirm={async () => {
        await take({ params: { paymentId: String(dispute.id) } })
        setIsOpen(false)
      }}
      trigger={
        <Button variant="quiet" wide>
          Withdraw Dispute
        </Button>
      }
    />
  )
}
