import { expect, test } from 'vitest'
import { describeIntent } from './intent-params.ts'

test('the suffix on statements fits beside a prefix of ten characters, and has a letter', () => {
  const suffixOf = (transactionNumber: string) =>
    describeIntent({ title: 'Lamp', transactionNumber }).statement_descriptor_suffix
  expect(suffixOf('4F7K-Q2MX-9TBD')).toBe('4F7K-Q2MX')
  expect(suffixOf('1234-5678-9TBD')).toBe('T1234-5678')
})

test('a long title is cut, and the transaction number stays', () => {
  const { description } = describeIntent({ title: '🍋'.repeat(900), transactionNumber: '4F7K-Q2MX-9TBD' })
  expect(description.length).toBeLessThanOrEqual(220)
  expect(description.isWellFormed()).toBe(true)
  expect(description).toMatch(/… \(4F7K-Q2MX-9TBD\)$/)
})
