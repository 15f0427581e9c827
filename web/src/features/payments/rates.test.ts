import { expect, test } from 'vitest'
import { highestProcessingRate, holdDays, platformRate } from './rates.ts'

test('the displayed rates match the fee rules', () => {
  expect(platformRate).toBe('3%')
  expect(highestProcessingRate('usd')).toBe('3.4% + $1.50')
  expect(highestProcessingRate('myr')).toBe('3.4% + RM1.50')
})

test('the hold is 7 days, and 14 days from 500.00', () => {
  expect(holdDays(499_99)).toBe(7)
  expect(holdDays(500_00)).toBe(14)
})
