import type { DESIRED_OUTCOMES, DISPUTE_TYPES } from '@sought/contract/dispute-draft'

export const disputeTypeLabels = {
  item_not_received: 'Item not received',
  item_not_as_described: 'Item not as described',
  item_damaged: 'Item arrived damaged',
  wrong_item: 'Wrong item received',
  seller_unresponsive: 'Seller does not respond',
  counterfeit_item: 'Item is counterfeit',
  partial_shipment: 'Part of the item is missing',
  delivery_issues: 'Problem with the delivery',
  quality_issues: 'Problem with the quality',
  other: 'Something else',
} satisfies Record<(typeof DISPUTE_TYPES)[number], string>

export const desiredOutcomeLabels = {
  full_refund: 'Full refund',
  partial_refund: 'Partial refund',
  replacement_item: 'Replacement item',
  return_and_refund: 'Return and refund',
  compensation: 'Compensation',
  other_resolution: 'Another resolution',
} satisfies Record<(typeof DESIRED_OUTCOMES)[number], string>
