import fc from 'fast-check'
import { expect, test } from 'vitest'
import { convertDown } from './conversion.ts'

const amount = fc.integer({ min: 1, max: 99_999_999_999 })

test('the parts of an amount are never worth more than the whole, which is exact', () => {
  fc.assert(
    fc.property(
      amount,
      amount,
      fc.array(fc.nat(1_000), { minLength: 1, maxLength: 5 }),
      (from, to, weights) => {
        const sum = weights.reduce((total, weight) => total + weight, 0)
        const parts = weights.map((weight) => Math.floor((from * weight) / Math.max(1, sum)))
        const converted = parts.map((part) => convertDown(part, from, to))
        expect(converted.reduce((total, part) => total + part, 0)).toBeLessThanOrEqual(to)
        expect(convertDown(from, from, to)).toBe(to)
      },
    ),
  )
})

test('what was converted and back is at most the same', () => {
  fc.assert(
    fc.property(amount, amount, amount, (from, to, limit) => {
      const amount = Math.min(limit, from)
      expect(convertDown(convertDown(amount, from, to), to, from)).toBeLessThanOrEqual(amount)
    }),
  )
})

test('amounts beyond the exact integers of a product', () => {
  expect(convertDown(99_999_999_999, 99_999_999_999, 77_777_777_777)).toBe(77_777_777_777)
  expect(convertDown(5, 0, 7)).toBe(0)
})
