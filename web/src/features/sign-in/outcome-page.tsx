import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Page } from '../../ui/layout/page.tsx'

interface OutcomePageProps {
  title: string
  /** If it is not the title of the page. */
  heading?: string
  action?: ReactNode
  back?: ReactNode
  children: ReactNode
}

/** Says what was done, also to screen readers, and what to do next. */
export function OutcomePage({ title, heading = title, action, back, children }: OutcomePageProps) {
  return (
    <Page title={title} heading={null} back={back}>
      <div role="status">
        <EmptyState drawing="letters" title={heading} headingLevel="h1" action={action}>
          {children}
        </EmptyState>
      </div>
    </Page>
  )
}
