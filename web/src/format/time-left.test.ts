import { expect, test } from 'vitest'
import { describeTimeLeft } from './time-left.ts'

const now = new Date('2026-11-17T12:00:00Z')

test.each([
  ['2026-11-17T12:00:59Z', 'in less than a minute'],
  ['2026-11-17T12:01:00Z', 'in 1 minute'],
  ['2026-11-17T12:59:59Z', 'in 59 minutes'],
  ['2026-11-17T17:30:00Z', 'in 5 hours'],
  ['2026-11-19T11:59:00Z', 'in 47 hours'],
  ['2026-11-20T11:00:00Z', 'in 2 days'],
  ['2026-11-17T11:00:00Z', '1 hour ago'],
  ['2026-11-14T11:00:00Z', '3 days ago'],
])('the time left until %s is shown as %s', (at, text) => {
  expect(describeTimeLeft(at, now)).toBe(text)
})
