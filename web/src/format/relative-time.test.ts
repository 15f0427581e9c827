import { expect, test } from 'vitest'
import { describeAge, formatRelativeTime } from './relative-time.ts'

const now = new Date('2026-11-15T12:00:00Z')

test.each([
  ['2026-11-15T12:00:00Z', 'Just now'],
  ['2026-11-15T11:00:01Z', 'Just now'],
  ['2026-11-15T11:00:00Z', '1 hour ago'],
  ['2026-11-14T12:00:01Z', '23 hours ago'],
  ['2026-11-14T12:00:00Z', '1 day ago'],
  ['2026-10-25T09:00:00Z', '21 days ago'],
  // If the browser's clock is behind the server's, the time must not be negative.
  ['2026-11-15T12:05:00Z', 'Just now'],
])('the time %s is shown as %s', (then, text) => {
  expect(formatRelativeTime(new Date(then), now)).toBe(text)
})

test('the age of a request counts from its last renewal', () => {
  const createdAt = '2026-10-25T09:00:00Z'
  expect(describeAge({ createdAt, renewedAt: null }, now)).toBe('21 days ago')
  expect(describeAge({ createdAt, renewedAt: '2026-11-15T10:00:00Z' }, now)).toBe('Renewed 2 hours ago')
})
