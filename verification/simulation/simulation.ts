import type { Line, Part, Trying } from '../support/part.ts'
import { startOwnPostgres } from '../support/restartable-postgres.ts'
import { withDatabase } from '../support/temporary-database.ts'
import { answer, doApart } from '../support/worker-processes.ts'
import { PER_ROUND, runSchedules } from './run-schedules.ts'

const ALL = 10_000
/** So many go into one database, since the sweeps take longer the more there is. */
const PER_DATABASE = 20 * PER_ROUND
/** Of the databases, the share that is on a PostgreSQL which is stopped at once now and then. */
const STOPPED_SHARE = 0.1

/** The schedules of one database. */
interface Chunk {
  postgresUrl: string
  seed: number
  schedules: number
  isStopped: boolean
}

interface Result {
  played: number
  wrong: string[]
  /** How often what was tried on the way, in the order of {@link TRIED}. */
  tried: number[]
}

/** What is counted while schedules are played, and what the table calls it. */
const TRIED = [
  ['answers', '  answers, each held against what it may be'],
  ['servers', '  servers that died between two awaits'],
  ['faults', '  calls of the provider that failed'],
  ['webhooks', '  webhooks lost, late, repeated or strange'],
] as const

/**
 * Random people do everything at once on two servers inside one process, while servers die between two awaits, the
 * provider fails, its webhooks go astray and the clock is turned. The seed of a round that was wrong, given as the
 * seed of a run, is its first round.
 */
export const schedules: Part = async (trying) => {
  const chunks = chunksOf(trying)
  const results =
    chunks.length === 1
      ? await Promise.all(chunks.map(play))
      : await doApart(import.meta.filename, chunks, ended)
  return [false, true].flatMap((isStopped) => {
    const own = results.filter((_, index) => chunks[index]?.isStopped === isStopped)
    const times = own.reduce((sum, { played }) => sum + played, 0)
    const also = isStopped ? ', PostgreSQL stopped at once' : ''
    const what = `schedules of everybody at once, with faults and crashes${also}`
    return own.length > 0
      ? [{ what, times, violations: own.flatMap(({ wrong }) => wrong) }, ...triedIn(own)]
      : []
  })
}

const triedIn = (results: Result[]): Line[] =>
  TRIED.map(([, what], index) => ({
    what,
    times: results.reduce((sum, { tried }) => sum + (tried[index] ?? 0), 0),
    violations: [],
  }))

function chunksOf({ postgresUrl, seed, share }: Trying): Chunk[] {
  const total = Math.max(1, Math.round(ALL * share))
  const count = Math.ceil(total / PER_DATABASE)
  return Array.from({ length: count }, (_, index) => ({
    postgresUrl,
    seed: seed + index * (PER_DATABASE / PER_ROUND),
    schedules: Math.min(PER_DATABASE, total - index * PER_DATABASE),
    isStopped: index >= count * (1 - STOPPED_SHARE),
  }))
}

const ended = ({ seed }: Chunk): Result => ({
  played: 0,
  wrong: [`seed ${seed}: the process ended`],
  tried: [],
})

async function play({ postgresUrl, seed, schedules, isStopped }: Chunk): Promise<Result> {
  const own = isStopped ? await startOwnPostgres() : null
  try {
    const { sequences, wrong, tally } = await withDatabase(own?.url ?? postgresUrl, (databaseUrl) =>
      runSchedules({ databaseUrl, seed, schedules, ...(own && { stopPostgres: own.stopAtOnce }) }),
    )
    return { played: sequences, wrong, tried: TRIED.map(([table]) => tally.total(table)) }
  } finally {
    await own?.stop()
  }
}

if (import.meta.main) await answer(play)
