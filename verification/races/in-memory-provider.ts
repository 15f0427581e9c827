import { setImmediate as tick } from 'node:timers/promises'
import type { CardProvider, ChargeHistory, Intent } from '@sought/server/providers/stripe/card-provider'
import type { Random } from '../support/random.ts'

/** A card provider in memory, with random delays, because these races are not about the provider itself. */
export interface InMemoryProvider extends CardProvider {
  /** Adds an intent that existed before the race. */
  addIntent(intentId: string, amountCents: number, status: Intent['status']): void
  /** Adds events of a charge that the product did not cause. */
  report(intentId: string, amountCents: number, added: Partial<ChargeHistory>): void
  /** Charges the intent. Returns false if it was already charged. */
  charge(intentId: string): boolean
  clear(): void
}

const MAX_TICKS = 4
const NOTHING: ChargeHistory = { refunds: [], chargebacks: [], fraudSignals: [], reversals: [] }

/** The real provider verifies webhook signatures. */
export function createInMemoryProvider(real: CardProvider, random: Random): InMemoryProvider {
  const intents = new Map<string, Intent>()
  const addIntent = (id: string, amountCents: number, status: Intent['status']) => {
    const intent: Intent = {
      id,
      clientSecret: `${id}_secret_1`,
      status,
      allowedMethods: ['card', 'link'],
      methods: ['card', 'link'],
      method: 'card',
      instructionsUrl: null,
      receivedCents: status === 'paid' ? amountCents : 0,
      currency: 'usd',
      chargeId: null,
      cardFingerprint: null,
      cardLast4: null,
      fee: null,
      chargedAt: null,
      installation: null,
      hasHistory: false,
    }
    intents.set(id, intent)
    return intent
  }
  const amounts = new Map<string, number>()
  const histories = new Map<string, ChargeHistory>()

  /** Returns the provider's state at some moment between the call and the reply. */
  async function withDelay<Result>(answer: () => Result): Promise<Result> {
    for (let ticks = random.below(MAX_TICKS); ticks > 0; ticks--) await tick()
    const answered = answer()
    for (let ticks = random.below(MAX_TICKS); ticks > 0; ticks--) await tick()
    return answered
  }
  const copyOf = (id: string): Intent | null => {
    const intent = intents.get(id)
    return intent ? { ...intent } : null
  }
  const notExpected = async (): Promise<never> => {
    throw new Error('this call is not expected in a race')
  }

  return {
    ...real,
    addIntent(id, amountCents, status) {
      amounts.set(id, amountCents)
      addIntent(id, amountCents, status)
    },
    report(id, amountCents, added) {
      const { refunds, chargebacks, fraudSignals, reversals } = histories.get(id) ?? NOTHING
      // A chargeback that was closed stays closed.
      const closed = chargebacks.filter(({ outcome }) => outcome !== 'open')
      const isClosed = (chargebackId: string) => closed.some((it) => it.id === chargebackId)
      histories.set(id, {
        refunds: [...refunds, ...(added.refunds ?? [])],
        chargebacks: added.chargebacks
          ? [...closed, ...added.chargebacks.filter((it) => !isClosed(it.id))]
          : chargebacks,
        fraudSignals,
        reversals: [...reversals, ...(added.reversals ?? [])],
      })
      addIntent(id, amountCents, 'paid').hasHistory = true
    },
    charge(id) {
      const intent = intents.get(id)
      if (intent?.status !== 'unpaid') return false
      addIntent(id, amounts.get(id) ?? 0, 'paid')
      return true
    },
    clear() {
      intents.clear()
      amounts.clear()
      histories.clear()
    },
    /** The same idempotency key returns the same intent. */
    createIntent: ({ id, amountCents, attempt }) =>
      withDelay(() => {
        const intentId = `pi_${id}_${attempt}`
        amounts.set(intentId, amountCents)
        return { ...(intents.get(intentId) ?? addIntent(intentId, amountCents, 'unpaid')) }
      }),
    updateIntent: () => withDelay(() => {}),
    createCustomer: ({ id }) => withDelay(() => `cus_${id}`),
    deleteCustomer: notExpected,
    readIntent: (id) => withDelay(() => copyOf(id)),
    cancelIntent: (id) =>
      withDelay(() => {
        const intent = intents.get(id)
        if (intent?.status === 'unpaid') addIntent(id, 0, 'canceled')
        return copyOf(id)
      }),
    refund: notExpected,
    transfer: notExpected,
    canPayOutTo: () => true,
    readAccount: async () => null,
    sendPayoutAgain: async () => {},
    readHistory: (id) => withDelay(() => histories.get(id) ?? NOTHING),
    intentOf: async () => null,
    listEvents: async () => ({ events: [], hasMore: false }),
    reverseTransfer: notExpected,
    async *movementsSince() {},
  }
}
