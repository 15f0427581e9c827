import { expect, test } from 'vitest'
import { priorityOf } from './priority.ts'

const now = new Date('2026-11-15T12:00:00Z')
const justNow = '2026-11-15T12:00:00Z'

test('an amount above 500 means high priority, above 200 medium', () => {
  const of = (amount: number) => priorityOf({ amount, updatedAt: justNow }, now)
  expect(of(50_001)).toBe('high')
  expect(of(50_000)).toBe('medium')
  expect(of(20_001)).toBe('medium')
  expect(of(20_000)).toBe('low')
  expect(of(50)).toBe('low')
})

test('more than five days without an update mean high priority, more than two medium', () => {
  const of = (updatedAt: string) => priorityOf({ amount: 100, updatedAt }, now)
  expect(of('2026-11-10T11:59:59Z')).toBe('high')
  expect(of('2026-11-10T12:00:00Z')).toBe('medium')
  expect(of('2026-11-13T11:59:59Z')).toBe('medium')
  expect(of('2026-11-13T12:00:00Z')).toBe('low')
})

test('a small amount gets high priority as it gets older', () => {
  expect(priorityOf({ amount: 50, updatedAt: '2026-10-01T00:00:00Z' }, now)).toBe('high')
})
