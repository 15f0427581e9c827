import { useSession } from '../../data/session.ts'
import { useResendLink } from '../../shared/sign-in/use-resend-link.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/forms/button.tsx'

interface Props {
  message: string | null
  onRetry: () => void
}

/** Shown instead of the card form. The address that was entered is kept. */
export function VerifyEmailFirst({ message, onRetry }: Props) {
  const session = useSession()
  const { run, isPending } = useResendLink(
    session.state === 'signed-in' ? session.user.email : 'your address',
  )
  return (
    <Notice
      live
      tone="warning"
      title="Verify your email first"
      action={
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" busy={isPending} onClick={() => void run()}>
            Send Link Again
          </Button>
          <Button onClick={onRetry}>Continue to Payment</Button>
        </div>
      }
    >
      {message}
    </Notice>
  )
}
