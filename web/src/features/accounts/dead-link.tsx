import type { ReactNode } from 'react'
import { ErrorPage } from '../../lib/error-page.tsx'

/** A mailed link that leads nowhere any more, and what to do instead. */
export function DeadLink({ action, children }: { action: ReactNode; children: ReactNode }) {
  return (
    <ErrorPage title="This link has expired" action={action}>
      {children}
    </ErrorPage>
  )
}
