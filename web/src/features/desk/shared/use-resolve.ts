import { type DeskDispute, resolveDispute } from '@sought/contract/disputes'
import { calculateRuling } from '@sought/escrow/rulings'
import { explainFailure, useAction } from '../../../data/use-action.ts'

export const resolutionLabels = {
  refund_full: 'Full refund to the buyer',
  refund_partial: 'Partial refund to the buyer',
  release_seller: 'Release to the seller',
  split_difference: 'Split the difference',
  request_more_info: 'Request more information',
} as const

export const rulingLabels = { ...resolutionLabels, under_review: 'Under review' } as const

export type Resolution = keyof typeof resolutionLabels

interface ResolveInput {
  action: Resolution | 'under_review'
  note: string
  /** In cents, for a partial refund. */
  refundCents?: number | undefined
}

/** How a resolution divides the money. Null if it moves none, or if the refund amount is invalid. */
export function previewRuling(action: Resolution, dispute: DeskDispute, refundCents?: number | undefined) {
  return action === 'request_more_info' ? null : calculateRuling(action, dispute.amount, dispute, refundCents)
}

export function useResolve({ id, amount }: DeskDispute) {
  const { run, isPending } = useAction(resolveDispute, {
    success: (_reply, { body }) => successToast(body.action),
    failure: explainFailure('Resolution Failed', 'Failed to resolve dispute'),
  })

  /** Resolves to true if it succeeded. */
  function resolve({ action, note, refundCents }: ResolveInput): Promise<boolean> {
    const refundAmount = action === 'refund_full' ? amount : refundCents
    return run({
      params: { id: String(id) },
      body: { disputeId: id, action, note, ...(refundAmount !== undefined && { refundAmount }) },
    })
  }
  return { resolve, isPending }
}

function successToast(action: ResolveInput['action']) {
  switch (action) {
    case 'under_review':
      return { title: 'Under Review', description: 'Both parties can see that you are reviewing it.' }
    case 'request_more_info':
      return { title: 'More Information Requested', description: 'Both parties can see your request.' }
    default:
      return { title: 'Dispute Resolved', description: 'The dispute has been resolved successfully' }
  }
}
