import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { DeadEnd, WayOn } from '../../lib/dead-end.tsx'
import type { DrawingName } from '../../ui/drawing.tsx'

interface NoDisputeProps {
  title: string
  drawing?: DrawingName
  /** A better way on than back to the payments. */
  instead?: ReactNode
  children: ReactNode
}

/** A dispute that cannot be shown or filed; the way back is to the payments. */
export function NoDispute({ instead, ...said }: NoDisputeProps) {
  const back = (
    <WayOn to={paths.payments()} variant={instead ? 'secondary' : 'primary'}>
      Back to Payments
    </WayOn>
  )
  return (
    <DeadEnd
      {...said}
      action={
        <>
          {instead}
          {back}
        </>
      }
    />
  )
}
