import { removeSeparators } from '../../ui/forms/grouped-text.ts'
import { type CardFields, parseExpiry } from './card.ts'
import { type Outcome, type ProviderResponse, toOutcome } from './outcome.ts'

export interface SandboxAccess {
  sandboxUrl: string
  publishableKey: string
}

/**
 * Confirms a payment with the sandbox, in Stripe's format. The card data goes only into this request:
 * never to our server, never into storage.
 */
export async function confirmInSandbox(
  { sandboxUrl, publishableKey }: SandboxAccess,
  clientSecret: string,
  card: CardFields,
  returnUrl: string,
): Promise<Outcome> {
  const [intentId = ''] = clientSecret.split('_secret_')
  const response = await fetch(`${sandboxUrl}/v1/payment_intents/${encodeURIComponent(intentId)}/confirm`, {
    method: 'POST',
    credentials: 'omit',
    headers: { authorization: `Bearer ${publishableKey}` },
    body: new URLSearchParams({ client_secret: clientSecret, return_url: returnUrl, ...cardParams(card) }),
  })
  const body = await response.json()
  return toOutcome((response.ok ? { paymentIntent: body } : body) satisfies ProviderResponse)
}

function cardParams(card: CardFields): Record<string, string> {
  const expiry = parseExpiry(card.expiry)
  return {
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': removeSeparators(card.number),
    'payment_method_data[card][exp_month]': String(expiry?.month ?? ''),
    'payment_method_data[card][exp_year]': String(expiry?.year ?? ''),
    'payment_method_data[card][cvc]': card.cvc,
    'payment_method_data[billing_details][name]': card.name.trim(),
    'payment_method_data[billing_details][email]': card.email.trim(),
    'payment_method_data[billing_details][address][postal_code]': card.postalCode.trim(),
    'payment_method_data[billing_details][address][country]': card.country,
  }
}
