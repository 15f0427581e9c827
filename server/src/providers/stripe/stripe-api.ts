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

/** Stripe answers 404 for an unknown object, and 403 for an account that is no longer connected to ours. */
export async function nullIfUnknown<Result>(ask: () => Promise<Result>): Promise<Result | null> {
  try {
    return await ask()
  } catch (error) {
    const isUnknown = error instanceof Stripe.errors.StripeError && [403, 404].includes(error.statusCode ?? 0)
    if (isUnknown) return null
    throw error
  }
}

export async function mapErrors<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    throw new ProviderFailed(outcomeOf(error), error, error.code ?? null)
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
