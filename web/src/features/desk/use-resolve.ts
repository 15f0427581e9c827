import { type Dispute, getDisputeDetails, listDisputes, resolveDispute } from '@sought/contract/disputes'
import { calculateRuling } from '@sought/escrow/rulings'
import { toast } from '../../lib/toasts.ts'
import { useStep } from '../../lib/use-step.ts'

export const resolutionLabels = {
  refund_full: 'Full refund to the buyer',
  refund_partial: 'Partial refund to the buyer',
  release_seller: 'Release to the seller',
  split_difference: 'Split the difference',
  request_more_info: 'Request more information',
} as const

export type Resolution = keyof typeof resolutionLabels

interface ResolveInput {
  action: Resolution | 'under_review'
  note: string
  /** In cents, for a partial refund. */
  refundCents?: number | undefined
}

/** How a resolution divides the money. Null if it moves none, or if the refund amount is not valid. */
export function outcomeOf(action: Resolution, amount: number, refundCents?: number | undefined) {
  return action === 'request_more_info' ? null : calculateRuling(action, amount, refundCents)
}

const options = {
  failed: 'Resolution Failed',
  otherwise: 'Failed to resolve dispute',
  touches: [listDisputes, getDisputeDetails],
}

export function useResolve({ id, amount }: Dispute) {
  const { take, busy } = useStep(resolveDispute, options)

  /** Resolves to whether it succeeded. */
  async function resolve({ action, note, refundCents }: ResolveInput): Promise<boolean> {
    const refundAmount = action === 'refund_full' ? amount : refundCents
    const isDone = await take({
      params: { id: String(id) },
      body: { disputeId: id, action, note, ...(refundAmount !== undefined && { refundAmount }) },
    })
    if (isDone) toast(successToast(action))
    return isDone
  }
  return { resolve, busy }
}

function successToast(action: ResolveInput['action']) {
  switch (action) {
    case 'under_review':
      return { title: 'Under Review', description: 'Both parties can see that you look at it.' }
    case 'request_more_info':
      return { title: 'More Information Requested', description: 'Both parties can see what you ask for.' }
    default:
      return { title: 'Dispute Resolved', description: 'The dispute has been resolved successfully' }
  }
}
