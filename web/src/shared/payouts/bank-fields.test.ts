import { expect, test } from 'vitest'
import { bankFieldFormats, getBankFields, hasRequiredBankFields } from './bank-fields.ts'

test('each country has the fields that its banks use', () => {
  expect(getBankFields('US')).toEqual(['routing_number', 'account_number'])
  expect(getBankFields('CA')).toEqual(['routing_number', 'account_number'])
  expect(getBankFields('GB')).toEqual(['sort_code', 'account_number'])
  expect(getBankFields('AU')).toEqual(['bsb_code', 'account_number'])
  expect(getBankFields('DE')).toEqual(['iban'])
  expect(getBankFields('FR')).toEqual(['iban'])
  expect(getBankFields('MY')).toEqual(['account_number', 'swift_code', 'bank_name'])
})

test('numbers are formatted as usual in their country', () => {
  expect(bankFieldFormats.routing_number.group?.('110000000999')).toBe('110000000')
  expect(bankFieldFormats.sort_code.group?.('200000')).toBe('20-00-00')
  expect(bankFieldFormats.bsb_code.group?.('0620001')).toBe('062-000')
  expect(bankFieldFormats.iban.group?.('de89370400440532013000')).toBe('DE89 3704 0044 0532 0130 00')
})

test('the form can be submitted once all required fields are filled in', () => {
  expect(hasRequiredBankFields('US', {})).toBe(false)
  expect(hasRequiredBankFields('US', { routing_number: '110000000' })).toBe(false)
  expect(hasRequiredBankFields('US', { routing_number: '110000000', account_number: ' ' })).toBe(false)
  expect(hasRequiredBankFields('US', { routing_number: '110000000', account_number: '000123456789' })).toBe(
    true,
  )
  expect(hasRequiredBankFields('GB', { routing_number: '200000', account_number: '55779911' })).toBe(false)
  expect(hasRequiredBankFields('GB', { sort_code: '200000', account_number: '55779911' })).toBe(true)
  expect(hasRequiredBankFields('MY', { account_number: '512345678901', bank_name: 'Maybank' })).toBe(true)
  expect(hasRequiredBankFields('MY', { account_number: '512345678901' })).toBe(false)
})
