import type { ReactNode } from 'react'
import { ErrorPage } from '../../shared/loading/error-page.tsx'

export function ExpiredLink({ action, children }: { action: ReactNode; children: ReactNode }) {
  return (
    <ErrorPage title="This link has expired" action={action}>
      {children}
    </ErrorPage>
  )
}
