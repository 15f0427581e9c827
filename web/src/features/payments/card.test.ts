import { expect, test } from 'vitest'
import { checkCard, groupCardNumber, groupExpiry, hasValidChecksum, parseExpiry } from './card.ts'

const now = new Date('2026-11-15T12:00:00')

const good = {
  number: '4242 4242 4242 4242',
  expiry: '12 / 34',
  cvc: '123',
  name: 'Test Buyer',
  email: 'test@example.com',
  postalCode: '12345',
  country: 'US',
}

test('a number is set in the groups of its card', () => {
  expect(groupCardNumber('4242424242424242')).toBe('4242 4242 4242 4242')
  expect(groupCardNumber('378282246310005')).toBe('3782 822463 10005')
  expect(groupCardNumber('42-42 4x2')).toBe('4242 42')
  expect(groupCardNumber('42424242424242424242999')).toBe('4242 4242 4242 4242 424')
})

test('the expiry is written as on the card', () => {
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

test('the checksum notices one wrong digit and two that changed places', () => {
  expect(hasValidChecksum('4242424242424242')).toBe(true)
  expect(hasValidChecksum('4000 0025 0000 3155')).toBe(true)
  expect(hasValidChecksum('378282246310005')).toBe(true)
  expect(hasValidChecksum('4242424242424241')).toBe(false)
  expect(hasValidChecksum('4224424242424242')).toBe(false)
  expect(hasValidChecksum('')).toBe(false)
})

test('a good card has nothing wrong with it', () => {
  expect(checkCard(good, now)).toEqual({})
  expect(checkCard({ ...good, number: '3782 822463 10005', cvc: '1234' }, now)).toEqual({})
})

test('each field says what is wrong with it', () => {
  expect(
    checkCard(
      { number: '', expiry: '', cvc: '', name: ' ', email: 'nowhere', postalCode: '', country: 'US' },
      now,
    ),
  ).toEqual({
    number: 'Enter the number of your card.',
    expiry: 'Enter MM / YY.',
    cvc: 'Enter the 3 digits.',
    name: 'Enter the name on the card.',
    email: 'Invalid email address',
    postalCode: 'Enter your postal code.',
  })
  expect(checkCard({ ...good, number: '4242 4242' }, now)).toEqual({
    number: 'This card number is incomplete.',
  })
  expect(checkCard({ ...good, number: '4242 4242 4242 4241' }, now)).toEqual({
    number: 'This card number is not valid.',
  })
  expect(checkCard({ ...good, number: '3782 822463 10005' }, now)).toEqual({ cvc: 'Enter the 4 digits.' })
})

test('a card is good to the end of its month', () => {
  expect(checkCard({ ...good, expiry: '11 / 26' }, now)).toEqual({})
  expect(checkCard({ ...good, expiry: '10 / 26' }, now)).toEqual({ expiry: 'This card has expired.' })
})
