import { expect, test } from 'vitest'
import { groupCardNumber, groupExpiry, hasValidChecksum, parseExpiry, validateCard } from './card.ts'

const now = new Date('2026-11-15T12:00:00')

const validCard = {
  number: '4242 4242 4242 4242',
  expiry: '12 / 34',
  cvc: '123',
  name: 'Test Buyer',
  email: 'test@example.com',
  postalCode: '12345',
  country: 'US',
}

test('card numbers are grouped as on the card', () => {
  expect(groupCardNumber('4242424242424242')).toBe('4242 4242 4242 4242')
  expect(groupCardNumber('378282246310005')).toBe('3782 822463 10005')
  expect(groupCardNumber('42-42 4x2')).toBe('4242 42')
  expect(groupCardNumber('42424242424242424242999')).toBe('4242 4242 4242 4242 424')
})

test('the expiry is formatted as MM / YY', () => {
  expect(groupExpiry('1')).toBe('1')
  expect(groupExpiry('4')).toBe('04')
  expect(groupExpiry('12')).toBe('12')
  expect(groupExpiry('123')).toBe('12 / 3')
  expect(groupExpiry('12345')).toBe('12 / 34')
  expect(groupExpiry('12/2034')).toBe('12 / 34')
  expect(parseExpiry('12 / 34')).toEqual({ month: 12, year: 2034 })
  expect(parseExpiry('13 / 34')).toBeNull()
  expect(parseExpiry('00 / 34')).toBeNull()
  expect(parseExpiry('12')).toBeNull()
})

test('the checksum detects one wrong digit and two swapped digits', () => {
  expect(hasValidChecksum('4242424242424242')).toBe(true)
  expect(hasValidChecksum('4000 0025 0000 3155')).toBe(true)
  expect(hasValidChecksum('378282246310005')).toBe(true)
  expect(hasValidChecksum('4242424242424241')).toBe(false)
  expect(hasValidChecksum('4224424242424242')).toBe(false)
  expect(hasValidChecksum('')).toBe(false)
})

test('a valid card has no errors', () => {
  expect(validateCard(validCard, now)).toEqual({})
  expect(validateCard({ ...validCard, number: '3782 822463 10005', cvc: '1234' }, now)).toEqual({})
})

test('each invalid field has its own error', () => {
  expect(
    validateCard(
      { number: '', expiry: '', cvc: '', name: ' ', email: 'nowhere', postalCode: '', country: 'US' },
      now,
    ),
  ).toEqual({
    number: 'Enter your card number.',
    expiry: 'Enter the date as MM / YY.',
    cvc: 'Enter the 3-digit code.',
    name: 'Enter the name on the card.',
    email: 'Invalid email address',
    postalCode: 'Enter your postal code.',
  })
  expect(validateCard({ ...validCard, number: '4242 4242' }, now)).toEqual({
    number: 'This card number is incomplete.',
  })
  expect(validateCard({ ...validCard, number: '4242 4242 4242 4241' }, now)).toEqual({
    number: 'This card number is not valid.',
  })
  expect(validateCard({ ...validCard, number: '3782 822463 10005' }, now)).toEqual({
    cvc: 'Enter the 4-digit code.',
  })
})

test('a card is valid until the end of its month', () => {
  expect(validateCard({ ...validCard, expiry: '11 / 26' }, now)).toEqual({})
  expect(validateCard({ ...validCard, expiry: '10 / 26' }, now)).toEqual({ expiry: 'This card has expired.' })
})
