import { expect, inject, test } from 'vitest'
import { anySeed } from '../model/random.ts'
import { schedules } from './schedules.ts'

test('random schedules with faults and crashes leave every cent where it belongs, and every answer true', async () => {
  const trying = { postgresUrl: inject('postgresUrl'), seed: anySeed(), share: 0.0048 }
  for (const { times, violations } of await schedules(trying)) {
    expect(violations.join('\n')).toBe('')
    expect(times).toBe(48)
  }
}, 600_000)
