import type {} from '@sought/server/testing/start-postgres'
import { expect, inject, test } from 'vitest'
import { fuzz } from './fuzz.ts'

/** One request to every call; `npm run proof` sends three thousand. */
const SHARE = 1 / 3_000

test('every response matches the contract, and refused requests store nothing', async () => {
  const lines = await fuzz({ postgresUrl: inject('postgresUrl'), seed: 2026, share: SHARE })
  // How long a response takes depends on how busy the machine is.
  const violations = lines.flatMap((line) => line.violations).filter((it) => !/: took \d+ ms/.test(it))
  expect(violations).toEqual([])
  for (const { what, times } of lines) expect(times, what).toBeGreaterThan(1)
}, 300_000)
