import { HANDOVER_CODE_DIGITS } from '@sought/escrow/delivery'
import * as z from 'zod/mini'
import { callsOf } from './call.ts'
import { CARRIERS, isTrackingNumber, normalizeTrackingNumber } from './carriers.ts'
import { EVIDENCE_MAX_BYTES, IMAGE_MAX_BYTES } from './constants.ts'
import { optionalText, PathId, text } from './fields.ts'
import { PaymentDetails } from './payments.ts'

const call = callsOf({ subjects: ['payments'] })

const onPayment = { params: z.object({ id: PathId }) }

export const SHIPMENT_NOTE_MAX_LENGTH = 500

/** Empty if the parcel has none. */
const TrackingNumber = optionalText(100).check(
  z.overwrite(normalizeTrackingNumber),
  z.refine(
    (number) => number === '' || isTrackingNumber(number),
    'Enter 5 to 40 letters and digits, as on the label',
  ),
)

export const Shipment = z.object({
  carrier: z.enum(CARRIERS, 'Choose a carrier'),
  trackingNumber: z.optional(TrackingNumber),
  note: z.optional(optionalText(SHIPMENT_NOTE_MAX_LENGTH)),
})

export const shipItem = call({
  ...onPayment,
  method: 'POST',
  path: '/api/payments/:id/ship',
  access: 'user',
  allowedIfSuspended: true,
  summary:
    'Reports that the parcel was sent, or corrects it until delivery, as the seller. The photo is optional',
  upload: {
    field: 'photo',
    maxBytes: IMAGE_MAX_BYTES,
    optional: true,
    fields: Shipment,
  },
  reply: PaymentDetails,
  refuses: [
    'payment_not_found',
    'not_the_seller',
    'payment_not_paid',
    'not_shippable',
    'not_an_image',
    'too_large',
    'file_infected',
    'wrong_type',
    'too_many',
  ],
})

export const markDelivered = call({
  ...onPayment,
  method: 'POST',
  path: '/api/payments/:id/delivered',
  access: 'user',
  allowedIfSuspended: true,
  summary: 'Reports that the parcel arrived, as the seller, with a tracking number or a file as proof',
  upload: { field: 'proof', maxBytes: EVIDENCE_MAX_BYTES, optional: true, fields: z.object({}) },
  reply: PaymentDetails,
  refuses: [
    'payment_not_found',
    'not_the_seller',
    'payment_not_paid',
    'payment_wrong_state',
    'too_large',
    'file_infected',
    'wrong_type',
    'too_many',
  ],
})

export const HandoverCode = z.object({
  code: z
    .string()
    .check(z.regex(new RegExp(`^\\d{${HANDOVER_CODE_DIGITS}}$`), `Enter the ${HANDOVER_CODE_DIGITS} digits`)),
})

export const handOver = call({
  ...onPayment,
  method: 'POST',
  path: '/api/payments/:id/handover',
  access: 'user',
  allowedIfSuspended: true,
  summary: "Enters the buyer's code as the seller, which counts as the buyer's confirmation",
  body: HandoverCode,
  reply: PaymentDetails,
  refuses: [
    'payment_not_found',
    'not_the_seller',
    'payment_not_paid',
    'payment_wrong_state',
    'payment_needs_check',
    'handover_code_wrong',
    'handover_locked',
    'provider_failed',
    'too_many',
  ],
})

export const CANCEL_REASON_MAX_LENGTH = 1000

export const Cancellation = z.object({ reason: text(CANCEL_REASON_MAX_LENGTH, 'Please give a reason') })

export const cancelPayment = call({
  ...onPayment,
  method: 'POST',
  path: '/api/payments/:id/cancel',
  access: 'user',
  allowedIfSuspended: true,
  summary:
    'Cancels a deal before it is shipped; as the buyer, only asks the seller to cancel unless they are late',
  body: Cancellation,
  reply: PaymentDetails,
  refuses: ['payment_not_found', 'payment_not_paid', 'not_cancellable'],
})

export const PARCEL_FILES = ['shipment-photo', 'delivery-proof'] as const

export const getParcelFile = call({
  method: 'GET',
  path: '/api/payments/:id/files/:file',
  access: 'user',
  summary: 'Gets a file about the parcel, for both parties, and for admins if the desk lists the payment',
  params: z.object({ id: PathId, file: z.enum(PARCEL_FILES) }),
  reply: 'file',
  refuses: ['payment_not_found', 'second_factor_required', 'file_held'],
})
