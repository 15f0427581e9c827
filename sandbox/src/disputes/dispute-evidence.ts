import type Stripe from 'stripe'
import * as z from 'zod'
import type { Tx } from '../database.ts'
import { invalidRequest } from '../http/api-error.ts'
import { getObject } from '../objects.ts'

const MAX_FIELD_LENGTH = 20_000
const MAX_EVIDENCE_LENGTH = 150_000

const TEXT_FIELDS = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_tracking_number',
  'uncategorized_text',
] as const

/** Fields that take the id of an uploaded file. */
const FILE_FIELDS = [
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'duplicate_charge_documentation',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
] as const

type Field = (typeof TEXT_FIELDS)[number] | (typeof FILE_FIELDS)[number]

const content = z
  .string()
  .max(MAX_FIELD_LENGTH, `Evidence fields have at most ${MAX_FIELD_LENGTH} characters`)
  .transform((value) => (value === '' ? null : value))

export const Evidence = z
  .partialRecord(z.enum([...TEXT_FIELDS, ...FILE_FIELDS]), content)
  .refine(
    (fields) =>
      Object.values(fields).reduce((sum, value) => sum + (value?.length ?? 0), 0) <= MAX_EVIDENCE_LENGTH,
    `All evidence together has at most ${MAX_EVIDENCE_LENGTH} characters`,
  )

/** Checks that all files exist and were uploaded as evidence. */
export async function checkFiles(tx: Tx, evidence: Partial<Record<Field, string | null>>): Promise<void> {
  for (const field of FILE_FIELDS) {
    const id = evidence[field]
    if (!id) continue
    const param = `evidence[${field}]`
    const { body } = await getObject(tx, 'file', id, param)
    if (body.purpose !== 'dispute_evidence') {
      throw invalidRequest(`The file ${id} does not have the purpose dispute_evidence.`, { param })
    }
  }
}

export const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
}
