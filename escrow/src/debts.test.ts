import fc from 'fast-check'
import { expect, test } from 'vitest'
import { settleDebts, shareRefund } from './debts.ts'
import { cancellationFeePosting, debtTakenPosting, type Posting } from './postings.ts'

const cents = fc.integer({ min: 1, max: 1_000_000_00 })

const debts = fc.array(
  fc
    .record({ amountCents: cents, share: fc.double({ min: 0, max: 1, noNaN: true }) })
    .map(({ amountCents, share }) => ({ amountCents, settledCents: Math.floor(amountCents * share) })),
)

function balanceOf(account: string, postings: Posting[]): number {
  const entries = postings.flatMap(({ entries }) => entries).filter((it) => it.account === account)
  return entries.reduce((sum, { amountCents }) => sum + amountCents, 0)
}

test('older debts are settled first, with no more than there is', () => {
  const [first, second] = [
    { id: 1, amountCents: 300, settledCents: 100 },
    { id: 2, amountCents: 500, settledCents: 0 },
  ]
  expect(settleDebts(150, [first, second])).toEqual([{ debt: first, cents: 150 }])
  expect(settleDebts(600, [first, second])).toEqual([
    { debt: first, cents: 200 },
    { debt: second, cents: 400 },
  ])
  expect(settleDebts(0, [first])).toEqual([])
})

test('settling never takes more than the amount or the debts, and stops only when one of them is used up', () => {
  fc.assert(
    fc.property(cents, debts, (available, open) => {
      const taken = settleDebts(available, open)
      const takenCents = taken.reduce((sum, it) => sum + it.cents, 0)
      const openCents = open.reduce((sum, it) => sum + it.amountCents - it.settledCents, 0)
      expect(takenCents).toBe(Math.min(available, openCents))
      for (const { debt, cents } of taken) {
        expect(cents).toBeGreaterThan(0)
        expect(debt.settledCents + cents).toBeLessThanOrEqual(debt.amountCents)
      }
    }),
  )
})

test('whatever payouts follow a cancellation, its fee is covered and the debt never becomes positive', () => {
  fc.assert(
    fc.property(cents, fc.array(cents, { maxLength: 8 }), (fee, payouts) => {
      const deal = { id: 1, sellerId: 'bob', currency: 'usd' }
      const taken = { cents: fee, currency: 'usd' }
      const postings = [cancellationFeePosting(deal, { cents: fee, taken })]
      const debt = { id: 9, reason: 'cancellation' as const, amountCents: fee, settledCents: 0 }
      for (const [index, dueCents] of payouts.entries()) {
        const payout = { paymentId: index + 2, sellerId: 'bob', attempt: 0 }
        const [taken] = settleDebts(dueCents, [debt])
        if (!taken) continue
        postings.push(debtTakenPosting(payout, debt, taken.cents))
        debt.settledCents += taken.cents
      }
      for (const { entries } of postings)
        expect(entries.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(0)
      expect(new Set(postings.map(({ key }) => key)).size).toBe(postings.length)
      expect(balanceOf('fees:provider', postings)).toBe(fee)
      expect(balanceOf('debt:bob', postings)).toBe(debt.settledCents - fee)
      expect(balanceOf('debt:bob', postings)).toBeLessThanOrEqual(0)
      expect(balanceOf('seller:bob', postings)).toBe(0 - debt.settledCents)
    }),
  )
})

test('shares of refunds sum to the refund, and several refunds give the same as one', () => {
  const released = fc
    .tuple(cents, fc.nat(1_000_000), fc.nat(1_000_000))
    .map(([sellerCents, platformCents, processingCents]) => ({ sellerCents, platformCents, processingCents }))
  fc.assert(
    fc.property(released, fc.nat(), fc.nat(), (given, one, two) => {
      const whole = given.sellerCents + given.platformCents + given.processingCents
      const first = one % (whole + 1)
      const second = two % (whole - first + 1)
      const steps: [number, number][] = [
        [0, first],
        [first, second],
        [first + second, whole - first - second],
      ]
      const shares = steps.map(([before, refund]) => shareRefund(given, before, refund))
      for (const [index, share] of shares.entries()) {
        const parts = Object.values(share)
        expect(Math.min(...parts)).toBeGreaterThanOrEqual(0)
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(steps[index]?.[1])
      }
      const sum = (part: keyof typeof given) => shares.reduce((total, share) => total + share[part], 0)
      expect({
        sellerCents: sum('sellerCents'),
        platformCents: sum('platformCents'),
        processingCents: sum('processingCents'),
      }).toEqual(given)
    }),
  )
})
