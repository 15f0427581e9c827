import { paths } from '@sought/contract/paths'
import { getEmailVerification, verifyEmail } from '@sought/contract/security'
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { refreshAfter, useRead } from '../../data/calls.ts'
import type { CallError } from '../../data/client.ts'
import { useSession } from '../../data/session.ts'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { useResendLink } from '../../shared/sign-in/use-resend-link.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { ExpiredLink } from './expired-link.tsx'
import { Verified } from './verified.tsx'
import { VerifyElsewhere } from './verify-elsewhere.tsx'

/**
 * The page of the emailed verification link. In a browser where the user has signed in, opening it verifies the
 * address. In another browser it asks for the password, because a stranger may have entered the address.
 */
export function VerifyEmailScreen() {
  const [query] = useSearchParams()
  const token = query.get('token')
  return token ? <VerificationLink token={token} /> : <ExpiredVerificationLink />
}

function VerificationLink({ token }: { token: string }) {
  const link = useRead(getEmailVerification, { query: { token } })
  if (link.isPending) return <FullPageSpinner />
  if (link.isError) return <VerificationFailed error={link.error} {...retryOf(link)} />
  return link.data.asksPassword ? (
    <VerifyElsewhere token={token} {...link.data} />
  ) : (
    <Verifying token={token} />
  )
}

const retryOf = (query: UseQueryResult<unknown, CallError>) => ({
  onRetry: () => void query.refetch(),
  busy: query.isFetching,
})

function Verifying({ token }: { token: string }) {
  const cache = useQueryClient()
  // Uses a query although the call changes data: the token works only once, and React Query sends a query only once.
  const verified = useRead(verifyEmail, { body: { token } })
  useEffect(() => {
    if (verified.isSuccess) void refreshAfter(cache, verifyEmail)
  }, [verified.isSuccess, cache])
  if (verified.isPending) return <FullPageSpinner />
  if (verified.isSuccess) return <Verified title="Your email is verified" />
  return <VerificationFailed error={verified.error} {...retryOf(verified)} />
}

function VerificationFailed({
  error,
  onRetry,
  busy,
}: {
  error: CallError
  onRetry: () => void
  busy: boolean
}) {
  if (error.code === 'link_expired') return <ExpiredVerificationLink />
  return (
    <Page title="Email not verified" heading={null}>
      <ErrorState
        title="Email not verified"
        message={error.userMessage ?? undefined}
        reference={error.requestId}
        {...(error.code !== 'email_taken' && { onRetry, busy })}
      />
    </Page>
  )
}

/** A link that was opened before has already verified the address. Otherwise the user can request a new link. */
function ExpiredVerificationLink() {
  const session = useSession()
  if (session.state !== 'signed-in') return <ExpiredLinkForVisitor />
  const { emailVerified, pendingEmail, email } = session.user
  if (emailVerified && !pendingEmail) return <Verified title="Your email is already verified" />
  return <ExpiredLinkForUser email={pendingEmail ?? email} />
}

function ExpiredLinkForVisitor() {
  return (
    <ExpiredLink action={<LinkButton to={paths.auth({ returnTo: paths.profile() })}>Sign In</LinkButton>}>
      A verification link works once, within 24 hours. If your email is not verified yet, sign in and request
      a new link.
    </ExpiredLink>
  )
}

function ExpiredLinkForUser({ email }: { email: string }) {
  const { run, isPending } = useResendLink(email)
  return (
    <ExpiredLink
      action={
        <Button busy={isPending} onClick={() => void run()}>
          Send a New Link
        </Button>
      }
    >
      A verification link works once, within 24 hours. We can send a new one to{' '}
      <b className="[overflow-wrap:anywhere]">{email}</b>.
    </ExpiredLink>
  )
}
