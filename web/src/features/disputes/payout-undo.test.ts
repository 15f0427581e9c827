import type { Timestamp } from '@sought/contract/fields'
import { expect, test } from 'vitest'
import { canUndo } from './payout-undo.ts'

const now = new Date('2026-11-15T12:00:00Z')
const paidAt = (moment: string | null) => canUndo({ paidAt: moment as Timestamp | null }, now)

test('a payout can be taken back for a day', () => {
  expect(paidAt('2026-11-15T11:59:00Z')).toBe(true)
  expect(paidAt('2026-11-14T12:00:00Z')).toBe(true)
  expect(paidAt('2026-11-14T11:59:59Z')).toBe(false)
})

test('what is not paid cannot be taken back', () => {
  expect(paidAt(null)).toBe(false)
})
