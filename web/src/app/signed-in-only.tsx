import { paths } from '@sought/contract/paths'
import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'wouter'
import { ErrorPage, LinkButton } from '../lib/error-page.tsx'
import { rememberDestination } from '../lib/return-to.ts'
import { useSession } from '../lib/session.ts'
import { toast } from '../lib/toasts.ts'
import { FullPageSpinner } from '../ui/spinner.tsx'
import type { SignedOutRule } from './signed-out-rules.ts'

/** Lets the signed in through; a visitor meets the screen's own rule, and comes back here after signing in. */
export function SignedInOnly({ rule, children }: { rule: SignedOutRule; children: ReactNode }) {
  const { state } = useSession()
  if (state === 'signed-in') return children
  return rule.kind === 'send' ? <Sent {...rule} /> : <Explained {...rule} />
}

const here = () => window.location.pathname + window.location.search

function Sent({ to, afterMs, toast: words }: Extract<SignedOutRule, { kind: 'send' }>) {
  const [, navigate] = useLocation()
  useEffect(() => {
    rememberDestination(here())
    if (words) toast({ ...words, variant: 'destructive' })
    const timer = setTimeout(() => {
      // The server's own addresses are not screens: the browser itself has to go there.
      if (to.startsWith('/api/')) window.location.assign(to)
      else navigate(to, { replace: true })
    }, afterMs)
    return () => clearTimeout(timer)
  }, [to, afterMs, words, navigate])
  return <FullPageSpinner />
}

function Explained({ title, message }: Extract<SignedOutRule, { kind: 'explain' }>) {
  return (
    <ErrorPage
      title={title}
      drawing="letters"
      action={<LinkButton to={paths.auth({ returnTo: here() })}>Sign In</LinkButton>}
    >
      {message}
    </ErrorPage>
  )
}
