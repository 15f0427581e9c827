import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CURRENCIES } from './currencies.ts'
import {
  findAmountProblem,
  findStepProblem,
  formatAmount,
  formatBankAmount,
  formatForInput,
  formatMoney,
  mainOf,
  minorOf,
  parseMoney,
} from './money.ts'

test('amounts are shown with the symbol, thousands and all decimals', () => {
  expect(formatMoney(12_000, 'usd')).toBe('$120.00')
  expect(formatMoney(999_99, 'usd')).toBe('$999.99')
  expect(formatMoney(125_000_05, 'usd')).toBe('$125,000.05')
  expect(formatMoney(9_007_199_254_740_99, 'usd')).toBe('$9,007,199,254,740.99')
  expect(formatMoney(12_000, 'myr')).toBe('RM120.00')
  expect(formatMoney(1, 'usd')).toBe('$0.01')
  expect(formatMoney(0, 'usd')).toBe('$0.00')
})

test('the currency decides decimals, symbol and where it stands', () => {
  expect(formatMoney(12_000, 'jpy')).toBe('¥12,000')
  expect(formatMoney(12_340, 'kwd')).toBe('12.340 KWD')
  expect(formatMoney(5, 'kwd')).toBe('0.005 KWD')
  expect(formatMoney(1_234_567, 'kwd')).toBe('1,234.567 KWD')
  expect(formatMoney(500, 'isk')).toBe('500 ISK')
  expect(formatMoney(1_500_000_00, 'idr')).toBe('Rp1,500,000.00')
  expect(formatMoney(1_234_50, 'pln')).toBe('1,234.50 zł')
  expect(formatMoney(1_234_50, 'cad')).toBe('CA$1,234.50')
})

test('a negative amount has its minus sign before the symbol', () => {
  expect(formatMoney(-360, 'usd')).toBe('−$3.60')
  expect(formatMoney(-360, 'sek')).toBe('−3.60 SEK')
})

test('an amount of the provider in a currency outside the table has its code', () => {
  expect(formatBankAmount(1_234_50, 'svc')).toBe('1,234.50 SVC')
  expect(formatBankAmount(-1_234, 'jpy')).toBe('−¥1,234')
})

test('budgets show decimals only if there are any', () => {
  expect(formatAmount(80, 'usd')).toBe('$80')
  expect(formatAmount(80.5, 'usd')).toBe('$80.50')
  expect(formatAmount(1200, 'myr')).toBe('RM1,200')
  expect(formatAmount(20_000_000, 'usd')).toBe('$20,000,000')
  expect(formatAmount(0.1 + 0.2, 'usd')).toBe('$0.30')
  expect(formatAmount(79.999, 'usd')).toBe('$80')
  expect(formatAmount(1200, 'jpy')).toBe('¥1,200')
  expect(formatAmount(1.5, 'kwd')).toBe('1.500 KWD')
})

describe('reading amounts', () => {
  test.each([
    ['1.5', 150],
    ['1,5', 150],
    ['12.34', 1_234],
    ['1,234.50', 123_450],
    ['1.234,50', 123_450],
    ['1 234,50', 123_450],
    ['1’234.50', 123_450],
    ['1,00,000.50', 10_000_050],
    ['1,234,567', 123_456_700],
    ['1.234.567', 123_456_700],
    ['1,500', 150_000],
    ['$12.50', 1_250],
    ['  7 ', 700],
    ['7.', 700],
  ])('"%s" is an amount in dollars', (text, amount) => {
    expect(parseMoney(text, 'usd')).toBe(amount)
  })

  test.each([
    '',
    '.',
    '.5',
    '-3',
    '1e3',
    '1.005',
    '1,2345',
    '1,23,4',
    '1,234,5',
    '12,34.5',
    '1.2.3',
    'free',
    '1 2',
    '9007199254740992',
  ])('"%s" is not an amount in dollars', (text) => {
    expect(parseMoney(text, 'usd')).toBeNull()
  })

  test('the locale decides whether a mark before three digits groups them', () => {
    expect(parseMoney('1.500', 'eur', 'de')).toBe(150_000)
    expect(parseMoney('1.500', 'eur', 'en')).toBeNull()
    expect(parseMoney('1.500', 'kwd', 'en')).toBe(1_500)
    expect(parseMoney('1,500', 'kwd', 'en')).toBe(1_500_000)
    expect(parseMoney('1,500', 'kwd', 'de')).toBe(1_500)
    expect(parseMoney('0.500', 'kwd', 'de')).toBe(500)
    expect(parseMoney('1,500', 'jpy')).toBe(1_500)
  })

  test('a currency takes no more decimals than it has', () => {
    expect(parseMoney('1.5', 'jpy')).toBeNull()
    expect(parseMoney('1.50', 'isk')).toBeNull()
    expect(parseMoney('1.005', 'kwd')).toBe(1_005)
    expect(parseMoney('1.0055', 'kwd')).toBeNull()
  })
})

const anyCurrency = fc.constantFrom(...CURRENCIES)
const anyAmount = fc.oneof(fc.nat(), fc.integer({ min: 0, max: 999_999_999_999 }))

test('every amount survives formatting and reading', () => {
  fc.assert(
    fc.property(anyCurrency, anyAmount, ({ code }, amount) => {
      expect(parseMoney(formatMoney(amount, code), code)).toBe(amount)
      expect(parseMoney(formatForInput(amount, code), code)).toBe(amount)
    }),
    { numRuns: 1_000 },
  )
})

/** Formats with the marks of the locale. Its digits are exact, because they are given as text. */
const locales = ['en', 'de', 'fr', 'de-CH', 'en-IN', 'ms'].map((locale) => ({
  locale,
  format: new Map(
    [0, 2, 3].map((digits) => [
      digits,
      new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    ]),
  ),
}))

test('every amount survives being written in the way of a locale', () => {
  fc.assert(
    fc.property(
      anyCurrency,
      anyAmount,
      fc.constantFrom(...locales),
      ({ code, decimals }, amount, { locale, format }) => {
        const text = format.get(decimals)?.format(formatForInput(amount, code) as unknown as number) ?? ''
        expect(parseMoney(text, code, locale)).toBe(amount)
      },
    ),
    { numRuns: 1_000 },
  )
})

test('every chargeable amount survives being a budget in main units', () => {
  fc.assert(
    fc.property(anyCurrency, fc.double({ min: 0, max: 1, noNaN: true }), (rules, part) => {
      const { code, step, minCharge, maxCharge } = rules
      const amount = minCharge + Math.floor(((maxCharge - minCharge) / step) * part) * step
      const budget = mainOf(amount, code)
      // The precision of the column.
      expect(Number(budget.toFixed(2))).toBe(budget)
      expect(budget).toBeLessThan(10_000_000_000)
      expect(minorOf(budget, code)).toBe(amount)
    }),
    { numRuns: 1_000 },
  )
})

test('a budget that does not fit its currency is an error', () => {
  expect(minorOf(45.55, 'usd')).toBe(4_555)
  expect(() => minorOf(45.5, 'jpy')).toThrow('45.5 is not an amount in jpy')
})

test('the sentence about an amount that cannot be charged names the bound', () => {
  expect(findAmountProblem(50, 'usd')).toBeNull()
  expect(findAmountProblem(49, 'usd')).toBe('Must be at least $0.50')
  expect(findAmountProblem(150, 'myr')).toBe('Must be at least RM2.00')
  expect(findAmountProblem(99_999_999, 'usd')).toBeNull()
  expect(findAmountProblem(100_000_000, 'usd')).toBe('Must be at most $999,999.99')
  expect(findAmountProblem(100_000_000, 'idr')).toBeNull()
  expect(findAmountProblem(12_345, 'kwd')).toBe('Must be a multiple of 0.010 KWD')
  expect(findAmountProblem(12_340, 'kwd')).toBeNull()
  expect(findStepProblem(5, 'kwd')).toBe('Must be a multiple of 0.010 KWD')
  expect(findStepProblem(1, 'usd')).toBeNull()
})
