import { paths } from '@sought/contract/paths'
import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'wouter'
import { useSession } from '../data/session.ts'
import { toast } from '../data/toasts.ts'
import { ErrorPage } from '../shared/loading/error-page.tsx'
import { LinkButton } from '../shared/navigation/links.tsx'
import { rememberDestination } from '../shared/sign-in/remember-destination.ts'
import { FullPageSpinner } from '../ui/feedback/spinner.tsx'
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
