import { paths } from '@sought/contract/paths'
import { useEffect } from 'react'
import { ErrorPage, LinkButton } from '../../shared/loading/error-page.tsx'
import { announceIdentity } from './identity-channel.ts'

/** Google redirects here after the user confirmed their identity. This window closes, and the other one continues. */
export function GoogleReturned({ isConfirmed }: { isConfirmed: boolean }) {
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
