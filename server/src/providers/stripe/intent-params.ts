import type Stripe from 'stripe'
import { cut } from '../../core/cut.ts'
import type { IntentDetails } from './card-provider.ts'

/** Stripe accepts 1,000 characters. The title is in front, and the number must stay. */
const TITLE_MAX_LENGTH = 200
/**
 * Statements show 22 characters: our prefix with up to ten, an asterisk, a space and this suffix. The first two groups
 * of a number fit, and Stripe requires a letter.
 */
const SUFFIX_DIGITS = 9

interface Described {
  title: string
  transactionNumber: string
}

/** The texts that name a payment at the provider. They never change, because the idempotency key covers them. */
export function describeIntent({ title, transactionNumber }: Described) {
  const suffix = transactionNumber.slice(0, SUFFIX_DIGITS)
  return {
    description: `${cut(title, TITLE_MAX_LENGTH)} (${transactionNumber})`,
    statement_descriptor_suffix: /[A-Z]/.test(suffix) ? suffix : `T${suffix}`,
  } satisfies Stripe.PaymentIntentUpdateParams
}

export function asParams({ customerId, receiptEmail, shipTo }: IntentDetails) {
  return {
    ...(customerId && { customer: customerId }),
    ...(receiptEmail && { receipt_email: receiptEmail }),
    ...(shipTo && {
      shipping: {
        name: shipTo.name,
        address: {
          line1: shipTo.line1,
          ...(shipTo.line2 && { line2: shipTo.line2 }),
          ...(shipTo.city && { city: shipTo.city }),
          ...(shipTo.region && { state: shipTo.region }),
          ...(shipTo.postalCode && { postal_code: shipTo.postalCode }),
          country: shipTo.country,
        },
      },
    }),
  } satisfies Stripe.PaymentIntentUpdateParams
}
