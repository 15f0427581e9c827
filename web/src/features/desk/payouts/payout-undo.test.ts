import type { Timestamp } from '@sought/contract/fields'
import { expect, test } from 'vitest'
import { canUndo } from './payout-undo.ts'

const now = new Date('2026-11-15T12:00:00Z')
const canUndoPaidAt = (at: string | null) => canUndo({ paidAt: at as Timestamp | null }, now)

test('a payout can be undone for 24 hours after it was marked as paid', () => {
  expect(canUndoPaidAt('2026-11-15T11:59:00Z')).toBe(true)
  expect(canUndoPaidAt('2026-11-14T12:00:00Z')).toBe(true)
  expect(canUndoPaidAt('2026-11-14T11:59:59Z')).toBe(false)
})

test('an unpaid payout cannot be undone', () => {
  expect(canUndoPaidAt(null)).toBe(false)
})
