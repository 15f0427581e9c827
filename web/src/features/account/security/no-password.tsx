import { forgotPassword } from '@sought/contract/security'
import { useAction } from '../../../data/use-action.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Button } from '../../../ui/forms/button.tsx'

/** Users who signed up with Google set their first password through an emailed link. */
export function NoPassword({ email }: { email: string }) {
  const { run, isPending, isSuccess } = useAction(forgotPassword, {
    failure: ({ userMessage }) => ({
      title: 'Error',
      description: userMessage ?? 'The link could not be sent. Please try again.',
    }),
  })
  if (isSuccess) {
    return (
      <Notice tone="success" title="Check your inbox" live>
        A link to set a password is on its way to <b className="[overflow-wrap:anywhere]">{email}</b>. It
        works for one hour.
      </Notice>
    )
  }
  return (
    <div className="grid justify-items-start gap-4">
      <p>You sign in with Google and have no password. We can email you a link to set one.</p>
      <Button variant="secondary" busy={isPending} onClick={() => void run({ body: { email } })}>
        Email Me a Link
      </Button>
    </div>
  )
}
