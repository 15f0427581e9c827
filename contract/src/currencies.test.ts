import { expect, test } from 'vitest'
import { CURRENCIES, fromProviderAmount, isCurrency, rulesOf, toProviderAmount } from './currencies.ts'
import { Currency } from './currency-code.ts'

const codesWith = (matches: (rules: (typeof CURRENCIES)[number]) => boolean) =>
  CURRENCIES.filter(matches)
    .map(({ code }) => code)
    .join(' ')

test('there are rules for every currency in which the provider charges', () => {
  expect(CURRENCIES).toHaveLength(140)
  expect(isCurrency('usd')).toBe(true)
  expect(isCurrency('USD')).toBe(false)
  expect(isCurrency('toString')).toBe(false)
  expect(Currency.safeParse('xau').success).toBe(false)
})

test('most currencies have two decimals', () => {
  expect(rulesOf('usd')).toEqual({
    code: 'usd',
    decimals: 2,
    symbol: '$',
    symbolAfter: false,
    providerFactor: 1,
    step: 1,
    payoutStep: 1,
    minCharge: 50,
    maxCharge: 99_999_999,
  })
})

test('the special cases of the provider', () => {
  expect(codesWith(({ decimals }) => decimals === 0)).toBe(
    'bif clp djf gnf isk jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf',
  )
  expect(codesWith(({ decimals }) => decimals === 3)).toBe('bhd jod kwd omr tnd')
  expect(codesWith(({ step }) => step === 10)).toBe('bhd jod kwd omr tnd')
  expect(codesWith(({ providerFactor }) => providerFactor === 100)).toBe('isk ugx')
  expect(codesWith(({ payoutStep }) => payoutStep === 100)).toBe('huf twd')
  expect(codesWith(({ maxCharge }) => maxCharge > 99_999_999)).toBe('cop huf idr inr lbp')
})

test('the provider takes at most eight digits of krónur, two of which are decimals', () => {
  expect(toProviderAmount(rulesOf('isk').maxCharge, 'isk')).toBe(99_999_900)
})

test.each(CURRENCIES)('the rules of $code fit each other', (rules) => {
  const { code, step, payoutStep, minCharge, maxCharge, symbol } = rules
  expect(code).toMatch(/^[a-z]{3}$/)
  expect(symbol.trim()).not.toBe('')
  expect(minCharge % step).toBe(0)
  expect(maxCharge % step).toBe(0)
  expect(payoutStep % step).toBe(0)
  expect(minCharge).toBeGreaterThan(0)
  expect(maxCharge).toBeGreaterThan(minCharge * 50)
  expect(fromProviderAmount(toProviderAmount(maxCharge, code), code)).toBe(maxCharge)
})

test('no two currencies share a symbol', () => {
  expect(new Set(CURRENCIES.map(({ symbol }) => symbol)).size).toBe(CURRENCIES.length)
})

test('the provider counts króna and shilling in hundredths, which must be whole', () => {
  expect(toProviderAmount(500, 'isk')).toBe(50_000)
  expect(fromProviderAmount(50_000, 'ugx')).toBe(500)
  expect(() => fromProviderAmount(50_050, 'isk')).toThrow('50050 of the provider is no whole amount in isk')
  expect(() => fromProviderAmount(1.5, 'usd')).toThrow(RangeError)
})
