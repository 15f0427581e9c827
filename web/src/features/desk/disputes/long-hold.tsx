import type { DeskDispute } from '@sought/contract/disputes'
import { canMove } from '@sought/escrow/moves'
import { Notice } from '../../../ui/feedback/notice.tsx'

/** Shown while the money has been in escrow so long that Stripe's limit is near. */
export function LongHold({ dispute }: { dispute: DeskDispute }) {
  if (dispute.escalatedAt === null || !isInEscrow(dispute)) return null
  return (
    <Notice tone="warning" title="In escrow for more than 80 days">
      Stripe allows us to hold money for 90 days in most countries. Please resolve this payment soon.
    </Notice>
  )
}

export const isInEscrow = ({ status }: Pick<DeskDispute, 'status'>): boolean =>
  status === 'held_in_escrow' || canMove(status, 'review', 'admin')
