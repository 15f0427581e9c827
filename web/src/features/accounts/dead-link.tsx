import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

/** A mailed link that leads nowhere any more, and what to do instead. */
export function DeadLink({ action, children }: { action: ReactNode; children: ReactNode }) {
  return (
    <Page title="This link has run out" heading={null}>
      <EmptyState drawing="torn" title="This link has run out" headingLevel="h1" action={action}>
        {children}
      </EmptyState>
    </Page>
  )
}
