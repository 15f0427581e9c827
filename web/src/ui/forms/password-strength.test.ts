import { expect, test } from 'vitest'
import { ratePassword } from './password-strength.ts'

test.each([
  ['', 'Too short'],
  ['abc12', 'Too short'],
  ['secret', 'Weak'],
  ['aaaaaaaaaaaaaaaa', 'Weak'],
  ['teapot lid', 'Fair'],
  ['Teapot lid 7', 'Good'],
  ['Teapot lid, left shelf 7', 'Strong'],
])('the password %j is rated %s', (password, label) => {
  expect(ratePassword(password).label).toBe(label)
})
