import { expect, test } from 'vitest'
import { findMismatch } from './keys.ts'

const ofAccount = (prefix: string, account: string) => `${prefix}_51${account.repeat(14)}${'x'.repeat(60)}`

test.each([
  ['sk_test_1', 'pk_test_1', null],
  ['rk_live_1', 'pk_live_1', null],
  ['sk_live_1', 'pk_test_1', 'the secret key is for live mode, the publishable one is not'],
  ['pk_test_1', 'pk_test_1', 'STRIPE_SECRET_KEY is not a secret key'],
  ['sk_test_1', 'sk_test_1', 'STRIPE_PUBLISHABLE_KEY is not a publishable key'],
  [ofAccount('sk_test', 'a'), ofAccount('pk_test', 'a'), null],
  [ofAccount('sk_test', 'a'), ofAccount('pk_test', 'b'), 'the keys belong to different accounts'],
])('%s and %s: %s', (secretKey, publishableKey, problem) => {
  const found = findMismatch({ secretKey, publishableKey, apiUrl: undefined })
  expect(found?.problem ?? null).toBe(problem)
})
