import { refuse } from '../../../core/errors.ts'
import { type CardProvider, ProviderFailed } from '../../../providers/stripe/card-provider.ts'

/** Afterwards nobody can pay the intent. Returns false if it was paid or is being paid. */
export async function cancelIntent(cards: CardProvider, intentId: string): Promise<boolean> {
  try {
    const intent = await cards.readIntent(intentId)
    if (intent && (intent.status === 'paid' || intent.status === 'processing')) return false
    if (!intent || intent.status === 'canceled') return true
    return (await cards.cancelIntent(intentId))?.status === 'canceled'
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error
    // The intent may have been paid since it was read.
    if (error.outcome === 'refused') return false
    throw refuse('provider_failed')
  }
}
