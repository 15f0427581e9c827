import type { Line, Part, RunOptions } from '../support/part.ts'
import { startRestartablePostgres } from '../support/restartable-postgres.ts'
import { withTemporaryDatabase } from '../support/temporary-database.ts'
import { runAsWorker, runInProcesses } from '../support/worker-processes.ts'
import { runSchedules, SCHEDULES_PER_ROUND } from './run-schedules.ts'

const ALL = 10_000
/** Sweeps take longer the more rows there are. */
const PER_DATABASE = 20 * SCHEDULES_PER_ROUND
/** The share of databases whose PostgreSQL is sometimes crashed. */
const CRASHED_SHARE = 0.1

/** The schedules of one database. */
interface Task {
  postgresUrl: string
  seed: number
  schedules: number
  crashesPostgres: boolean
}

interface Result {
  schedules: number
  violations: string[]
  /** In the order of {@link COUNTERS}. */
  counts: number[]
}

/** The counters and their lines in the table. */
const COUNTERS = [
  ['answers', '  answers, each compared with the allowed ones'],
  ['servers', '  servers that crashed between two awaits'],
  ['faults', '  provider calls that failed'],
  ['webhooks', '  webhooks lost, late, repeated or unknown'],
] as const

/**
 * Random users act concurrently on two servers inside one process, while servers crash between two awaits, the
 * provider fails, webhooks get lost and the clock is moved. To replay a round that found a violation, run with its
 * seed: the run then starts with that round.
 */
export const simulation: Part = async (options) => {
  const tasks = tasksOf(options)
  const results =
    tasks.length === 1
      ? await Promise.all(tasks.map(runTask))
      : await runInProcesses(import.meta.filename, tasks, processEnded)
  return [false, true].flatMap((crashesPostgres) => {
    const ofKind = results.filter((_, index) => tasks[index]?.crashesPostgres === crashesPostgres)
    if (ofKind.length === 0) return []
    const suffix = crashesPostgres ? ', PostgreSQL crashed' : ''
    return [
      {
        what: `schedules of concurrent users with faults and crashes${suffix}`,
        times: ofKind.reduce((sum, { schedules }) => sum + schedules, 0),
        violations: ofKind.flatMap(({ violations }) => violations),
      },
      ...counterLines(ofKind),
    ]
  })
}

const counterLines = (results: Result[]): Line[] =>
  COUNTERS.map(([, what], index) => ({
    what,
    times: results.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0),
    violations: [],
  }))

function tasksOf({ postgresUrl, seed, share }: RunOptions): Task[] {
  const total = Math.max(1, Math.round(ALL * share))
  const count = Math.ceil(total / PER_DATABASE)
  return Array.from({ length: count }, (_, index) => ({
    postgresUrl,
    seed: seed + index * (PER_DATABASE / SCHEDULES_PER_ROUND),
    schedules: Math.min(PER_DATABASE, total - index * PER_DATABASE),
    crashesPostgres: index >= count * (1 - CRASHED_SHARE),
  }))
}

const processEnded = ({ seed }: Task): Result => ({
  schedules: 0,
  violations: [`seed ${seed}: the process ended`],
  counts: [],
})

async function runTask({ postgresUrl, seed, schedules, crashesPostgres }: Task): Promise<Result> {
  const own = crashesPostgres ? await startRestartablePostgres() : null
  try {
    const outcome = await withTemporaryDatabase(own?.url ?? postgresUrl, (databaseUrl) =>
      runSchedules({ databaseUrl, seed, schedules, ...(own && { crashPostgres: own.crash }) }),
    )
    const counts = COUNTERS.map(([counter]) => outcome.counters.total(counter))
    return { schedules: outcome.schedules, violations: outcome.violations, counts }
  } finally {
    await own?.stop()
  }
}

if (import.meta.main) await runAsWorker(runTask)
