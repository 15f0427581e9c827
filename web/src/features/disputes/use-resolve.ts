import { type Dispute, getDisputeDetails, listDisputes, resolveDispute } from '@sought/contract/disputes'
import { calculateRuling } from '@sought/escrow/rulings'
import { toast } from '../../lib/toasts.ts'
import { useStep } from './use-step.ts'

export const resolutionLabels = {
  refund_full: 'Full refund to the buyer',
  refund_partial: 'Partial refund to the buyer',
  release_seller: 'Release to the seller',
  split_difference: 'Split the difference',
  request_more_info: 'Request more information',
} as const

export type Resolution = keyof typeof resolutionLabels

/** What an admin does with a dispute: rule, ask for more, or take it up. */
interface Deed {
  action: Resolution | 'under_review'
  note: string
  /** In cents, for a partial refund. */
  refundCents?: number | undefined
}

/** The money's way under a resolution; null for one that moves none, or for a refund that cannot be. */
export function outcomeOf(action: Resolution, amount: number, refundCents?: number | undefined) {
  return action === 'request_more_info' ? null : calculateRuling(action, amount, refundCents)
}

const words = {
  failed: 'Resolution Failed',
  otherwise: 'Failed to resolve dispute',
  touches: [listDisputes, getDisputeDetails],
}

/** Sends an admin's word on a dispute. Gives whether it was taken. */
export function useResolve({ id, amount }: Dispute) {
  const { take, busy } = useStep(resolveDispute, words)

  async function resolve({ action, note, refundCents }: Deed): Promise<boolean> {
    const refundAmount = action === 'refund_full' ? amount : refundCents
    const taken = await take({
      params: { id: String(id) },
      body: { disputeId: id, action, note, ...(refundAmount !== undefined && { refundAmount }) },
    })
    if (taken) toast(praise(action))
    return taken
  }
  return { resolve, busy }
}

/** Only a ruling resolves; the other two keep the dispute open, and say so. */
function praise(action: Deed['action']) {
  switch (action) {
    case 'under_review':
      return { title: 'Under Review', description: 'Both parties can see that you look at it.' }
    case 'request_more_info':
      return { title: 'More Information Requested', description: 'Both parties can see what you ask for.' }
    default:
      return { title: 'Dispute Resolved', description: 'The dispute has been resolved successfully' }
  }
}
