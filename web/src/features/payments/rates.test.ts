import { expect, test } from 'vitest'
import { getHoldDays, maxProcessingRate, platformRate } from './rates.ts'

test('the displayed rates match the fee rules', () => {
  expect(platformRate).toBe('3%')
  expect(maxProcessingRate('usd')).toBe('3.4% + $1.50')
  expect(maxProcessingRate('myr')).toBe('3.4% + RM1.50')
})

test('the hold is 7 days, and 14 days from 500.00', () => {
  expect(getHoldDays(499_99)).toBe(7)
  expect(getHoldDays(500_00)).toBe(14)
})
