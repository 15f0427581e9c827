import { setImmediate as turn } from 'node:timers/promises'
import type { CardProvider, Intent } from '@sought/server/providers/stripe/card-provider'
import type { Random } from '../support/random.ts'

/** A card provider that answers from memory, sooner or later: what is tried here is not the provider. */
export interface MemoryProvider extends CardProvider {
  /** Writes down an intent that was made before the race. */
  know(intentId: string, amountCents: number, status: Intent['status']): void
  /** What entering a card does: false if the card was charged before. */
  charge(intentId: string): boolean
  forgetAll(): void
}

const MOST_TURNS = 4

/** Signatures are checked by the real one. */
export function createMemoryProvider(real: CardProvider, random: Random): MemoryProvider {
  const intents = new Map<string, Intent>()
  const know = (id: string, amountCents: number, status: Intent['status']) => {
    const intent: Intent = {
      id,
      clientSecret: `${id}_secret_1`,
      status,
      receivedCents: status === 'paid' ? amountCents : 0,
      currency: 'usd',
      chargeId: null,
    }
    intents.set(id, intent)
    return intent
  }
  const amounts = new Map<string, number>()

  /** The answer is what was true at some moment between the question and it. */
  async function onTheWay<Result>(answer: () => Result): Promise<Result> {
    for (let turns = random.below(MOST_TURNS); turns > 0; turns--) await turn()
    const answered = answer()
    for (let turns = random.below(MOST_TURNS); turns > 0; turns--) await turn()
    return answered
  }
  const copyOf = (id: string): Intent | null => {
    const intent = intents.get(id)
    return intent ? { ...intent } : null
  }
  const unasked = async (): Promise<never> => {
    throw new Error('nobody should have asked the provider for this')
  }

  return {
    ...real,
    know(id, amountCents, status) {
      amounts.set(id, amountCents)
      know(id, amountCents, status)
    },
    charge(id) {
      const intent = intents.get(id)
      if (intent?.status !== 'unpaid') return false
      know(id, amounts.get(id) ?? 0, 'paid')
      return true
    },
    forgetAll() {
      intents.clear()
      amounts.clear()
    },
    /** The same key is the same intent. */
    createIntent: ({ id, amountCents, attempt }) =>
      onTheWay(() => {
        const intentId = `pi_${id}_${attempt}`
        amounts.set(intentId, amountCents)
        return { ...(intents.get(intentId) ?? know(intentId, amountCents, 'unpaid')) }
      }),
    readIntent: (id) => onTheWay(() => copyOf(id)),
    cancelIntent: (id) =>
      onTheWay(() => {
        const intent = intents.get(id)
        if (intent?.status === 'unpaid') know(id, 0, 'canceled')
        return copyOf(id)
      }),
    refund: unasked,
    transfer: unasked,
    readAccount: async () => null,
    readChargeback: async () => null,
    chargebackEvents: async () => [],
    movementsOf: unasked,
  }
}
