import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Button } from '../../ui/button.tsx'
import type { DrawingName } from '../../ui/drawing.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

interface DeadEndProps {
  title: string
  drawing?: DrawingName
  /** A better way on than back to the payments. */
  action?: ReactNode
  children: ReactNode
}

/** A screen that cannot be shown: why, and where to go instead. */
export function DeadEnd({ title, drawing = 'torn', action, children }: DeadEndProps) {
  return (
    <Page title={title} heading={null}>
      <EmptyState
        drawing={drawing}
        title={title}
        headingLevel="h1"
        action={
          <>
            {action}
            <Button asChild variant={action ? 'secondary' : 'primary'}>
              <Link href={paths.payments()}>Back to Payments</Link>
            </Button>
          </>
        }
      >
        {children}
      </EmptyState>
    </Page>
  )
}
