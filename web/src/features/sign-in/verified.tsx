import { paths } from '@sought/contract/paths'
import { Link } from 'wouter'
import { useSession } from '../../data/session.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Page } from '../../ui/layout/page.tsx'

/** Shown when the email address is verified. */
export function Verified({ title }: { title: string }) {
  const signedIn = useSession().state === 'signed-in'
  return (
    <Page title={title} heading={null}>
      <div role="status">
        <EmptyState
          drawing="letters"
          title={title}
          headingLevel="h1"
          action={
            <Button asChild>
              {signedIn ? (
                <Link href={paths.profile()}>Go to Your Profile</Link>
              ) : (
                <Link href={paths.auth()}>Sign In</Link>
              )}
            </Button>
          }
        >
          We can now reach you at this address.
        </EmptyState>
      </div>
    </Page>
  )
}
