import type {} from '@sought/server/testing/start-postgres'
import { expect, inject, test } from 'vitest'
import { races } from './races.ts'

/** One in a hundred payment races once each, and every other race once. */
const SHARE = 0.000_01

test('concurrent actions on two servers end as some sequential order would', async () => {
  const lines = await races({ postgresUrl: inject('postgresUrl'), seed: 2026, share: SHARE })
  // How long locks are waited for depends on how busy the machine is.
  const violations = lines.flatMap((line) => line.violations).filter((it) => !/lock wait of \d+ ms/.test(it))
  expect(violations).toEqual([])
}, 300_000)
