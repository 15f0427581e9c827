import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Button } from '../../ui/button.tsx'
import type { DrawingName } from '../../ui/drawing.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

interface DeadEndProps {
  title: string
  children: ReactNode
  drawing?: DrawingName
  action?: ReactNode
}

/** A screen that cannot be shown, why, and where to go instead. */
export function DeadEnd({ title, children, drawing = 'torn', action }: DeadEndProps) {
  return (
    <Page title={title} heading={null}>
      <EmptyState drawing={drawing} title={title} headingLevel="h1" action={action ?? <ToMessages />}>
        {children}
      </EmptyState>
    </Page>
  )
}

function ToMessages() {
  return (
    <Button asChild>
      <Link href={paths.messages()}>Back to Messages</Link>
    </Button>
  )
}

export function ItemNotFound() {
  return <DeadEnd title="Item not found">It may have been taken down. Nothing was charged.</DeadEnd>
}

export function PaymentNotFound() {
  return (
    <DeadEnd title="Payment Not Found">
      The payment you're looking for doesn't exist or you don't have permission to view it.
    </DeadEnd>
  )
}
