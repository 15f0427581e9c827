import { paths } from '@sought/contract/paths'
import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'wouter'
import { ErrorPage, LinkButton } from '../lib/error-page.tsx'
import { rememberDestination } from '../lib/remember-destination.ts'
import { useSession } from '../lib/session.ts'
import { toast } from '../lib/toasts.ts'
import { FullPageSpinner } from '../ui/spinner.tsx'
import type { SignedOutRule } from './signed-out-rules.ts'

/** Shows a screen to signed-in users. For visitors, `rule` says what they see. After signing in, they return here. */
export function SignedInOnly({ rule, children }: { rule: SignedOutRule; children: ReactNode }) {
  const { state } = useSession()
  if (state === 'signed-in') return children
  return rule.kind === 'redirect' ? <Redirect {...rule} /> : <Explanation {...rule} />
}

const currentUrl = () => window.location.pathname + window.location.search

function Redirect({ to, delayMs, toast: content }: Extract<SignedOutRule, { kind: 'redirect' }>) {
  const [, navigate] = useLocation()
  useEffect(() => {
    rememberDestination(currentUrl())
    if (content) toast({ ...content, variant: 'destructive' })
    const timer = setTimeout(() => {
      // Server routes are not screens, so they need a full page load.
      if (to.startsWith('/api/')) window.location.assign(to)
      else navigate(to, { replace: true })
    }, delayMs)
    return () => clearTimeout(timer)
  }, [to, delayMs, content, navigate])
  return <FullPageSpinner />
}

function Explanation({ title, message }: Extract<SignedOutRule, { kind: 'explain' }>) {
  return (
    <ErrorPage
      title={title}
      drawing="letters"
      action={<LinkButton to={paths.auth({ returnTo: currentUrl() })}>Sign In</LinkButton>}
    >
      {message}
    </ErrorPage>
  )
}
