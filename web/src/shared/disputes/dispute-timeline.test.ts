import { expect, test } from 'vitest'
import { formatSettlement } from './dispute-timeline.tsx'

test('the amount at the start of a settlement is shown with the currency', () => {
  expect(formatSettlement('1040.05 back to the buyer', 'usd')).toBe('$1,040.05 back to the buyer')
  expect(formatSettlement('0.50 back to the buyer', 'myr')).toBe('RM0.50 back to the buyer')
  expect(formatSettlement('as agreed: 0.50', 'usd')).toBe('as agreed: 0.50')
})
