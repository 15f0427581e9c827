import { expect, test } from 'vitest'
import { STANDARD_HOLD } from './hold.ts'
import { MoveRefused, nextState, type PaymentState } from './moves.ts'
import {
  earliestRelease,
  holdFor,
  METHOD_RULES,
  methodsIn,
  PAYMENT_METHODS,
  STANDARD_METHODS,
  waitEnd,
} from './payment-methods.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const daysLater = (days: number) => new Date(NOW.getTime() + days * 86_400_000)

test('a payment offers the chosen methods that take its currency', () => {
  expect(methodsIn('usd', STANDARD_METHODS)).toEqual(['card', 'link'])
  expect(methodsIn('usd', PAYMENT_METHODS)).toEqual(['card', 'link', 'us_bank_account', 'klarna'])
  expect(methodsIn('myr', PAYMENT_METHODS)).toEqual(['card', 'link', 'fpx'])
  expect(methodsIn('eur', PAYMENT_METHODS)).toEqual([
    'card',
    'link',
    'ideal',
    'bancontact',
    'sepa_debit',
    'klarna',
  ])
  expect(methodsIn('gbp', PAYMENT_METHODS)).toEqual(['card', 'link', 'klarna'])
  expect(methodsIn('jpy', PAYMENT_METHODS)).toEqual(['card', 'link'])
  expect(methodsIn('usd', ['card', 'oxxo'])).toEqual(['card'])
})

test.each([
  ['card', 7, 14],
  ['ideal', 7, 14],
  ['us_bank_account', 7, 14],
  ['sepa_debit', 14, 14],
  // Never offered, so the strictest rule counts.
  ['oxxo', 14, 14],
  [null, 7, 14],
])(
  'money of %s is held for %i days, and %i from the high value on',
  (method, holdDays, holdDaysHighValue) => {
    expect(holdFor(method, STANDARD_HOLD)).toEqual({ holdDays, holdDaysHighValue, highValue: 50_000 })
  },
)

test('a longer hold of the market counts, and a shorter one is extended', () => {
  expect(holdFor('us_bank_account', { holdDays: 1, holdDaysHighValue: 30, highValue: 900 })).toEqual({
    holdDays: 7,
    holdDaysHighValue: 30,
    highValue: 900,
  })
})

test('whatever the payer can reclaim without a reason is held longer than it usually bounces', () => {
  for (const { reclaimsFreely, minHoldDays } of Object.values(METHOD_RULES))
    expect(minHoldDays > 0).toBe(reclaimsFreely)
  expect(earliestRelease('sepa_debit', NOW)).toEqual(daysLater(14))
  expect(earliestRelease('card', NOW)).toBeNull()
})

test('a debit waits for days, a payment on a bank’s page for one, and a card for none', () => {
  expect(waitEnd('sepa_debit', 'bank', NOW)).toEqual(daysLater(14))
  expect(waitEnd('us_bank_account', 'bank', NOW)).toEqual(daysLater(10))
  expect(waitEnd('us_bank_account', 'buyer', NOW)).toEqual(daysLater(10))
  expect(waitEnd('ideal', 'bank', NOW)).toEqual(daysLater(1))
  expect(waitEnd('card', 'bank', NOW)).toBeNull()
})

const waiting = (waitsFor: 'buyer' | 'bank'): PaymentState => ({
  buyerId: 'ada',
  sellerId: 'bob',
  amount: 12_000,
  status: 'pending',
  waitingUntil: daysLater(4),
  waitsFor,
  escrowHoldUntil: null,
  buyerConfirmedAt: null,
  fundsReleasedAt: null,
  completedAt: null,
  disputedAt: null,
  holdExtended: false,
  delivery: 'shipping',
  shipWithinDays: 3,
  shipBy: null,
  shippedAt: null,
  deliveredAt: null,
})

test('a payment that waits is never shipped, ends on time, and only its buyer’s step can be cancelled', () => {
  expect(() => nextState(waiting('bank'), 'ship', 'seller', NOW)).toThrow(MoveRefused)
  expect(() => nextState(waiting('bank'), 'stop_waiting', 'buyer', NOW)).toThrow(MoveRefused)
  expect(() => nextState(waiting('bank'), 'stop_waiting', 'clock', NOW)).toThrow(MoveRefused)
  for (const ended of [
    nextState(waiting('buyer'), 'stop_waiting', 'buyer', NOW),
    nextState(waiting('bank'), 'stop_waiting', 'clock', daysLater(4)),
    nextState(waiting('bank'), 'stop_waiting', 'provider', NOW),
  ])
    expect(ended).toMatchObject({ status: 'pending', waitingUntil: null, waitsFor: null })
  expect(nextState(waiting('bank'), 'hold', 'provider', NOW)).toMatchObject({
    status: 'held_in_escrow',
    waitingUntil: null,
  })
})
