import type { CardProvider, Intent } from '../providers/stripe/card-provider.ts'

/** A card provider whose intents are paid as soon as the buyer asks. */
export function createInstantCards(now: Date): CardProvider {
  const intents = new Map<string, Intent>()
  const cards: Pick<CardProvider, 'readInstallation' | 'createIntent' | 'readIntent'> = {
    readInstallation: async () => '',
    async createIntent({ id, amountCents, currency }) {
      const intent: Intent = {
        id: `pi_${id}`,
        clientSecret: `pi_${id}_secret_1`,
        status: 'paid',
        receivedCents: amountCents,
        currency,
        chargeId: null,
        fee: null,
        chargedAt: now,
        cardFingerprint: null,
        cardLast4: null,
        installation: null,
        hasHistory: false,
      }
      intents.set(intent.id, intent)
      return { ...intent, status: 'unpaid' }
    },
    readIntent: async (id) => intents.get(id) ?? null,
  }
  return cards as CardProvider
}
