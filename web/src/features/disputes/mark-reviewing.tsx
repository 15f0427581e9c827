import type { Dispute } from '@sought/contract/disputes'
import { Button } from '../../ui/button.tsx'
import { useResolve } from './use-resolve.ts'

const NOTE = 'Dispute marked as under review by admin'

export function MarkReviewing({ dispute }: { dispute: Dispute }) {
  const { resolve, busy } = useResolve(dispute)
  return (
    <Button
      variant="secondary"
      size="sm"
      busy={busy}
      onClick={() => void resolve({ action: 'under_review', note: NOTE })}
    >
      Mark Reviewing
    </Button>
  )
}
