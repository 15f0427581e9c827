import type { ReactNode } from 'react'
import type { DrawingName } from '../../ui/display/drawing.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Page } from '../../ui/layout/page.tsx'

interface ErrorPageProps {
  title: string
  drawing?: DrawingName
  /** One or more LinkButtons. */
  action: ReactNode
  children: ReactNode
}

/** Says why a screen cannot be shown, and offers another page. */
export function ErrorPage({ title, drawing = 'torn', action, children }: ErrorPageProps) {
  return (
    <Page title={title} heading={null}>
      <EmptyState drawing={drawing} title={title} headingLevel="h1" action={action}>
        {children}
      </EmptyState>
    </Page>
  )
}
