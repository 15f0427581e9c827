import { expect, test } from 'vitest'
import { fillPlaceholders, findPlaceholders, findUnknownPlaceholders } from './reply-placeholders.ts'

const values = {
  buyer: 'Ada',
  seller: 'Bob',
  item: 'A lute {seller} $&',
  amount: '$120.00',
  transaction: '4F7K-Q2MX-9TB3',
}

test('every occurrence of a placeholder is replaced', () => {
  expect(fillPlaceholders('{buyer}, {seller}, {amount}, {transaction}, {buyer}', values)).toBe(
    'Ada, Bob, $120.00, 4F7K-Q2MX-9TB3, Ada',
  )
})

test('a value with braces or dollar signs stays as it is', () => {
  expect(fillPlaceholders('About {item}', values)).toBe('About A lute {seller} $&')
})

test('unknown, empty and misspelled placeholders are found', () => {
  expect(findUnknownPlaceholders('{buyer} {byer} {} { item } {Seller} {amount')).toEqual([
    'byer',
    '',
    ' item ',
    'Seller',
  ])
})

test('a placeholder without a value stays in the text and is reported', () => {
  const filled = fillPlaceholders('{buyer}, {seller} {seller}, {other}', { buyer: 'Ada' })
  expect(filled).toBe('Ada, {seller} {seller}, {other}')
  expect(findPlaceholders(filled)).toEqual(['{seller}'])
})
