import type {} from '@sought/server/testing/start-postgres'
import { expect, inject, test } from 'vitest'
import { races } from './races.ts'

/** One in a hundred payment races once each, and every other race once. */
const SHARE = 0.000_01

test('concurrent actions on two servers end as some sequential order would', async () => {
  const lines = await races({ postgresUrl: inject('postgresUrl'), seed: 2026, share: SHARE })
  expect(lines.flatMap(({ what, violations }) => violations.map((it) => `${what}: ${it}`))).toEqual([])
}, 300_000)
