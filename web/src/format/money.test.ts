import { expect, test } from 'vitest'
import { formatAmount, formatCents } from './money.ts'

test('cents are shown with the symbol, thousands and both decimals', () => {
  expect(formatCents(12_000, 'usd')).toBe('$120.00')
  expect(formatCents(999_99, 'usd')).toBe('$999.99')
  expect(formatCents(125_000_05, 'usd')).toBe('$125,000.05')
  expect(formatCents(9_007_199_254_740_99, 'usd')).toBe('$9,007,199,254,740.99')
  expect(formatCents(12_000, 'myr')).toBe('RM120.00')
  expect(formatCents(1, 'usd')).toBe('$0.01')
  expect(formatCents(0, 'usd')).toBe('$0.00')
})

test('a negative amount has its minus sign before the symbol', () => {
  expect(formatCents(-360, 'usd')).toBe('−$3.60')
})

test('budgets show decimals only if there are cents', () => {
  expect(formatAmount(80, 'usd')).toBe('$80')
  expect(formatAmount(80.5, 'usd')).toBe('$80.50')
  expect(formatAmount(1200, 'myr')).toBe('RM1,200')
  expect(formatAmount(20_000_000, 'usd')).toBe('$20,000,000')
  expect(formatAmount(0.1 + 0.2, 'usd')).toBe('$0.30')
  expect(formatAmount(79.999, 'usd')).toBe('$80')
})
