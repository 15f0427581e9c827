import fc from 'fast-check'
import { expect, test } from 'vitest'
import { STANDARD_FEES } from './fees.ts'
import {
  holdPosting,
  type Posting,
  payoutPosting,
  payoutReversalPosting,
  refundPosting,
  releasePosting,
  rulingPosting,
} from './postings.ts'
import { calculateRuling, type RulingAction } from './rulings.ts'

const rounding = { step: 1, payoutStep: 1 }

const paymentOf = (amount: number) => ({
  id: 7,
  buyerId: 'ada',
  sellerId: 'bob',
  amount,
  returned: 0,
  ...STANDARD_FEES,
})

/** The balance of each account that is not zero. */
function balances(...postings: Posting[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { account, amount } of postings.flatMap(({ entries }) => entries)) {
    sums[account] = (sums[account] ?? 0) + amount
  }
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0))
}

test('a held payment is in escrow and owed by the provider', () => {
  expect(holdPosting(paymentOf(12_000))).toEqual({
    key: 'hold:7',
    paymentId: 7,
    entries: [
      { account: 'provider', amount: -12_000 },
      { account: 'escrow:7', amount: 12_000 },
    ],
  })
})

test('a payout leaves only the fees', () => {
  const payment = paymentOf(12_000)
  const released = [holdPosting(payment), releasePosting(payment, rounding)]
  expect(balances(...released)).toEqual({
    provider: -12_000,
    'seller:bob': 11_262,
    'fees:platform': 360,
    'fees:processing': 378,
  })
  const paid = payoutPosting({ paymentId: 7, sellerId: 'bob', amount: 11_262, attempt: 0 })
  expect(balances(...released, paid)).toEqual({
    provider: -738,
    'fees:platform': 360,
    'fees:processing': 378,
  })
})

test('a full refund leaves every account at zero', () => {
  const payment = paymentOf(12_000)
  const decided = calculateRuling('refund_full', 12_000, STANDARD_FEES, rounding)
  if (!decided) throw new Error('unreachable')
  expect(
    balances(holdPosting(payment), rulingPosting(payment, decided), refundPosting(payment, 12_000)),
  ).toEqual({})
})

test('every posting balances, and no account except the provider is ever negative', () => {
  const actions: (RulingAction | 'confirmed')[] = [
    'confirmed',
    'refund_full',
    'refund_partial',
    'release_seller',
    'split_difference',
  ]
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_147_483_647 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(...actions),
      (amount, part, action) => {
        const payment = paymentOf(amount)
        const decided =
          action === 'confirmed'
            ? calculateRuling('release_seller', amount, STANDARD_FEES, rounding)
            : calculateRuling(action, amount, STANDARD_FEES, rounding, Math.floor(amount * part))
        if (!decided) return
        const path = [
          holdPosting(payment),
          action === 'confirmed' ? releasePosting(payment, rounding) : rulingPosting(payment, decided),
          ...(decided.refund > 0 ? [refundPosting(payment, decided.refund)] : []),
          ...(decided.payout > 0
            ? [payoutPosting({ paymentId: 7, sellerId: 'bob', amount: decided.payout, attempt: 0 })]
            : []),
        ]
        path.forEach((posting, index) => {
          expect(posting.entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
          for (const [account, amount] of Object.entries(balances(...path.slice(0, index + 1)))) {
            if (account !== 'provider') expect(amount).toBeGreaterThan(0)
          }
        })
        const {
          provider = 0,
          'fees:platform': platform = 0,
          'fees:processing': processing = 0,
        } = balances(...path)
        expect(balances(...path)['escrow:7']).toBeUndefined()
        expect(provider).toBe(0 - platform - processing)
      },
    ),
  )
})

test('a posting whose entries do not sum to zero is refused', () => {
  const payment = paymentOf(12_000)
  const ruling = calculateRuling('split_difference', 12_000, STANDARD_FEES, rounding)
  if (!ruling) throw new Error('unreachable')
  expect(() => rulingPosting(payment, { ...ruling, payout: ruling.payout + 1 })).toThrow(
    'the entries of ruling:7 sum to 1',
  )
})

test('each step of a payment has its own key', () => {
  const payment = paymentOf(100)
  const decided = calculateRuling('split_difference', 100, STANDARD_FEES, rounding)
  if (!decided) throw new Error('unreachable')
  const keys = [
    holdPosting(payment),
    releasePosting(payment, rounding),
    rulingPosting(payment, decided),
    refundPosting(payment, 50),
    payoutPosting({ paymentId: 7, sellerId: 'bob', amount: 40, attempt: 0 }),
  ].map(({ key }) => key)
  expect(keys).toEqual(['hold:7', 'release:7', 'ruling:7', 'refund:7', 'payout:7:0'])
})

test('a reversed payout is owed again and can be paid again under a new key', () => {
  const payout = { paymentId: 7, sellerId: 'bob', amount: 40, attempt: 0 }
  const again = { ...payout, attempt: 1 }
  expect(balances(payoutPosting(payout), payoutReversalPosting(payout))).toEqual({})
  const keys = [payoutPosting(payout), payoutReversalPosting(payout), payoutPosting(again)].map(
    ({ key }) => key,
  )
  expect(keys).toEqual(['payout:7:0', 'payout-undone:7:0', 'payout:7:1'])
})
