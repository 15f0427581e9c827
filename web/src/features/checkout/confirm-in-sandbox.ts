import { type Outcome, type ProviderResponse, toOutcome } from './outcome.ts'
import { getReturnUrl, type ReturnOptions } from './use-pay.ts'

export interface SandboxAccess {
  sandboxUrl: string
  publishableKey: string
}

/**
 * Confirms a payment with the sandbox, in Stripe's format. The data of the method goes only into this request: never to
 * our server, never into storage.
 */
export async function confirmInSandbox(
  { sandboxUrl, publishableKey }: SandboxAccess,
  clientSecret: string,
  method: Record<string, string>,
  returnOptions: ReturnOptions,
): Promise<Outcome> {
  const [intentId = ''] = clientSecret.split('_secret_')
  const response = await fetch(`${sandboxUrl}/v1/payment_intents/${encodeURIComponent(intentId)}/confirm`, {
    method: 'POST',
    credentials: 'omit',
    headers: { authorization: `Bearer ${publishableKey}` },
    body: new URLSearchParams({
      client_secret: clientSecret,
      return_url: getReturnUrl(returnOptions),
      ...method,
    }),
  })
  const body = await response.json()
  return toOutcome((response.ok ? { paymentIntent: body } : body) satisfies ProviderResponse)
}
