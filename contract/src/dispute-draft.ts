import * as z from 'zod/mini'
import { optionalText, text } from './fields.ts'

export const DISPUTE_TYPES = [
  'item_not_received',
  'item_not_as_described',
  'item_damaged',
  'wrong_item',
  'seller_unresponsive',
  'counterfeit_item',
  'partial_shipment',
  'delivery_issues',
  'quality_issues',
  'other',
] as const

/** Why a dispute was opened. */
export const DISPUTE_REASONS = [...DISPUTE_TYPES, 'chargeback'] as const

type DisputeType = (typeof DISPUTE_TYPES)[number]

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
} satisfies Record<DisputeType, string>

const DISPUTE_TYPE_HEADING = 'Dispute type: '

/** The type at the start of a reason composed by the dispute form. */
export function findDisputeType(reason: string): DisputeType {
  const [first = ''] = reason.split('\n', 1)
  return DISPUTE_TYPES.find((type) => first === DISPUTE_TYPE_HEADING + disputeTypeLabels[type]) ?? 'other'
}

export const DESIRED_OUTCOMES = [
  'full_refund',
  'partial_refund',
  'replacement_item',
  'return_and_refund',
  'compensation',
  'other_resolution',
] as const

export const DISPUTE_TEXT_LENGTHS = {
  reason: 200,
  description: 5000,
  attemptedResolution: 3000,
  evidenceDescription: 2000,
  additionalComments: 3000,
} as const

/**
 * The fields of the dispute form. They are sent to the server as one text, so the sum of their limits must stay
 * below the limit of that text.
 */
export const DisputeDraft = z.object({
  disputeType: z.enum(DISPUTE_TYPES, 'Please choose a dispute type'),
  reason: text(DISPUTE_TEXT_LENGTHS.reason, 'Please give a short reason'),
  description: text(DISPUTE_TEXT_LENGTHS.description, 'Please describe what happened'),
  attemptedResolution: optionalText(DISPUTE_TEXT_LENGTHS.attemptedResolution),
  desiredOutcome: z.union([z.enum(DESIRED_OUTCOMES), z.literal('')]),
  hasEvidence: z.boolean(),
  evidenceDescription: optionalText(DISPUTE_TEXT_LENGTHS.evidenceDescription),
  additionalComments: optionalText(DISPUTE_TEXT_LENGTHS.additionalComments),
})
export type DisputeDraft = z.output<typeof DisputeDraft>
