import type {} from '@sought/server/testing/start-postgres'
import { expect, inject, test } from 'vitest'
import { anySeed } from '../support/random.ts'
import { schedules } from './simulation.ts'

test('random schedules with faults and crashes leave every cent where it belongs, and every answer true', async () => {
  const trying = { postgresUrl: inject('postgresUrl'), seed: anySeed(), share: 0.0024 }
  const [played, answers] = await schedules(trying)
  expect(played?.violations.join('\n')).toBe('')
  expect(played?.times).toBe(24)
  expect(answers?.times).toBeGreaterThan(24)
}, 600_000)
