import Stripe from 'stripe'
import { ProviderFailed } from './card-provider.ts'

export function hostOf(apiUrl: string | undefined): Stripe.StripeConfig {
  if (!apiUrl) return {}
  const { protocol, hostname, port } = new URL(apiUrl)
  const scheme = protocol === 'http:' ? 'http' : 'https'
  return { host: hostname, port: port || (scheme === 'http' ? 80 : 443), protocol: scheme }
}

/** The id of an object that may be expanded. */
export const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null)

/** Reads all pages of a list. */
export async function collect<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) items.push(item)
  return items
}

/**
 * What Stripe says of an object that does not exist, and of an account that is not connected to ours. A 403 alone may
 * also mean that our key lacks a permission.
 */
const GONE = ['resource_missing', 'account_invalid']

export async function nullIfUnknown<Result>(ask: () => Promise<Result>): Promise<Result | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && GONE.includes(error.code ?? '')) return null
    throw error
  }
}

export async function mapErrors<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    const failed = new ProviderFailed(outcomeOf(error), error, error.code ?? null)
    failed.isOutage = isOutage(error)
    throw failed
  }
}

function outcomeOf(error: Stripe.errors.StripeError): ProviderFailed['outcome'] {
  // A key that was used with other parameters says nothing about the outcome of this request. A key in use (409)
  // only means busy.
  const isMisused = error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode !== 409
  if (isMisused) return 'unknown'
  switch (error.statusCode) {
    case 400:
    case 402:
    case 403:
    case 404:
      return 'refused'
    case 409:
    case 429:
      return 'busy'
    default:
      return 'unknown'
  }
}

/** Stripe did not answer, answered that it failed, or does not accept our key. */
function isOutage(error: Stripe.errors.StripeError): boolean {
  const { statusCode = 0 } = error
  return error instanceof Stripe.errors.StripeConnectionError || statusCode >= 500 || statusCode === 401
}
