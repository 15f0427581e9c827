import { settleDebts, shareRefund } from '@sought/escrow/debts'
import { calculateFees, type MarketFees } from '@sought/escrow/fees'
import { calculateRuling, type RulingAction } from '@sought/escrow/rulings'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CURRENCIES, type CurrencyRules, rulesOf } from './currencies.ts'
import { defaultFees, defaultLimits, highestLimits, smallestOffer } from './currency-defaults.ts'

const sumOf = (parts: number[]) => parts.reduce((sum, part) => sum + part, 0)

/** A multiple of the currency's step, up to its largest charge. */
const amountOf = ({ step, maxCharge }: CurrencyRules) =>
  fc.integer({ min: 1, max: maxCharge / step }).map((steps) => steps * step)

const anyFees = ({ step, minCharge }: CurrencyRules) =>
  fc.record({
    platformFeeBasisPoints: fc.nat(5_000),
    processingFeeBasisPoints: fc.nat(2_000),
    processingFeeCents: fc.nat(minCharge).map((steps) => steps * step),
    minimumFeeCents: fc.nat(minCharge).map((steps) => steps * step),
    feeTiers: fc.constant([]),
  }) satisfies fc.Arbitrary<MarketFees>

const ACTIONS: RulingAction[] = ['refund_full', 'refund_partial', 'release_seller', 'split_difference']

describe.each(CURRENCIES)('in $code', (rules) => {
  const { step, payoutStep } = rules

  test('fees and rulings sum to the amount, in steps that the provider takes', () => {
    fc.assert(
      fc.property(amountOf(rules), anyFees(rules), fc.nat(10_000), (amount, fees, part) => {
        const { platformFee, processingFee, payout } = calculateFees(amount, fees, rules)
        expect(platformFee + processingFee + payout).toBe(amount)
        expect(Math.min(platformFee, processingFee, payout)).toBeGreaterThanOrEqual(0)
        expect(payout % payoutStep).toBe(0)
        const refund = Math.floor(((amount / step) * part) / 10_000) * step
        for (const action of ACTIONS) {
          const ruling = calculateRuling(action, amount, fees, rules, refund)
          if (!ruling) continue
          expect(sumOf([ruling.refund, ruling.platformFee, ruling.processingFee, ruling.payout])).toBe(amount)
          expect([ruling.refund % step, ruling.payout % payoutStep]).toEqual([0, 0])
          expect(ruling.payout).toBeGreaterThanOrEqual(0)
        }
      }),
      { numRuns: 20 },
    )
  })

  test('shares of refunds and of debts are sums of steps', () => {
    fc.assert(
      fc.property(amountOf(rules), anyFees(rules), fc.nat(10_000), fc.nat(), (amount, fees, part, owed) => {
        const { payout: seller, ...rest } = calculateFees(amount, fees, rules)
        const released = { seller, ...rest }
        const first = Math.floor(((amount / step) * part) / 10_000) * step
        const shares = [
          shareRefund(released, 0, first, rules),
          shareRefund(released, first, amount - first, rules),
        ]
        expect(sumOf(shares.flatMap((share) => Object.values(share)))).toBe(amount)
        for (const share of shares) expect(share.seller % step).toBe(0)
        for (const { taken } of settleDebts(seller, [{ amount: owed, settled: 0 }], rules)) {
          expect(taken % step).toBe(0)
          expect(taken).toBeLessThanOrEqual(Math.min(seller, owed))
        }
      }),
      { numRuns: 20 },
    )
  })

  test('the amounts that a market begins with fit the currency', () => {
    const { maxOfferCents, ...limits } = defaultLimits(rules.code)
    const amounts = [
      ...Object.values(limits),
      ...Object.values(highestLimits(rules.code)),
      maxOfferCents ?? 0,
      defaultFees(rules.code).processingFeeCents,
      smallestOffer(rules.code),
    ]
    for (const amount of amounts) {
      expect(amount).toBeGreaterThan(0)
      expect(amount % step).toBe(0)
      expect(amount).toBeLessThanOrEqual(rules.maxCharge)
    }
    expect(smallestOffer(rules.code)).toBeGreaterThanOrEqual(rules.minCharge)
  })
})

test('payouts in forint and dinars are rounded in favour of the platform', () => {
  expect(calculateFees(100_045, defaultFees('huf'), rulesOf('huf'))).toEqual({
    // 3 % are 30.01, and 2.9 % + 105.00 are 134.01. What is left of 836.43 is paid in whole forint.
    platformFee: 3_044,
    processingFee: 13_401,
    payout: 83_600,
  })
  expect(calculateFees(12_340, defaultFees('kwd'), rulesOf('kwd'))).toEqual({
    platformFee: 370,
    processingFee: 460,
    payout: 11_510,
  })
  expect(calculateRuling('split_difference', 12_350, defaultFees('kwd'), rulesOf('kwd'))?.refund).toBe(6_180)
  expect(calculateRuling('refund_partial', 12_350, defaultFees('kwd'), rulesOf('kwd'), 1_005)).toBeNull()
})

test('a market begins with the amounts of dollars in dollars, ringgit and euro, and with equivalents elsewhere', () => {
  const dollars = {
    maxOfferCents: 1_000_000,
    goodwillApprovalCents: 10_000,
    ratingMinCents: 500,
    highValueCents: 50_000,
  }
  for (const currency of ['usd', 'myr', 'eur'] as const) {
    expect(defaultLimits(currency)).toEqual(dollars)
    expect(defaultFees(currency).processingFeeCents).toBe(30)
  }
  expect(defaultLimits('gbp')).toEqual({
    maxOfferCents: 600_000,
    goodwillApprovalCents: 6_000,
    ratingMinCents: 300,
    highValueCents: 30_000,
  })
  expect(defaultLimits('kwd').highValueCents).toBe(160_000)
  expect([smallestOffer('usd'), smallestOffer('myr'), smallestOffer('jpy')]).toEqual([100, 200, 50])
})
