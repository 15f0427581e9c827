import { expect, test } from 'vitest'
import { createDatabase } from '../world.ts'
import { anySeed } from './random.ts'
import { runKills } from './run-kills.ts'

const KILLS = 4

test(`a server that is killed ${KILLS} times puts everything right by itself`, async () => {
  const { url: databaseUrl, drop } = await createDatabase()
  try {
    const { wrong } = await runKills({ databaseUrl, seed: anySeed(), kills: KILLS })
    expect(wrong.join('\n')).toBe('')
  } finally {
    await drop()
  }
}, 600_000)
