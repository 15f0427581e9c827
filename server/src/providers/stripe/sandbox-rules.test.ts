import { CURRENCIES, toProviderAmount } from '@sought/contract/currencies'
import { METHOD_RULES, PAYMENT_METHODS } from '@sought/escrow/payment-methods'
import * as sandbox from '@sought/sandbox/currencies'
import { METHODS } from '@sought/sandbox/payment-methods/method-types'
import { expect, test } from 'vitest'

/* The product and the sandbox each state Stripe's rules, so that a mistake in one of them is found. */

test('both know the same currencies', () => {
  expect(CURRENCIES.map(({ code }) => code)).toEqual(sandbox.CURRENCIES)
})

test.each(CURRENCIES)('both have the same decimals and steps in $code', ({ code, ...ours }) => {
  expect(ours.decimals).toBe(sandbox.shownDecimalsOf(code))
  expect(10 ** ours.decimals * ours.providerFactor).toBe(10 ** sandbox.decimalsOf(code))
  expect(toProviderAmount(ours.step, code)).toBe(sandbox.stepOf(code))
  expect(toProviderAmount(ours.payoutStep, code)).toBe(sandbox.payoutStepOf(code))
})

test.each(CURRENCIES)('the sandbox takes the smallest and the largest charge in $code', (ours) => {
  const { code } = ours
  const [least, most] = [toProviderAmount(ours.minCharge, code), toProviderAmount(ours.maxCharge, code)]
  const published = sandbox.SMALLEST_CHARGES[code]
  if (published !== undefined) expect(least).toBe(published)
  else expect(least / 10 ** sandbox.decimalsOf(code) / sandbox.PER_DOLLAR[code]).toBeGreaterThanOrEqual(0.5)
  expect(most).toBeLessThanOrEqual(sandbox.largestChargeIn(code))
})

test.each(PAYMENT_METHODS)('both take %s in the same currencies', (method) => {
  expect(METHOD_RULES[method].currencies ?? []).toEqual(METHODS[method].currencies)
})
