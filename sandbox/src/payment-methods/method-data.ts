import * as z from 'zod'
import { address, integer, metadata, text } from '../http/params.ts'

const BillingDetails = z.strictObject({
  address: address.optional(),
  email: z.string().optional(),
  name: z.string().optional(),
  phone: z.string().optional(),
})

const common = {
  billing_details: BillingDetails.optional(),
  metadata: metadata.optional(),
  allow_redisplay: z.enum(['always', 'limited', 'unspecified']).optional(),
}

const Empty = z.union([z.literal(''), z.strictObject({})]).optional()

const FPX_BANKS = [
  'affin_bank',
  'agrobank',
  'alliance_bank',
  'ambank',
  'bank_islam',
  'bank_muamalat',
  'bank_of_china',
  'bank_rakyat',
  'bsn',
  'cimb',
  'deutsche_bank',
  'hong_leong_bank',
  'hsbc',
  'kfh',
  'maybank2e',
  'maybank2u',
  'ocbc',
  'pb_enterprise',
  'public_bank',
  'rhb',
  'standard_chartered',
  'uob',
] as const

const simple = <Type extends string>(type: Type) =>
  z.strictObject({ type: z.literal(type), [type]: Empty, ...common })

/** The data of a payment method, as the payment form in the browser sends it. */
export const MethodData = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('card'),
      card: z.strictObject({
        number: text,
        exp_month: integer,
        exp_year: integer,
        cvc: z.string().optional(),
      }),
      ...common,
    }),
    z.strictObject({
      type: z.literal('ideal'),
      ideal: z.strictObject({ bank: text.optional() }).optional(),
      ...common,
    }),
    z.strictObject({
      type: z.literal('fpx'),
      fpx: z.strictObject({
        bank: z.enum(FPX_BANKS),
        account_holder_type: z.enum(['company', 'individual']).optional(),
      }),
      ...common,
    }),
    z.strictObject({
      type: z.literal('sepa_debit'),
      sepa_debit: z.strictObject({ iban: text }),
      ...common,
    }),
    z.strictObject({
      type: z.literal('us_bank_account'),
      us_bank_account: z.strictObject({
        account_number: text,
        routing_number: text,
        account_holder_type: z.enum(['company', 'individual']).optional(),
        account_type: z.enum(['checking', 'savings']).optional(),
      }),
      ...common,
    }),
    z.strictObject({
      type: z.literal('boleto'),
      boleto: z.strictObject({ tax_id: text }),
      ...common,
    }),
    simple('bancontact'),
    simple('customer_balance'),
    simple('klarna'),
    simple('konbini'),
    simple('link'),
    simple('multibanco'),
    simple('oxxo'),
  ],
  { error: 'The sandbox does not know this type of payment method' },
)

export type MethodData = z.output<typeof MethodData>
