import fc from 'fast-check'
import { expect, test } from 'vitest'
import { settleDebts, shareRefund } from './debts.ts'
import { cancellationFeePosting, debtTakenPosting, type Posting, payableFee } from './postings.ts'

const rounding = { step: 1, payoutStep: 1 }

const amount = fc.integer({ min: 1, max: 1_000_000_00 })

const debts = fc.array(
  fc
    .record({ amount, share: fc.double({ min: 0, max: 1, noNaN: true }) })
    .map(({ amount, share }) => ({ amount, settled: Math.floor(amount * share) })),
)

function balanceOf(account: string, postings: Posting[]): number {
  const entries = postings.flatMap(({ entries }) => entries).filter((it) => it.account === account)
  return entries.reduce((sum, { amount }) => sum + amount, 0)
}

test('older debts are settled first, with no more than there is', () => {
  const [first, second] = [
    { id: 1, amount: 300, settled: 100 },
    { id: 2, amount: 500, settled: 0 },
  ]
  expect(settleDebts(150, [first, second], rounding)).toEqual([{ debt: first, taken: 150 }])
  expect(settleDebts(600, [first, second], rounding)).toEqual([
    { debt: first, taken: 200 },
    { debt: second, taken: 400 },
  ])
  expect(settleDebts(0, [first], rounding)).toEqual([])
})

test('settling never takes more than the amount or the debts, and stops only when one of them is used up', () => {
  fc.assert(
    fc.property(amount, debts, (available, open) => {
      const taken = settleDebts(available, open, rounding)
      const total = taken.reduce((sum, it) => sum + it.taken, 0)
      expect(total).toBe(
        Math.min(
          available,
          open.reduce((sum, it) => sum + it.amount - it.settled, 0),
        ),
      )
      for (const { debt, taken: part } of taken) {
        expect(part).toBeGreaterThan(0)
        expect(debt.settled + part).toBeLessThanOrEqual(debt.amount)
      }
    }),
  )
})

test('whatever payouts follow a cancellation, its fee is covered and the debt never becomes positive', () => {
  fc.assert(
    fc.property(amount, fc.array(amount, { maxLength: 8 }), (fee, payouts) => {
      const deal = { id: 1, sellerId: 'bob', currency: 'usd' }
      const taken = { amount: fee, currency: 'usd' }
      const postings = [cancellationFeePosting(deal, { amount: fee, taken })]
      const debt = { id: 9, reason: 'cancellation' as const, amount: fee, settled: 0 }
      for (const [index, due] of payouts.entries()) {
        const payout = { paymentId: index + 2, sellerId: 'bob', attempt: 0 }
        const [taken] = settleDebts(due, [debt], rounding)
        if (!taken) continue
        postings.push(debtTakenPosting(payout, debt, taken.taken))
        debt.settled += taken.taken
      }
      for (const { entries } of postings) expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
      expect(new Set(postings.map(({ key }) => key)).size).toBe(postings.length)
      expect(balanceOf('fees:provider', postings)).toBe(fee)
      expect(balanceOf('debt:bob', postings)).toBe(debt.settled - fee)
      expect(balanceOf('debt:bob', postings)).toBeLessThanOrEqual(0)
      expect(balanceOf('seller:bob', postings)).toBe(0 - debt.settled)
    }),
  )
})

test('shares of refunds sum to the refund, and several refunds give the same as one', () => {
  const released = fc
    .tuple(amount, fc.nat(1_000_000), fc.nat(1_000_000))
    .map(([seller, platformFee, processingFee]) => ({ seller, platformFee, processingFee }))
  fc.assert(
    fc.property(released, fc.nat(), fc.nat(), (given, one, two) => {
      const whole = given.seller + given.platformFee + given.processingFee
      const first = one % (whole + 1)
      const second = two % (whole - first + 1)
      const steps: [number, number][] = [
        [0, first],
        [first, second],
        [first + second, whole - first - second],
      ]
      const shares = steps.map(([before, refund]) => shareRefund(given, before, refund, rounding))
      for (const [index, share] of shares.entries()) {
        const parts = Object.values(share)
        expect(Math.min(...parts)).toBeGreaterThanOrEqual(0)
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(steps[index]?.[1])
      }
      const sum = (part: keyof typeof given) => shares.reduce((total, share) => total + share[part], 0)
      expect({
        seller: sum('seller'),
        platformFee: sum('platformFee'),
        processingFee: sum('processingFee'),
      }).toEqual(given)
    }),
  )
})

test('a seller owes the part of a fee that payouts can settle', () => {
  const steps = { step: 10, payoutStep: 10 }
  const inDinars = { amount: 348, taken: { amount: 348, currency: 'kwd' } }
  expect(payableFee(inDinars, 'kwd', steps)).toEqual({ amount: 340, taken: { amount: 340, currency: 'kwd' } })
  const converted = { amount: 348, taken: { amount: 113, currency: 'usd' } }
  expect(payableFee(converted, 'kwd', steps)).toEqual({
    amount: 340,
    taken: { amount: 113, currency: 'usd' },
  })
  const debt = { amount: 340, settled: 0 }
  expect(settleDebts(345, [debt], steps)).toEqual([{ debt, taken: 340 }])
  expect(settleDebts(339, [debt], steps)).toEqual([{ debt, taken: 330 }])
})
