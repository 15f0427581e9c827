import { expect, test } from 'vitest'
import { toDetailRows } from './bank-detail-rows.ts'

const bob = { account_holder_name: 'Bob Tester', account_type: 'checking' } as const

const linesOf = (details: Parameters<typeof toDetailRows>[0]) =>
  toDetailRows(details).map(
    ({ label, display, copyText }) => `${label}: ${display}${display === copyText ? '' : ` (${copyText})`}`,
  )

test('a US account shows its routing and account numbers', () => {
  const numbers = { routing_number: '021000021', account_number: '000123456789', iban: '', bank_name: '' }
  expect(linesOf({ ...bob, country: 'US', ...numbers, account_type: 'savings' })).toEqual([
    'Account holder: Bob Tester',
    'Routing number: 021000021',
    'Account number: 000123456789',
    'Account type: Savings',
    'Country: United States',
  ])
})

test('a value that is stored in two fields is shown once, under the label of its country', () => {
  const british = { routing_number: '200000', sort_code: '200000', account_number: '55779911' }
  expect(linesOf({ ...bob, country: 'GB', ...british })).toEqual([
    'Account holder: Bob Tester',
    'Sort code: 20-00-00 (200000)',
    'Account number: 55779911',
    'Account type: Checking',
    'Country: United Kingdom',
  ])
  const iban = 'DE89370400440532013000'
  expect(linesOf({ ...bob, country: 'DE', iban, account_number: iban })).toContain(
    `IBAN: DE89 3704 0044 0532 0130 00 (${iban})`,
  )
  expect(linesOf({ ...bob, country: 'DE', iban, account_number: iban })).toHaveLength(4)
})

test('optional fields that the seller entered are shown too', () => {
  const given = {
    account_number: '1234567890',
    bank_name: 'Maybank',
    swift_code: 'MBBEMYKL',
    bank_address: '1 Jalan Tun',
  }
  expect(linesOf({ ...bob, country: 'MY', ...given })).toEqual([
    'Account holder: Bob Tester',
    'Account number: 1234567890',
    'SWIFT code: MBBEMYKL',
    'Bank name: Maybank',
    'Bank address: 1 Jalan Tun',
    'Account type: Checking',
    'Country: Malaysia',
  ])
})

test('a number longer than its form allows is shown in full', () => {
  const long = 'AB12345678901234567890'
  expect(linesOf({ ...bob, country: 'JP', account_number: long })).toContain(`Account number: ${long}`)
})
