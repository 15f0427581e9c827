import { getStripeConnectStatus, resetStripeConnect } from '@sought/contract/sellers'
import { useState } from 'react'
import { useSend } from '../../lib/calls.ts'
import { toast } from '../../lib/toasts.ts'
import { useSessionEnded } from '../../lib/use-session-ended.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

/** Forgets the connected account, so that set-up can begin anew. */
export function ResetButton() {
  const [asking, setAsking] = useState(false)
  const sessionEnded = useSessionEnded()
  const send = useSend(resetStripeConnect, { refreshes: [getStripeConnectStatus] })
  const reset = () =>
    send.mutate(
      {},
      {
        onSuccess: () => toast({ title: 'Account reset', description: 'You can set it up anew.' }),
        onError: (error) => {
          if (sessionEnded(error)) return
          toast({
            title: 'Reset Failed',
            description: error.userMessage ?? 'Please try again.',
            variant: 'destructive',
          })
        },
        onSettled: () => setAsking(false),
      },
    )
  return (
    <ConfirmDialog
      title="Start the setup over?"
      description="Sought forgets this connected account. What you are owed waits until there is another."
      confirmLabel="Reset Account"
      tone="danger"
      busy={send.isPending}
      open={asking}
      onOpenChange={setAsking}
      onConfirm={reset}
      trigger={<Button variant="secondary">Reset</Button>}
    />
  )
}
