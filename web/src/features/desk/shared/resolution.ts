import { rulesOf } from '@sought/contract/currencies'
import type { DeskDispute } from '@sought/contract/disputes'
import { calculateRuling } from '@sought/escrow/rulings'
import { explainFailure } from '../../../data/use-action.ts'

export const resolutionLabels = {
  refund_full: 'Full refund to the buyer',
  refund_partial: 'Partial refund to the buyer',
  release_seller: 'Release to the seller',
  split_difference: 'Split the difference',
  request_more_info: 'Request more information',
} as const

export const rulingLabels = { ...resolutionLabels, under_review: 'Under review' } as const

export type Resolution = keyof typeof resolutionLabels

/** How a resolution divides the money. Null if it moves none, or if the refund amount is invalid. */
export function previewRuling(action: Resolution, dispute: DeskDispute, refundCents?: number | undefined) {
  return action === 'request_more_info'
    ? null
    : calculateRuling(action, dispute.amount, dispute, rulesOf(dispute.currency), refundCents)
}

export const explainUnresolved = explainFailure('Resolution Failed', 'Failed to resolve dispute')

export function resolvedToast(action: Resolution | 'under_review') {
  switch (action) {
    case 'under_review':
      return { title: 'Under Review', description: 'Both parties can see that you are reviewing it.' }
    case 'request_more_info':
      return { title: 'More Information Requested', description: 'Both parties can see your request.' }
    default:
      return { title: 'Dispute Resolved', description: 'The dispute has been resolved successfully' }
  }
}
