import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { ErrorPage, LinkButton } from '../../lib/error-page.tsx'
import type { DrawingName } from '../../ui/drawing.tsx'

interface NoDisputeProps {
  title: string
  drawing?: DrawingName
  /** A better way on than back to the payments. */
  instead?: ReactNode
  children: ReactNode
}

/** A dispute that cannot be shown or filed; the way back is to the payments. */
export function NoDispute({ instead, ...userMessage }: NoDisputeProps) {
  const back = (
    <LinkButton to={paths.payments()} variant={instead ? 'secondary' : 'primary'}>
      Back to Payments
    </LinkButton>
  )
  return (
    <ErrorPage
      {...userMessage}
      action={
        <>
          {instead}
          {back}
        </>
      }
    />
  )
}
