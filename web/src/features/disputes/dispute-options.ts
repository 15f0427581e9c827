import type { DESIRED_OUTCOMES } from '@sought/contract/dispute-draft'

export const desiredOutcomeLabels = {
  full_refund: 'Full refund',
  partial_refund: 'Partial refund',
  replacement_item: 'Replacement item',
  return_and_refund: 'Return and refund',
  compensation: 'Compensation',
  other_resolution: 'Another resolution',
} satisfies Record<(typeof DESIRED_OUTCOMES)[number], string>
