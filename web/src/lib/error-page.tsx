import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Button } from '../ui/button.tsx'
import type { DrawingName } from '../ui/drawing.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'

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

interface LinkButtonProps {
  to: string
  variant?: 'primary' | 'secondary'
  children: ReactNode
}

/** A link that looks like a button. */
export function LinkButton({ to, variant = 'primary', children }: LinkButtonProps) {
  return (
    <Button asChild variant={variant}>
      <Link href={to}>{children}</Link>
    </Button>
  )
}
