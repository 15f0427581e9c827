import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useIsAdmin } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { FullPageSpinner } from '../../ui/spinner.tsx'

/** Who may come in is asked of the server; it checks again on every call. */
export function AdminsOnly({ children }: { children: ReactNode }) {
  const { loading, isAdmin } = useIsAdmin()
  if (loading) return <FullPageSpinner />
  return isAdmin ? children : <AccessDenied />
}

function AccessDenied() {
  return (
    <Page title="Access Denied" heading={null}>
      <EmptyState
        drawing="letters"
        title="Access Denied"
        headingLevel="h1"
        action={
          <Button asChild>
            <Link href={paths.home()}>Back to Home</Link>
          </Button>
        }
      >
        You don't have permission to access the admin dashboard.
      </EmptyState>
    </Page>
  )
}
