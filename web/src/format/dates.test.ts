import { expect, test } from 'vitest'
import { formatDate, formatDateInUtc, formatDateTime, formatMonth, formatShortDate } from './dates.ts'

test('dates are shown in the user’s time zone, or in UTC', () => {
  const noon = new Date(2026, 10, 22, 14, 5).toISOString()
  expect(formatDate(noon)).toBe('November 22, 2026')
  expect(formatShortDate(noon)).toBe('Nov 22')
  expect(formatDateTime(noon)).toMatch(/^Nov 22, 2026, 2:05\sPM$/)
  expect(formatDateInUtc('2026-01-31T23:59:59.999Z')).toBe('January 31, 2026')
  expect(formatMonth('2026-12')).toBe('December 2026')
})
