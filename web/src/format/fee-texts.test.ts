import { expect, test } from 'vitest'
import { describeMaxProcessingFee, describePlatformFee, describeProcessingFee } from './fee-texts.ts'

const standard = {
  platformFeeBasisPoints: 300,
  processingFeeBasisPoints: 290,
  processingFeeCents: 30,
  minimumFeeCents: 0,
}

test('the text about standard fees is that of the specification', () => {
  expect(describePlatformFee(standard, 'usd')).toBe('3%')
  expect(describeProcessingFee(standard, 'usd')).toBe('2.9% + $0.30')
  expect(describeMaxProcessingFee(standard, 'usd')).toBe('3.4% + $1.50')
  expect(describeMaxProcessingFee(standard, 'myr')).toBe('3.4% + RM1.50')
})

test('the text about fees uses the market’s own rates', () => {
  const high = {
    ...standard,
    platformFeeBasisPoints: 425,
    processingFeeBasisPoints: 500,
    processingFeeCents: 0,
  }
  expect(describePlatformFee(high, 'usd')).toBe('4.25%')
  expect(describeProcessingFee(high, 'usd')).toBe('5%')
  expect(describeProcessingFee({ ...high, processingFeeBasisPoints: 0 }, 'usd')).toBe('0%')
  expect(describeProcessingFee({ ...standard, processingFeeBasisPoints: 0 }, 'usd')).toBe('$0.30')
})

test('the text about the platform fee names its tiers and its minimum', () => {
  const feeTiers = [
    { from: 50_000, percent: 2.5 },
    { from: 100_000, percent: 2 },
  ]
  expect(describePlatformFee({ ...standard, minimumFeeCents: 50, feeTiers }, 'usd')).toBe(
    '3%, 2.5% from $500.00, 2% from $1,000.00, at least $0.50',
  )
  expect(describePlatformFee({ ...standard, minimumFeeCents: 50 }, 'myr')).toBe('3%, at least RM0.50')
})

test('the highest card fee is never lower than the fee of the market', () => {
  const high = { ...standard, processingFeeBasisPoints: 500, processingFeeCents: 200 }
  expect(describeMaxProcessingFee(high, 'usd')).toBe('5% + $2.00')
})
