import { expect, test } from 'vitest'
import { findRefusals } from './find-refusals.ts'

const found = (text: string) => findRefusals(text).map(({ start, end }) => text.slice(start, end))

test('the search finds conditions of statements that only throw', () => {
  expect(found(`if (offer.isExpired) throw refuse('offer_expired')`)).toEqual(['offer.isExpired'])
  expect(found(`if (!offer) { throw refuse('offer_not_found') }`)).toEqual(['!offer'])
  expect(found(`if (amount < 0) throw new Error('negative')`)).toEqual(['amount < 0'])
})

test('the search finds each alternative of a condition', () => {
  expect(found(`if (!item || item.userId !== user.id || (a && b)) throw refuse('not_your_item')`)).toEqual([
    '!item || item.userId !== user.id || (a && b)',
    'item.userId !== user.id',
    'a && b',
  ])
})

test('the search ignores statements that never refuse', () => {
  expect(found(`if (offer.isExpired) offer = null`)).toEqual([])
  expect(found(`if (offer.isExpired) { log(); throw refuse('offer_expired') }`)).toEqual([])
})

test('the search ignores assertions for the type checker, but not other checks of the same value', () => {
  expect(
    found(`if (!rows.first || !rows[0] || last === undefined || next === null) throw new Error('no rows')`),
  ).toEqual([])
  expect(found(`if (!rows.first || isLate) throw new Error('no rows')`)).toEqual([
    '!rows.first || isLate',
    'isLate',
  ])
  expect(found(`if (isLate || typeof reply === 'string') throw new Error('no schema')`)).toEqual([
    "isLate || typeof reply === 'string'",
    'isLate',
  ])
  expect(found(`if (!isValid(rows)) throw new Error('invalid')`)).toEqual(['!isValid(rows)'])
})
