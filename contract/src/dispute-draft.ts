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
 * The fields of the dispute form. They are sent to the server as one text (spec §7), so their limits
 * together must stay below the limit of that text.
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
