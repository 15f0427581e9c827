import { expect, test } from 'vitest'
import { fieldLooks, fieldsOf, isFilled } from './bank-fields.ts'

test('each country asks for what its banks go by', () => {
  expect(fieldsOf('US')).toEqual(['routing_number', 'account_number'])
  expect(fieldsOf('CA')).toEqual(['routing_number', 'account_number'])
  expect(fieldsOf('GB')).toEqual(['sort_code', 'account_number'])
  expect(fieldsOf('AU')).toEqual(['bsb_code', 'account_number'])
  expect(fieldsOf('DE')).toEqual(['iban'])
  expect(fieldsOf('FR')).toEqual(['iban'])
  expect(fieldsOf('MY')).toEqual(['account_number', 'swift_code', 'bank_name'])
})

test('numbers are written as their country writes them', () => {
  expect(fieldLooks.routing_number.group?.('110000000999')).toBe('110000000')
  expect(fieldLooks.sort_code.group?.('200000')).toBe('20-00-00')
  expect(fieldLooks.bsb_code.group?.('0620001')).toBe('062-000')
  expect(fieldLooks.iban.group?.('de89370400440532013000')).toBe('DE89 3704 0044 0532 0130 00')
})

test('the form can be sent once everything that is needed is there', () => {
  expect(isFilled('US', {})).toBe(false)
  expect(isFilled('US', { routing_number: '110000000' })).toBe(false)
  expect(isFilled('US', { routing_number: '110000000', account_number: ' ' })).toBe(false)
  expect(isFilled('US', { routing_number: '110000000', account_number: '000123456789' })).toBe(true)
  expect(isFilled('GB', { routing_number: '200000', account_number: '55779911' })).toBe(false)
  expect(isFilled('GB', { sort_code: '200000', account_number: '55779911' })).toBe(true)
  expect(isFilled('MY', { account_number: '512345678901', bank_name: 'Maybank' })).toBe(true)
  expect(isFilled('MY', { account_number: '512345678901' })).toBe(false)
})
