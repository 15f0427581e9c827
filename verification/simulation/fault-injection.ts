import type { CallFault, DeliveryFault, Faults } from '@sought/sandbox/faults'
import type { Tally } from '../support/counters.ts'
import type { Random } from '../support/random.ts'

/** Calls wait this long for the provider, where they are to be made to give up. */
export const TIMEOUT_MS = 400
const TOO_LATE_MS = 600

const callFaults: CallFault[] = [
  { when: 'before', answer: 'server_error' },
  { when: 'before', answer: 'rate_limit' },
  { when: 'before', answer: 'lock_timeout' },
  { when: 'before', answer: 'cut' },
  { when: 'after', answer: 'server_error' },
  { when: 'after', answer: 'bad_gateway' },
  { when: 'after', answer: 'cut' },
  { when: 'after', answer: { delayMs: TOO_LATE_MS } },
]

/** What moves money, or makes it possible, goes wrong more often: that is where it hurts. */
const MOVING = new Set(['/v1/payment_intents', '/v1/transfers', '/v1/refunds'])

/** The events that something is done about. */
const HEARD =
  /^(payment_intent\.(succeeded|processing|payment_failed|canceled)|charge\.dispute\.(created|closed)|account\.)/

/** How much goes wrong: the share of calls that fail, and of events that do not simply arrive. */
export interface Rates {
  calls: number
  events: number
}

export interface Trouble {
  faults: Faults
  begin(rates: Rates, random: Random): void
  end(): void
}

const QUIET: Rates = { calls: 0, events: 0 }

/** What goes wrong at the provider, by chance and only while it is wanted. */
export function createTrouble(tally: Tally): Trouble {
  let rates = QUIET
  let random: Random | null = null
  return {
    faults: {
      call({ method, path }) {
        const moves = method === 'POST' && MOVING.has(path)
        if (!random?.chance(moves ? 2 * rates.calls : rates.calls)) return undefined
        const fault = random.pick(callFaults)
        const answer = typeof fault.answer === 'object' ? 'too late' : fault.answer
        tally.count('faults', `${answer} ${fault.when} ${method} ${kindOf(path)}`)
        return fault
      },
      delivery({ type }) {
        // Nobody acts upon most kinds of event. A few of each are enough to see that.
        if (!HEARD.test(type) && random?.chance(0.8)) return { mode: 'drop' }
        if (!random?.chance(rates.events)) return undefined
        const [name, fault] = deliveryFault(random)
        tally.count('webhooks', name)
        return fault
      },
    },
    begin(wanted, chance) {
      rates = wanted
      random = chance
    },
    end() {
      rates = QUIET
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

/** The address without its ids. */
const kindOf = (path: string) => path.replace(/\/[a-z]+_[A-Za-z0-9]{12,}/g, '/:id')
