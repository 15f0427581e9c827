import { paths } from '@sought/contract/paths'
import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { ErrorPage, LinkButton } from '../../lib/error-page.tsx'
import { announceIdentity } from './identity-channel.ts'

/** Where Google returns to after a proof of identity. The window that asked continues, and this one closes. */
export function IdentityConfirmedScreen() {
  const [query] = useSearchParams()
  const hasFailed = query.has('error')
  useEffect(() => {
    if (hasFailed) return
    announceIdentity()
    window.close()
  }, [hasFailed])
  const home = <LinkButton to={paths.home()}>Back to Home</LinkButton>
  return hasFailed ? (
    <ErrorPage title="This is another account" action={home}>
      Please close this window and choose the Google account that you sign in with.
    </ErrorPage>
  ) : (
    <ErrorPage title="It is you" drawing="board" action={home}>
      You can close this window and continue where you were.
    </ErrorPage>
  )
}
