import { expect, test } from 'vitest'
import { formatBudget } from './budget.ts'

test.each([
  [20, 45.5, '$20 – $45.50'],
  [0, 45, '$45'],
  [45, 45, '$45'],
  [0, 0, 'Open budget'],
  [10, 0, 'From $10'],
  [1000, 2500, '$1,000 – $2,500'],
])('a budget from %d to %d is shown as %s', (minBudget, maxBudget, text) => {
  expect(formatBudget({ minBudget, maxBudget }, 'usd')).toBe(text)
})
