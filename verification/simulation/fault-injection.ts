import type { CallFault, DeliveryFault, Faults } from '@sought/sandbox/faults'
import type { Counters } from '../support/counters.ts'
import type { Random } from '../support/random.ts'

/** How long a server waits for the provider while faults are injected. */
export const TIMEOUT_MS = 400
const LATE_REPLY_MS = 600

const callFaults: CallFault[] = [
  { when: 'before', answer: 'server_error' },
  { when: 'before', answer: 'rate_limit' },
  { when: 'before', answer: 'lock_timeout' },
  { when: 'before', answer: 'cut' },
  { when: 'after', answer: 'server_error' },
  { when: 'after', answer: 'bad_gateway' },
  { when: 'after', answer: 'cut' },
  { when: 'after', answer: { delayMs: LATE_REPLY_MS } },
]

/** Calls that move money fail more often. */
const MONEY_CALLS = new Set(['/v1/payment_intents', '/v1/transfers', '/v1/refunds'])

/** The events that the server handles. */
const HANDLED =
  /^(payment_intent\.(succeeded|processing|payment_failed|canceled)|charge\.dispute\.(created|closed)|account\.)/

/** The share of calls that fail, and of events that are lost, late or repeated. */
export interface Rates {
  calls: number
  events: number
}

export interface FaultInjector {
  faults: Faults
  start(rates: Rates, random: Random): void
  stop(): void
}

const NO_FAULTS: Rates = { calls: 0, events: 0 }

/** Random faults of the provider between `start` and `stop`. */
export function createFaultInjector(counters: Counters): FaultInjector {
  let rates = NO_FAULTS
  let random: Random | null = null
  return {
    faults: {
      call({ method, path }) {
        const movesMoney = method === 'POST' && MONEY_CALLS.has(path)
        if (!random?.chance(movesMoney ? 2 * rates.calls : rates.calls)) return undefined
        const fault = random.pick(callFaults)
        const answer = typeof fault.answer === 'object' ? 'too late' : fault.answer
        counters.count('faults', `${answer} ${fault.when} ${method} ${pathWithoutIds(path)}`)
        return fault
      },
      delivery({ type }) {
        // The server ignores most types of events, so a few of each are enough.
        if (!HANDLED.test(type) && random?.chance(0.8)) return { mode: 'drop' }
        if (!random?.chance(rates.events)) return undefined
        const [name, fault] = deliveryFault(random)
        counters.count('webhooks', name)
        return fault
      },
    },
    start(newRates, newRandom) {
      rates = newRates
      random = newRandom
    },
    stop() {
      rates = NO_FAULTS
    },
  }
}

const DAY_MS = 86_400_000

function deliveryFault(random: Random): [string, DeliveryFault] {
  const copies = 2 + random.below(4)
  const delayMs = 1 + random.below(60_000)
  return random.pick([
    ['three days late', { delayMs: 3 * DAY_MS }],
    ['five times', { copies: 5 }],
    ['lost', { mode: 'drop' }],
    ['held back', { mode: 'hold' }],
    ['late', { delayMs }],
    ['repeated', { copies }],
    ['repeated and late', { copies, delayMs }],
  ] satisfies [string, DeliveryFault][])
}

/** The path without its ids. */
const pathWithoutIds = (path: string) => path.replace(/\/[a-z]+_[A-Za-z0-9]{12,}/g, '/:id')
