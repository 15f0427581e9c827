import type Stripe from 'stripe'
import * as z from 'zod'
import type { Tx } from '../database.ts'
import { invalidRequest } from '../http/api-error.ts'
import { boolean, integer, list, text } from '../http/params.ts'
import { toUnixSeconds } from '../objects.ts'
import { readEnabledTypes } from './configurations.ts'
import { fitsCurrency, isMethodType, type MethodType, ruleOf } from './method-types.ts'

const days = integer.refine((it) => it >= 1 && it <= 60, 'Between 1 and 60 days')

const voucher = z.strictObject({ expires_after_days: days.optional() }).optional()

/** The options of each method, for a payment. */
export const OptionParams = z.strictObject({
  bancontact: z.strictObject({ preferred_language: z.enum(['de', 'en', 'fr', 'nl']).optional() }).optional(),
  boleto: voucher,
  card: z
    .strictObject({ request_three_d_secure: z.enum(['any', 'automatic', 'challenge']).optional() })
    .optional(),
  customer_balance: z
    .strictObject({
      funding_type: z.literal('bank_transfer').optional(),
      bank_transfer: z
        .strictObject({
          type: z.enum([
            'eu_bank_transfer',
            'gb_bank_transfer',
            'jp_bank_transfer',
            'mx_bank_transfer',
            'us_bank_transfer',
          ]),
          eu_bank_transfer: z.strictObject({ country: text }).optional(),
          requested_address_types: list(text).optional(),
        })
        .optional(),
    })
    .optional(),
  klarna: z.strictObject({ preferred_locale: text.optional() }).optional(),
  konbini: voucher,
  oxxo: voucher,
  us_bank_account: z
    .strictObject({
      verification_method: z.enum(['automatic', 'instant', 'microdeposits']).optional(),
      financial_connections: z.strictObject({ permissions: list(text).optional() }).optional(),
    })
    .optional(),
})

export type OptionParams = z.output<typeof OptionParams>

type Options = Stripe.PaymentIntent.PaymentMethodOptions

/** The options that a payment shows: one entry for each of its methods, with defaults. */
export function buildOptions(types: string[], before: Options | null, given: OptionParams = {}): Options {
  const all: Record<string, object> = {
    ...DEFAULTS,
    ...Object.fromEntries(Object.entries(before ?? {}).filter(([, options]) => options)),
  }
  return Object.fromEntries(
    types.map((type) => {
      const chosen = Object.entries(given).find(([name]) => name === type)?.[1]
      return [type, { ...all[type], ...chosen }]
    }),
  )
}

const DEFAULTS: Options & Record<string, object> = {
  bancontact: { preferred_language: 'en' },
  boleto: { expires_after_days: 3 },
  card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
  customer_balance: { funding_type: null },
  fpx: {},
  ideal: {},
  klarna: { preferred_locale: null },
  konbini: {
    confirmation_number: null,
    expires_after_days: null,
    expires_at: null,
    product_description: null,
  },
  link: { persistent_token: null },
  multibanco: {},
  oxxo: { expires_after_days: 3 },
  sepa_debit: {},
  us_bank_account: { verification_method: 'automatic' },
}

export const TypesParam = list(text)

export const AutomaticParam = z.strictObject({
  enabled: boolean,
  allow_redirects: z.enum(['always', 'never']).optional(),
})

interface Wanted {
  currency: string
  allowed_payment_method_types?: string[] | undefined
  payment_method_types?: string[] | undefined
  excluded_payment_method_types?: string[] | undefined
  automatic_payment_methods?: z.output<typeof AutomaticParam> | undefined
}

/**
 * The methods of a payment: those that are allowed, that the platform turned on and that fit the currency. Older
 * versions of the API name them in `payment_method_types`, and all of those have to fit.
 */
export async function chooseTypes(tx: Tx, wanted: Wanted): Promise<string[]> {
  const { currency, allowed_payment_method_types: allowed, payment_method_types: named } = wanted
  const automatic = wanted.automatic_payment_methods
  if (named && (allowed || automatic?.enabled)) {
    throw invalidRequest(
      `You may only specify one of these parameters: ${allowed ? 'allowed_payment_method_types' : 'automatic_payment_methods'}, payment_method_types.`,
      { code: 'parameters_exclusive' },
    )
  }
  if (named) return checkCurrency(checkTypes(named, 'payment_method_types'), currency)
  const permitted = allowed && checkTypes(allowed, 'allowed_payment_method_types')
  const excluded = new Set(wanted.excluded_payment_method_types)
  const types = (await readEnabledTypes(tx)).filter(
    (type) =>
      fitsCurrency(type, currency) &&
      (!permitted || permitted.includes(type)) &&
      !excluded.has(type) &&
      (automatic?.allow_redirects !== 'never' || ruleOf(type).flow !== 'redirect'),
  )
  if (types.length > 0) return types
  throw invalidRequest(
    'No valid payment method types for this Payment Intent. Please ensure that you have activated payment methods compatible with your chosen currency in your dashboard (https://dashboard.stripe.com/settings/payment_methods).',
    { code: 'payment_intent_invalid_parameter', ...(allowed && { param: 'allowed_payment_method_types' }) },
  )
}

function checkTypes(types: string[], param: string): MethodType[] {
  if (types.length === 0) {
    throw invalidRequest('You must provide at least one payment method type.', {
      code: 'parameter_invalid_empty',
      param,
    })
  }
  return [...new Set(types)].map((type) => {
    if (isMethodType(type)) return type
    throw invalidRequest(
      `The payment method type "${type}" is invalid. Please ensure the provided type is activated in your dashboard (https://dashboard.stripe.com/account/payments/settings) and your account is enabled for any preview features that you are trying to use.`,
      { code: 'payment_intent_invalid_parameter', param },
    )
  })
}

function checkCurrency(types: MethodType[], currency: string): MethodType[] {
  const unfit = types.find((type) => !fitsCurrency(type, currency))
  if (!unfit) return types
  throw invalidRequest(
    `The currency provided (${currency}) is invalid for one or more payment method types specified on this PaymentIntent. Payments with ${unfit} support the following currencies: ${ruleOf(unfit).currencies.join(', ')}`,
    { code: 'payment_intent_invalid_parameter', param: 'currency' },
  )
}

/** When a voucher of this payment expires: at the end of a day, in UTC. */
export function voucherDeadline({ now }: Tx, type: MethodType, options: Options | null): number {
  const chosen: { expires_after_days?: number | null } = options?.[type as 'oxxo'] ?? {}
  const days = chosen.expires_after_days ?? ruleOf(type).expiresAfterDays ?? 3
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days, 23, 59, 59)
  return toUnixSeconds(new Date(end))
}
