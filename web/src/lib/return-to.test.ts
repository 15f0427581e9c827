import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rememberDestination, takeDestination } from './return-to.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('the address names where to go, else it is what was remembered, once, else home', () => {
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
])('%j leads home, named or remembered', (address) => {
  expect(takeDestination(address)).toBe('/')
  rememberDestination(address)
  expect(takeDestination(null)).toBe('/')
})
