import {
  type CurrentUser,
  getCurrentUser,
  PendingSignIn,
  signIn,
  startGoogleSignIn,
} from '@sought/contract/accounts'
import { buildQueryString, paths, routes } from '@sought/contract/paths'
import { getConfig } from '@sought/contract/platform'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { getQueryKey, useRead } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { ErrorPage } from '../../shared/loading/error-page.tsx'
import { MarketName } from '../../shared/market/market-name.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { GoogleLogo } from '../../shared/sign-in/google-logo.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { announceIdentity } from './identity-channel.ts'
import { findDestination, takeDestination } from './return-to.ts'
import { SecondFactorStep } from './second-factor-step.tsx'
import { refusedToast, type SignedIn, SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'

/** Error codes that the server adds to the address after a failed Google sign-in. */
const googleErrors: Record<string, string> = {
  read_only: 'New accounts cannot be created while the market is read-only. Please try again later.',
  maintenance: 'New accounts cannot be created during maintenance. Please try again later.',
  google_unavailable: 'Google sign-in is not available. Please use your email and password.',
  google_failed: 'Google sign-in failed. Please try again, or use your email and password.',
  google_reserved:
    'This address was removed from an account a short time ago. To get it back, use the link in the email that we sent to it.',
  google_unverified:
    'Google has not verified your email address yet. Verify it with Google, or use your email and password.',
}

/** The second factors that the server adds to the address after a Google sign-in. */
function readPending(factors: string | null): PendingSignIn | null {
  return PendingSignIn.safeParse({ secondFactors: factors?.split(',') }).data ?? null
}

/** The sign-in screen. Google also redirects here after a signed-in user has confirmed their identity. */
export function AuthScreen() {
  const [query] = useSearchParams()
  const confirmed = query.get('confirmed')
  return confirmed ? <GoogleReturned isConfirmed={confirmed === 'true'} /> : <SignInOrUp />
}

/** Sign-in and sign-up, on three routes. They are separate forms, so that switching clears the fields. */
function SignInOrUp() {
  const [location, navigate] = useLocation()
  const [query] = useSearchParams()
  const [isSignUp, setIsSignUp] = useState(location === routes.signup)
  const [pending, setPending] = useState(() => readPending(query.get('secondFactors')))
  const config = useRead(getConfig)
  const cache = useQueryClient()
  const session = useSession()
  const returnTo = query.get('returnTo')
  const googleError = googleErrors[query.get('error') ?? '']

  useEffect(() => {
    if (session.state === 'signed-in') navigate(takeDestination(returnTo), { replace: true })
  }, [session.state, returnTo, navigate])

  // Data loaded as a visitor has to be loaded again for the user.
  const enter = (user: CurrentUser) => {
    cache.removeQueries({ type: 'inactive' })
    cache.setQueryData(getQueryKey(getCurrentUser), user)
  }
  const continueSignIn = (result: CurrentUser | PendingSignIn) =>
    'secondFactors' in result ? setPending(result) : enter(result)
  if (pending)
    return (
      <SecondFactorStep factors={pending.secondFactors} onDone={enter} onRestart={() => setPending(null)} />
    )

  return (
    <Page
      title={isSignUp ? 'Sign Up' : 'Sign In'}
      heading={isSignUp ? 'Create your account' : 'Welcome back'}
      lead={isSignUp ? 'Post what you want, or sell what others want.' : 'Sign in to your account.'}
      width="slip"
    >
      <Card padding="lg" className="grid gap-6">
        {googleError && (
          <Notice tone="danger" live>
            {googleError}
          </Notice>
        )}
        {isSignUp ? <SignUpForm onDone={enter} /> : <SignInForm onDone={continueSignIn} />}
        <div className="flex items-center gap-4 text-fine text-ink-soft before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
          or
        </div>
        <Button asChild variant="secondary" wide>
          <a href={startGoogleSignIn.path + buildQueryString({ returnTo: findDestination(returnTo) })}>
            <GoogleLogo />
            Continue with Google
          </a>
        </Button>
        <p className="text-center text-ink-soft">
          {isSignUp ? (
            'Already have an account?'
          ) : (
            <>
              New to <MarketName />?
            </>
          )}{' '}
          <Button variant="quiet" size="sm" onClick={() => setIsSignUp(!isSignUp)}>
            {isSignUp ? 'Sign in' : 'Sign up'}
          </Button>
        </p>
      </Card>
      {config.data?.demoSignIns && <DemoSignIns accounts={config.data.demoSignIns} onDone={continueSignIn} />}
    </Page>
  )
}

interface DemoAccount {
  role: string
  email: string
  password: string
}

interface DemoSignInsProps {
  accounts: readonly DemoAccount[]
  onDone: SignedIn
}

/** One button for each demo account. In production the server lists none. */
function DemoSignIns({ accounts, onDone }: DemoSignInsProps) {
  const { run, isPending } = useAction(signIn, { failure: refusedToast, onDone })
  return (
    <section aria-labelledby="demo-sign-ins" className="mt-6 grid gap-3 text-center">
      <h2 id="demo-sign-ins" className="text-fine text-ink-soft">
        Test mode: look around as
      </h2>
      <div className="flex flex-wrap justify-center gap-3">
        {accounts.map(({ role, email, password }) => (
          <Button
            key={email}
            variant="secondary"
            size="sm"
            disabled={isPending}
            onClick={() => void run({ body: { email, password } })}
          >
            {role}
          </Button>
        ))}
      </div>
    </section>
  )
}

/** Google redirects here after the user confirmed their identity. This window closes, and the other one continues. */
function GoogleReturned({ isConfirmed }: { isConfirmed: boolean }) {
  useEffect(() => {
    if (!isConfirmed) return
    announceIdentity()
    window.close()
  }, [isConfirmed])
  const home = <LinkButton to={paths.home()}>Back to Home</LinkButton>
  return isConfirmed ? (
    <ErrorPage title="Thank you" drawing="board" action={home}>
      You can close this window and continue where you were.
    </ErrorPage>
  ) : (
    <ErrorPage title="This is another account" action={home}>
      Please close this window and choose the Google account that you sign in with.
    </ErrorPage>
  )
}
