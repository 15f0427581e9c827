import type {} from '@sought/server/testing/start-postgres'
import { expect, inject, test } from 'vitest'
import { anySeed } from '../support/random.ts'
import { crashPoints } from './crash.ts'

test('two processes that are killed again and again put everything right by themselves', async () => {
  const lines = await crashPoints({ postgresUrl: inject('postgresUrl'), seed: anySeed(), share: 0.0005 })
  expect(lines.flatMap(({ violations }) => violations).join('\n')).toBe('')
  const kills = lines.filter(({ what }) => what.startsWith('kill -9'))
  expect(kills.reduce((sum, { times }) => sum + times, 0)).toBe(3)
}, 600_000)
