import type { CardFields } from './card.ts'

/** The result of confirming a payment with the provider. */
export type Outcome =
  /** The buyer is charged, or will be. */
  | { state: 'paid'; intentId: string }
  /** The buyer has to do something within some days, such as verifying their account. */
  | { state: 'waiting'; intentId: string }
  /** The bank wants to authenticate its customer on its own page. */
  | { state: 'redirect'; url: string }
  /** Not charged. The message comes from the provider. */
  | { state: 'refused'; message: string | undefined; field: keyof CardFields | undefined }
  /** Unknown. A retry is safe, because a payment is charged only once. */
  | { state: 'unexpected' }

/** The fields we use of a response, the same from Stripe's library and the sandbox. */
export interface ProviderResponse {
  paymentIntent?: Intent | undefined
  error?: ProviderError | undefined
}

interface Intent {
  id: string
  status: string
  next_action?: { redirect_to_url?: { url?: string | null } | null } | null
  last_payment_error?: ProviderError | null
}

interface ProviderError {
  type?: string | undefined
  code?: string | undefined
  message?: string | undefined
  param?: string | undefined
  payment_intent?: Intent | undefined
}

const PAID = ['succeeded', 'processing', 'requires_capture']

export function toOutcome({ paymentIntent, error }: ProviderResponse): Outcome {
  const intent = paymentIntent ?? error?.payment_intent
  // Paid earlier, in another tab or by a request whose response was lost. The provider reports this as an error.
  if (intent && PAID.includes(intent.status)) return { state: 'paid', intentId: intent.id }
  if (error) return toFailure(error)
  const url = intent?.next_action?.redirect_to_url?.url
  if (intent?.status === 'requires_action')
    return url ? { state: 'redirect', url } : { state: 'waiting', intentId: intent.id }
  return intent?.last_payment_error ? toFailure(intent.last_payment_error) : { state: 'unexpected' }
}

function toFailure(error: ProviderError): Outcome {
  const isCardError = error.type === 'card_error' || error.type === 'validation_error'
  if (!isCardError) return { state: 'unexpected' }
  return { state: 'refused', message: error.message, field: fieldOf(error) }
}

/** The field of the error. A decline concerns no single field. */
function fieldOf({ code = '', param = '' }: ProviderError): keyof CardFields | undefined {
  if (code === 'incorrect_number' || code === 'invalid_number' || /number\]?$/.test(param)) return 'number'
  if (code === 'expired_card' || /exp_(month|year)\]?$/.test(param)) return 'expiry'
  if (code === 'incorrect_cvc' || code === 'invalid_cvc' || /cvc\]?$/.test(param)) return 'cvc'
  return undefined
}
