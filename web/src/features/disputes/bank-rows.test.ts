import { expect, test } from 'vitest'
import { bankRows } from './bank-rows.ts'

const bob = { account_holder_name: 'Bob Tester', account_type: 'checking' } as const

const linesOf = (details: Parameters<typeof bankRows>[0]) =>
  bankRows(details).map(
    ({ label, shown, copied }) => `${label}: ${shown}${shown === copied ? '' : ` (${copied})`}`,
  )

test('an American account is its routing and account numbers', () => {
  const numbers = { routing_number: '021000021', account_number: '000123456789', iban: '', bank_name: '' }
  expect(linesOf({ ...bob, country: 'US', ...numbers, account_type: 'savings' })).toEqual([
    'Account holder: Bob Tester',
    'Routing number: 021000021',
    'Account number: 000123456789',
    'Account type: Savings',
    'Country: United States',
  ])
})

test('a number that is kept twice is shown once, under the name that its country has for it', () => {
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

test('whatever else the seller gave is there, too', () => {
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

test('no digit is lost to a form’s idea of how long a number is', () => {
  const long = 'AB12345678901234567890'
  expect(linesOf({ ...bob, country: 'JP', account_number: long })).toContain(`Account number: ${long}`)
})
