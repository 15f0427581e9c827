import type { CurrentUser } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { Link } from 'wouter'
import { useResendLink } from '../../shared/sign-in/use-resend-link.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { useIsUndeliverable } from './use-is-undeliverable.ts'

/** Problems with the user's email address, if any. */
export function EmailNotice({ user }: { user: CurrentUser }) {
  const isUndeliverable = useIsUndeliverable(user.email)
  if (isUndeliverable) return <UndeliverableNotice user={user} />
  return user.emailVerified ? null : <UnverifiedNotice user={user} />
}

function UnverifiedNotice({ user }: { user: CurrentUser }) {
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

/** While a new address waits for its confirmation, users confirm that one instead, so there is no retry button. */
function UndeliverableNotice({ user }: { user: CurrentUser }) {
  const { run, isPending } = useResendLink(user.email)
  return (
    <Notice
      tone="danger"
      title="Our emails don’t reach you"
      action={
        !user.pendingEmail && (
          <Button variant="secondary" size="sm" busy={isPending} onClick={() => void run()}>
            Try Again
          </Button>
        )
      }
    >
      The mail server says that <span className="[overflow-wrap:anywhere]">{user.email}</span> does not exist,
      so we stopped sending emails to it.{' '}
      <Link href={paths.profile({ tab: 'settings' })} className="link">
        Change your address
      </Link>
      {user.pendingEmail ? '.' : ', or try again if it works now.'}
    </Notice>
  )
}
