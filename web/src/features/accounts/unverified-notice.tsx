import type { CurrentUser } from '@sought/contract/accounts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useResendLink } from './use-resend-link.ts'

export function UnverifiedNotice({ user }: { user: CurrentUser }) {
  const { run, isPending } = useResendLink(user.email)
  return (
    <Notice
      title="Your email is not verified yet"
      action={
        <Button variant="secondary" size="sm" busy={isPending} onClick={() => void run()}>
          Resend Link
        </Button>
      }
    >
      Open the link we sent to <span className="[overflow-wrap:anywhere]">{user.email}</span>, so that we can
      reach you about your offers and payments.
    </Notice>
  )
}
