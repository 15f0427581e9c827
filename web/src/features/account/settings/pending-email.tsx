import { cancelEmailChange } from '@sought/contract/security'
import { useAction } from '../../../data/use-action.ts'
import { useResendLink } from '../../../shared/sign-in/use-resend-link.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { useIsUndeliverable } from '../use-is-undeliverable.ts'
import { useSetCurrentUser } from '../use-set-current-user.ts'

/** A new email address that is not confirmed yet, with buttons to resend the link and to cancel the change. */
export function PendingEmail({ email, pendingEmail }: { email: string; pendingEmail: string }) {
  const isUndeliverable = useIsUndeliverable(pendingEmail)
  const resend = useResendLink(pendingEmail)
  const setCurrentUser = useSetCurrentUser()
  const cancel = useAction(cancelEmailChange, {
    success: { title: 'Change cancelled', description: `${email} stays your address.` },
    failure: 'Failed to update profile. Please try again.',
    onDone: setCurrentUser,
  })
  return (
    <Notice
      tone={isUndeliverable ? 'danger' : 'warning'}
      title={isUndeliverable ? 'This address does not exist' : 'Not confirmed yet'}
    >
      <p>
        {isUndeliverable ? 'The mail server does not know ' : 'Open the link we sent to '}
        <b className="[overflow-wrap:anywhere]">{pendingEmail}</b>. Until{' '}
        {isUndeliverable ? 'you confirm another one, ' : 'then '}
        <b className="[overflow-wrap:anywhere]">{email}</b> stays your address.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" busy={resend.isPending} onClick={() => void resend.run()}>
          Resend Link
        </Button>
        <Button variant="secondary" size="sm" busy={cancel.isPending} onClick={() => void cancel.run()}>
          Cancel Change
        </Button>
      </div>
    </Notice>
  )
}
