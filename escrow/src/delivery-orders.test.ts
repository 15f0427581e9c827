import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DELIVERY_METHODS } from './delivery.ts'
import { STANDARD_FEES } from './fees.ts'
import { type Actor, MoveRefused, nextState, type PaymentState } from './moves.ts'
import { cancellationPosting, holdPosting, inEscrow, releasePosting, rulingPosting } from './postings.ts'
import { calculateRuling } from './rulings.ts'

const rounding = { step: 1, payoutStep: 1 }

/*
 * Plays events between payment and the end of a deal in every order, with jumps of the clock. The expectations are
 * derived from the product's rules and use none of the functions under test.
 */

const DAY_MS = 86_400_000
const START = new Date('2026-03-01T12:00:00Z')

const STEPS = {
  ship: ['ship', 'seller'],
  deliver: ['deliver', 'seller'],
  'deliver by the carrier': ['deliver', 'carrier'],
  'hand over': ['hand_over', 'seller'],
  confirm: ['confirm', 'buyer'],
  lapse: ['lapse', 'clock'],
  'cancel as the seller': ['cancel', 'seller'],
  'cancel as the buyer': ['cancel', 'buyer'],
  'cancel by the clock': ['cancel', 'clock'],
  dispute: ['dispute', 'buyer'],
  withdraw: ['withdraw', 'buyer'],
  'rule for the buyer': ['refund', 'admin'],
  'rule for the seller': ['release', 'admin'],
} as const satisfies Record<string, readonly [Parameters<typeof nextState>[1], Actor]>

type StepName = keyof typeof STEPS

const scripts = fc.record({
  delivery: fc.constantFrom(...DELIVERY_METHODS),
  shipWithinDays: fc.integer({ min: 1, max: 14 }),
  amount: fc.constantFrom(100, 12_000, 49_999, 50_000, 80_000),
  steps: fc.array(
    fc.record({
      name: fc.constantFrom(...(Object.keys(STEPS) as StepName[])),
      // Often at the boundary of a day, where the rules change.
      afterMs: fc.oneof(
        fc.integer({ min: 0, max: 8 }).map((days) => days * DAY_MS),
        fc.integer({ min: 0, max: 12 * DAY_MS }),
      ),
    }),
    { maxLength: 14 },
  ),
})

type Script = typeof scripts extends fc.Arbitrary<infer Value> ? Value : never

interface Made {
  name: StepName
  at: Date
  before: PaymentState
  after: PaymentState
}

function pay({ delivery, shipWithinDays, amount }: Script): PaymentState {
  const pending: PaymentState = {
    buyerId: 'ada',
    sellerId: 'bob',
    amount,
    waitingUntil: null,
    waitsFor: null,
    status: 'pending',
    escrowHoldUntil: null,
    buyerConfirmedAt: null,
    fundsReleasedAt: null,
    completedAt: null,
    disputedAt: null,
    holdExtended: false,
    delivery,
    shipWithinDays: delivery === 'shipping' ? shipWithinDays : null,
    shipBy: null,
    shippedAt: null,
    deliveredAt: null,
  }
  return nextState(pending, 'hold', 'provider', START)
}

/** The accepted moves, in order. */
function play(script: Script): Made[] {
  const made: Made[] = []
  let payment = pay(script)
  let at = START
  for (const { name, afterMs } of script.steps) {
    at = new Date(at.getTime() + afterMs)
    const [move, actor] = STEPS[name]
    try {
      const after = nextState(payment, move, actor, at)
      made.push({ name, at, before: payment, after })
      payment = after
    } catch (error) {
      if (!(error instanceof MoveRefused)) throw error
    }
  }
  return made
}

const check = (property: (script: Script, made: Made[]) => void) =>
  fc.assert(
    fc.property(scripts, (script) => property(script, play(script))),
    { numRuns: 3_000 },
  )

const daysBetween = (from: Date | null, to: Date | null) => {
  if (!from || !to) throw new Error('a date is missing')
  return (to.getTime() - from.getTime()) / DAY_MS
}

test('a parcel and its reports never shorten the hold', () => {
  check(({ amount }, made) => {
    const days = amount >= 50_000 ? 14 : 7
    for (const { before, after } of made) {
      expect(daysBetween(START, after.escrowHoldUntil)).toBeGreaterThanOrEqual(days)
      if (before.status === 'held_in_escrow')
        expect(daysBetween(before.escrowHoldUntil, after.escrowHoldUntil)).toBeGreaterThanOrEqual(0)
    }
  })
})

test('disputes extend the hold by the time that they took, and by at most 48 hours per deal', () => {
  check(({ delivery }, made) => {
    let extraDays = 0
    for (const { name, at, before, after } of made) {
      if (name !== 'withdraw') continue
      const pausedDays = daysBetween(before.disputedAt, at)
      const extra = daysBetween(before.escrowHoldUntil, after.escrowHoldUntil) - pausedDays
      expect(extra).toBeGreaterThanOrEqual(-1e-6)
      if (delivery === 'shipping' && before.shippedAt) expect(extra).toBeCloseTo(0)
      extraDays += extra
    }
    expect(extraDays).toBeLessThanOrEqual(2 + 1e-6)
  })
})

test('the clock releases money only after shipping, 10 days after it and 3 days after delivery at the earliest', () => {
  check(({ delivery }, made) => {
    for (const { name, at, before } of made) {
      if (name !== 'lapse') continue
      expect(daysBetween(before.escrowHoldUntil, at)).toBeGreaterThanOrEqual(0)
      if (delivery !== 'shipping') continue
      expect(daysBetween(before.shippedAt, at)).toBeGreaterThanOrEqual(10)
      if (before.deliveredAt) expect(daysBetween(before.deliveredAt, at)).toBeGreaterThanOrEqual(3)
    }
  })
})

test('a shipped deal is never cancelled, and only the seller can cancel before the time to ship is over', () => {
  check(({ delivery, shipWithinDays }, made) => {
    for (const { name, at, before, after } of made) {
      if (after.status !== 'refunded') continue
      expect(before.shippedAt).toBeNull()
      if (name === 'cancel as the seller') continue
      expect(delivery).toBe('shipping')
      // A dispute can only extend the time to ship.
      const least = shipWithinDays + (name === 'cancel as the buyer' ? 2 : 7)
      expect(daysBetween(START, at)).toBeGreaterThanOrEqual(least)
    }
  })
})

test('parcel reports do not change when an arranged deal lapses, and only deals in person are handed over', () => {
  check((script, made) => {
    for (const { name } of made) {
      if (name === 'hand over') expect(script.delivery).toBe('in_person')
      if (name === 'ship') expect(script.delivery).not.toBe('in_person')
    }
    if (script.delivery === 'shipping') return
    const isParcel = (name: StepName) => name === 'ship' || name.startsWith('deliver')
    // Only cancelling depends on shipping.
    if (script.steps.some(({ name }) => name.startsWith('cancel'))) return
    let waitedMs = 0
    const steps = script.steps.flatMap(({ name, afterMs }) => {
      waitedMs += afterMs
      if (isParcel(name)) return []
      const step = { name, afterMs: waitedMs }
      waitedMs = 0
      return step
    })
    const plain = play({ ...script, steps }).map(({ name, at, after }) => [
      name,
      at,
      after.status,
      after.escrowHoldUntil,
    ])
    const others = made.filter(({ name }) => !isParcel(name))
    expect(others.map(({ name, at, after }) => [name, at, after.status, after.escrowHoldUntil])).toEqual(
      plain,
    )
  })
})

test('the money is paid once, to the party that the final status determines', () => {
  check((_, made) => {
    const { after } = made.at(-1) ?? {}
    if (!after) return
    const payment = { ...after, id: 7, returned: 0, ...STANDARD_FEES }
    const balances = new Map<string, number>()
    const postings = [
      holdPosting(payment),
      ...made.flatMap(({ name, after: { status } }) => {
        if (status === 'completed') return [releasePosting(payment, rounding)]
        if (status === 'refunded') return [cancellationPosting(payment)]
        if (name === 'rule for the buyer' || name === 'rule for the seller') {
          const action = name === 'rule for the buyer' ? 'refund_full' : 'release_seller'
          const ruling = calculateRuling(action, inEscrow(payment), STANDARD_FEES, rounding)
          return ruling ? [rulingPosting(payment, ruling)] : []
        }
        return []
      }),
    ]
    for (const { account, amount } of postings.flatMap(({ entries }) => entries))
      balances.set(account, (balances.get(account) ?? 0) + amount)
    const balanceOf = (account: string) => balances.get(account) ?? 0
    switch (after.status) {
      case 'completed':
      case 'resolved_seller':
        expect(balanceOf('seller:bob')).toBeGreaterThan(0)
        expect([balanceOf('escrow:7'), balanceOf('buyer:ada')]).toEqual([0, 0])
        break
      case 'refunded':
      case 'resolved_buyer':
        expect([balanceOf('escrow:7'), balanceOf('seller:bob')]).toEqual([0, 0])
        expect(balanceOf('buyer:ada')).toBe(after.amount)
        break
      default:
        expect(balanceOf('escrow:7')).toBe(after.amount)
    }
  })
})
