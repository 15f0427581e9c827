import { forgotPassword } from '@sought/contract/security'
import { useSend } from '../../lib/calls.ts'
import { toast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Who came by Google sets a password by mail: there is no current one to prove themselves with. */
export function NoPassword({ email }: { email: string }) {
  const send = useSend(forgotPassword)
  const ask = () =>
    send.mutate(
      { body: { email } },
      {
        onError: (error) =>
          toast({
            title: 'Error',
            description: error.userMessage ?? 'The link could not be sent. Please try again.',
            variant: 'destructive',
          }),
      },
    )
  if (send.isSuccess) {
    return (
      <Notice tone="success" title="Look in your inbox" live>
        A link to set a password is on its way to <b className="[overflow-wrap:anywhere]">{email}</b>. It
        works for one hour.
      </Notice>
    )
  }
  return (
    <div className="grid justify-items-start gap-4">
      <p>You sign in with Google and have no password. We can mail you a link to set one.</p>
      <Button variant="secondary" busy={send.isPending} onClick={ask}>
        Mail Me a Link
      </Button>
    </div>
  )
}
