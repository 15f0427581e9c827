import { parseArgs } from 'node:util'
import pg from 'pg'
import { startTestPostgres } from '../server/src/platform/embedded-postgres.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import type { Outcome } from '../server/test/model/outcome.ts'
import { anySeed } from '../server/test/model/random.ts'
import { runSequences } from '../server/test/model/run-sequences.ts'
import { createTally, linesOf } from '../server/test/model/tally.ts'

/*
 * npm run proof: the model tests at length. Exit code 1 if anything was wrong.
 *
 *   --seed N        the same choices again
 *   --sequences N   random sequences inside one process
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(anySeed()) },
    sequences: { type: 'string', default: '1000' },
  },
})
const seed = Number(values.seed)
const sequences = Number(values.sequences)

/** A database grows with each sequence, and the sweeps with it. */
const PER_DATABASE = 200

const postgres = await startTestPostgres()
const tally = createTally()

async function withDatabase(name: string, work: (url: string) => Promise<Outcome>): Promise<Outcome> {
  const admin = new pg.Client({ connectionString: postgres.url })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const url = new URL(postgres.url)
  url.pathname = `/${name}`
  await migrate(url.href)
  const outcome = await work(url.href)
  tally.add(outcome.tally)
  return outcome
}

async function prove(): Promise<boolean> {
  let played = 0
  for (let part = 0; played < sequences; part++) {
    const size = Math.min(PER_DATABASE, sequences - played)
    const began = performance.now()
    const outcome = await withDatabase(`sequences_${part}`, (databaseUrl) =>
      runSequences({ databaseUrl, seed: seed + part, sequences: size }),
    )
    played += outcome.sequences
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    console.log(`${outcome.sequences} sequences from seed ${seed + part}: ${seconds} s`)
    if (outcome.wrong.length > 0) {
      console.error(outcome.wrong.join('\n'))
      return false
    }
  }
  return true
}

console.log(`seed ${seed}`)
try {
  const ok = await prove()
  console.log(linesOf(tally).join('\n'))
  process.exitCode = ok ? 0 : 1
} finally {
  await postgres.stop()
}
