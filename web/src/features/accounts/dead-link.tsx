import type { ReactNode } from 'react'
import { DeadEnd } from '../../lib/dead-end.tsx'

/** A mailed link that leads nowhere any more, and what to do instead. */
export function DeadLink({ action, children }: { action: ReactNode; children: ReactNode }) {
  return (
    <DeadEnd title="This link has run out" action={action}>
      {children}
    </DeadEnd>
  )
}
