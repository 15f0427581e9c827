import { cancelEmailChange } from '@sought/contract/security'
import { useSend } from '../../lib/calls.ts'
import { toast } from '../../lib/toasts.ts'
import { useSessionEnded } from '../../lib/use-session-ended.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useResend } from './use-resend.ts'
import { useShowUser } from './use-show-user.ts'

/** A new address that waits to be proved, and the two things that can be done about it. */
export function PendingEmail({ email, pendingEmail }: { email: string; pendingEmail: string }) {
  const { resend, busy } = useResend(pendingEmail)
  const cancel = useCancel(email)
  return (
    <Notice tone="warning" title="Not confirmed yet">
      <p>
        Open the link that we sent to <b className="[overflow-wrap:anywhere]">{pendingEmail}</b>. Until then{' '}
        <b className="[overflow-wrap:anywhere]">{email}</b> stays your address.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" busy={busy} onClick={resend}>
          Resend Link
        </Button>
        <Button variant="secondary" size="sm" busy={cancel.busy} onClick={cancel.press}>
          Cancel Change
        </Button>
      </div>
    </Notice>
  )
}

function useCancel(email: string) {
  const send = useSend(cancelEmailChange)
  const showUser = useShowUser()
  const sessionEnded = useSessionEnded()
  const press = () =>
    send.mutate(
      {},
      {
        onSuccess: (user) => {
          showUser(user)
          toast({ title: 'Change cancelled', description: `${email} stays your address.` })
        },
        onError: (error) => {
          if (sessionEnded(error)) return
          toast({
            title: 'Error',
            description: 'Failed to update profile. Please try again.',
            variant: 'destructive',
          })
        },
      },
    )
  return { press, busy: send.isPending }
}
