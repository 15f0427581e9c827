import type { Line, Part, RunOptions } from '../support/part.ts'
import { startRestartablePostgres } from '../support/restartable-postgres.ts'
import { lineOfTests } from '../support/run-test-files.ts'
import { withTemporaryDatabase } from '../support/temporary-database.ts'
import { crashPoints } from './crash-points.ts'
import { crashes, runCrashPoints } from './run-crash-points.ts'
import { runRandomKills } from './run-random-kills.ts'

const TIMES = 50
const RANDOM_KILLS = 200
const KILLS_PER_DATABASE = 25
/** The number of process pairs that run concurrently, because a core is busy while a process starts. */
const PAIRS = 2

/**
 * Two real processes on one database. One is killed with -9 just before or just after every commit that moves money
 * and every call to the provider. In a second run, processes are killed at random times, and PostgreSQL is
 * sometimes crashed. In a third run, the sandbox is killed.
 */
export const crash: Part = async (options) =>
  (await Promise.all([killAtCrashPoints(options), killAtRandom(options), killSandbox()])).flat()

/** A small share covers some of the crash points. Another seed covers others. */
async function killAtCrashPoints({ postgresUrl, seed, share }: RunOptions): Promise<Line[]> {
  const total = Math.max(1, Math.round(crashes.length * TIMES * share))
  const lines = new Map(crashPoints.map(({ name }) => [name, emptyLine(`kill -9 around ${name}`)]))
  const recovery = emptyLine('rounds of kills, each recovered within 30 seconds')
  const rounds = Array.from({ length: Math.ceil(total / crashes.length) }, (_, round) => ({
    seed: seed + round,
    crashes: rotate(crashes, seed + round).slice(0, total - round * crashes.length),
  }))
  const work = async () => {
    for (let round = rounds.shift(); round && recovery.violations.length === 0; round = rounds.shift()) {
      const { crashes: batch, seed: roundSeed } = round
      const { unreached, violations } = await withTemporaryDatabase(postgresUrl, (databaseUrl) =>
        runCrashPoints({ databaseUrl, seed: roundSeed, crashes: batch }),
      )
      for (const { point } of batch) lineOf(lines, point.name).times++
      for (const [point, reason] of unreached) lineOf(lines, point.name).violations.push(reason)
      recovery.times++
      recovery.violations.push(...violations)
    }
  }
  await Promise.all(Array.from({ length: PAIRS }, work))
  return [...[...lines.values()].filter(({ times }) => times > 0), recovery]
}

const emptyLine = (what: string): Line => ({ what, times: 0, violations: [] })

function lineOf(lines: Map<string, Line>, name: string): Line {
  const line = lines.get(name)
  if (!line) throw new Error(`there is no crash point ${name}`)
  return line
}

function rotate<Item>(items: Item[], by: number): Item[] {
  const start = by % items.length
  return [...items.slice(start), ...items.slice(0, start)]
}

async function killAtRandom({ seed, share }: RunOptions): Promise<Line> {
  const total = Math.max(1, Math.round(RANDOM_KILLS * share))
  const postgres = await startRestartablePostgres()
  try {
    let violations: string[] = []
    let times = 0
    while (times < total && violations.length === 0) {
      const kills = Math.min(KILLS_PER_DATABASE, total - times)
      const outcome = await withTemporaryDatabase(postgres.url, (databaseUrl) =>
        runRandomKills({ databaseUrl, seed: seed + times, kills, crashPostgres: postgres.crash }),
      )
      times += kills
      violations = outcome.violations
    }
    return { what: 'kill -9 of two processes at random, PostgreSQL crashed', times, violations }
  } finally {
    await postgres.stop()
  }
}

const killSandbox = () =>
  lineOfTests('tests that kill -9 the sandbox', ['verification/crash/sandbox-recovery.test.ts'])
