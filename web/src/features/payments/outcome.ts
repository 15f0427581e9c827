import type { CardFields } from './card.ts'

/** What came of confirming a payment with the provider. */
export type Outcome =
  /** The card is charged, or will be. */
  | { state: 'paid'; intentId: string }
  /** The bank wants to see its customer first. */
  | { state: 'elsewhere'; url: string }
  /** Nothing was charged, and why, in the provider's words. */
  | { state: 'refused'; message: string | undefined; field: keyof CardFields | undefined }
  /** Nobody knows. Trying again is safe: a payment is charged once. */
  | { state: 'unexpected' }

/** As much of Stripe's answers as matters here: its own library and the sandbox give the same. */
export interface Answer {
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

export function outcomeOf({ paymentIntent, error }: Answer): Outcome {
  const intent = paymentIntent ?? error?.payment_intent
  // An error about an intent that has been paid, in another tab or before an answer was lost, is good news.
  if (intent && PAID.includes(intent.status)) return { state: 'paid', intentId: intent.id }
  if (error) return failure(error)
  const url = intent?.next_action?.redirect_to_url?.url
  if (intent?.status === 'requires_action' && url) return { state: 'elsewhere', url }
  return intent?.last_payment_error ? failure(intent.last_payment_error) : { state: 'unexpected' }
}

function failure(error: ProviderError): Outcome {
  const isAboutTheCard = error.type === 'card_error' || error.type === 'validation_error'
  if (!isAboutTheCard) return { state: 'unexpected' }
  return { state: 'refused', message: error.message, field: fieldOf(error) }
}

/** Which field the provider complains about. A decline is about none: the card is what it is. */
function fieldOf({ code = '', param = '' }: ProviderError): keyof CardFields | undefined {
  if (code === 'incorrect_number' || code === 'invalid_number' || /number\]?$/.test(param)) return 'number'
  if (code === 'expired_card' || /exp_(month|year)\]?$/.test(param)) return 'expiry'
  if (code === 'incorrect_cvc' || code === 'invalid_cvc' || /cvc\]?$/.test(param)) return 'cvc'
  return undefined
}
