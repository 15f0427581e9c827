import { type CardProvider, ProviderDown, ProviderFailed } from './card-provider.ts'

/** So many calls in a row must fail before others are no longer tried. */
const FAILURES_IN_A_ROW = 3
const PAUSE_MS = 30_000

/** The methods that ask the provider. */
const CALLS = new Set<string>([
  'createIntent',
  'readIntent',
  'cancelIntent',
  'refund',
  'transfer',
  'createAccount',
  'onboardingUrl',
  'readAccount',
  'sendPayoutAgain',
  'readHistory',
  'uploadEvidence',
  'sendEvidence',
  'intentOf',
  'listEvents',
  'reverseTransfer',
] satisfies (keyof CardProvider)[])

/**
 * During an outage, every call takes until its timeout, and jobs that wait for one after the other leave no time for
 * the rest. So after a few failures in a row calls fail at once, with `ProviderDown`. After a pause, one call tries
 * whether the provider answers again.
 */
export function pauseInOutage(cards: CardProvider, now = () => performance.now()): CardProvider {
  let failures = 0
  let pausedUntil = 0

  async function call<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (failures >= FAILURES_IN_A_ROW) {
      if (now() < pausedUntil) throw new ProviderDown()
      // The others wait for the answer to this call.
      pausedUntil = now() + PAUSE_MS
    }
    try {
      const answer = await ask()
      failures = 0
      return answer
    } catch (error) {
      if (error instanceof ProviderFailed && error.isOutage) {
        failures++
        pausedUntil = now() + PAUSE_MS
      } else failures = 0
      throw error
    }
  }

  return new Proxy(cards, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (!CALLS.has(String(name)) || typeof value !== 'function') return value
      return (...args: unknown[]) => call(() => value.apply(target, args))
    },
  })
}
