import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { ErrorPage, LinkButton } from '../../lib/error-page.tsx'
import { useIsAdmin } from '../../lib/session.ts'
import { FullPageSpinner } from '../../ui/spinner.tsx'

/** Who may come in is asked of the server; it checks again on every call. */
export function AdminsOnly({ children }: { children: ReactNode }) {
  const { loading, isAdmin } = useIsAdmin()
  if (loading) return <FullPageSpinner />
  return isAdmin ? children : <AccessDenied />
}

function AccessDenied() {
  return (
    <ErrorPage title="Access Denied" action={<LinkButton to={paths.home()}>Back to Home</LinkButton>}>
      You don't have permission to access the admin dashboard.
    </ErrorPage>
  )
}
