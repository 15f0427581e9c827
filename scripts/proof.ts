import { parseArgs } from 'node:util'
import pg from 'pg'
import { startTestPostgres } from '../server/src/platform/embedded-postgres.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import type { Outcome } from '../server/test/model/outcome.ts'
import { anySeed } from '../server/test/model/random.ts'
import { runKills } from '../server/test/model/run-kills.ts'
import { runSequences } from '../server/test/model/run-sequences.ts'
import { createTally, linesOf } from '../server/test/model/tally.ts'
import { endChildrenWithUs } from './child.ts'

/*
 * npm run proof: the model tests at length. Says what was tried, and ends with code 1 if anything was wrong.
 *
 *   --seed N        the same choices again, as printed by a run before
 *   --sequences N   random sequences inside one process
 *   --kills N       how often a server of its own is killed
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(anySeed()) },
    sequences: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '200' },
  },
})

/** What a part does, and how much of it goes into one database: the sweeps take longer the more there is. */
const parts = [
  {
    name: 'sequences',
    total: Number(values.sequences),
    perDatabase: 200,
    run: (databaseUrl: string, seed: number, sequences: number) =>
      runSequences({ databaseUrl, seed, sequences }),
  },
  {
    name: 'kills',
    total: Number(values.kills),
    perDatabase: 50,
    run: (databaseUrl: string, seed: number, kills: number) => runKills({ databaseUrl, seed, kills }),
  },
]

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  await migrate(url.href)
  return url.href
}

/** Everything, until something is wrong. */
async function prove(serverUrl: string, seed: number): Promise<boolean> {
  const tally = createTally()
  let wrong: string[] = []
  for (const { name, total, perDatabase, run } of parts) {
    for (let done = 0; done < total && wrong.length === 0; done += perDatabase) {
      const size = Math.min(perDatabase, total - done)
      const ownSeed = seed + done / perDatabase
      const databaseUrl = await createDatabase(serverUrl, `${name}_${done}`)
      const began = performance.now()
      const outcome: Outcome = await run(databaseUrl, ownSeed, size)
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      console.log(`${size} ${name} from seed ${ownSeed}: ${outcome.sequences} deals, ${seconds} s`)
      tally.add(outcome.tally)
      wrong = outcome.wrong
    }
  }
  console.log(linesOf(tally).join('\n'))
  if (wrong.length > 0) console.error(`\n${wrong.join('\n')}`)
  console.log(wrong.length > 0 ? '\nSomething was wrong.' : '\nNothing was wrong.')
  return wrong.length === 0
}

endChildrenWithUs()
const seed = Number(values.seed)
console.log(`seed ${seed}`)
const postgres = await startTestPostgres()
try {
  process.exitCode = (await prove(postgres.url, seed)) ? 0 : 1
} finally {
  await postgres.stop()
}
