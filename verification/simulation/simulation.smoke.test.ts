import type {} from '@sought/server/testing/start-postgres'
import { expect, inject, test } from 'vitest'
import { simulation } from './simulation.ts'

test('four random schedules leave the ledger correct and every answer true', async () => {
  const [schedules, answers] = await simulation({
    postgresUrl: inject('postgresUrl'),
    seed: 2026,
    share: 0.0004,
  })
  expect(schedules?.violations.join('\n')).toBe('')
  expect(schedules?.times).toBe(4)
  expect(answers?.times).toBeGreaterThan(4)
}, 300_000)
