import { expect, test } from 'vitest'
import { createDatabase } from '../world.ts'
import { anySeed } from './random.ts'
import { runSequences } from './run-sequences.ts'

const SEQUENCES = 60

test(`${SEQUENCES} random sequences leave every cent where it belongs`, async () => {
  const { url: databaseUrl, drop } = await createDatabase()
  const seed = anySeed()
  try {
    const { sequences, wrong } = await runSequences({ databaseUrl, seed, sequences: SEQUENCES })
    expect(wrong.join('\n')).toBe('')
    expect(sequences).toBe(SEQUENCES)
  } finally {
    await drop()
  }
}, 600_000)
