import type { CurrentUser } from '@sought/contract/accounts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useResend } from './use-resend.ts'

/** One quiet line for an address that nobody has proved yet. */
export function UnverifiedNotice({ user }: { user: CurrentUser }) {
  const { resend, busy } = useResend(user.email)
  return (
    <Notice
      title="Your email is not verified yet"
      action={
        <Button variant="secondary" size="sm" busy={busy} onClick={resend}>
          Resend Link
        </Button>
      }
    >
      Open the link that we sent to <span className="[overflow-wrap:anywhere]">{user.email}</span>, so that we
      can reach you when there is news about your money.
    </Notice>
  )
}
