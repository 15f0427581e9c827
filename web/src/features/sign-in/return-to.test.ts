import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rememberDestination } from '../../shared/sign-in/remember-destination.ts'
import { takeDestination } from './return-to.ts'

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('the user returns to the address in the URL, or once to the remembered one, or home', () => {
  rememberDestination('/payments')
  expect(takeDestination('/messages?itemId=7')).toBe('/messages?itemId=7')
  rememberDestination('/payments')
  expect(takeDestination(null)).toBe('/payments')
  expect(takeDestination(null)).toBe('/')
})

test.each([
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' //evil.example',
  'https://evil.example',
  'https:evil.example',
  '//sought.example@evil.example',
  'javascript:alert(1)',
  'evil.example',
  '',
])('%j leads home, whether it is in the URL or remembered', (address) => {
  expect(takeDestination(address)).toBe('/')
  rememberDestination(address)
  expect(takeDestination(null)).toBe('/')
})
