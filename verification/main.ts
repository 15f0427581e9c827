import { inspect, parseArgs } from 'node:util'
import { startTestPostgres } from '@sought/server/database/embedded-postgres/embedded-postgres'
import { stopChildrenOnExit } from '../scripts/child.ts'
import { access } from './access/access.ts'
import { alerts } from './alerts/alerts.ts'
import { backup } from './backup/backup.ts'
import { connectionLoss } from './connection-loss/connection-loss.ts'
import { crash } from './crash/crash.ts'
import { deployment } from './deployment/deployment.ts'
import { failover } from './failover/failover.ts'
import { files } from './files/files.ts'
import { fuzz } from './fuzz/fuzz.ts'
import { journeys } from './journeys/journeys.ts'
import { load } from './load/load.ts'
import { mutation } from './mutation/mutation.ts'
import { refusals } from './mutation/refusals.ts'
import { packages } from './packages/packages.ts'
import { pgbouncer } from './pgbouncer/pgbouncer.ts'
import { previousRelease } from './previous-release/previous-release.ts'
import { races } from './races/races.ts'
import { release } from './release/release.ts'
import { rig } from './rig/rig.ts'
import { rollingRestart } from './rolling-restart/rolling-restart.ts'
import { rotation } from './rotation/rotation.ts'
import { scale } from './scale/scale.ts'
import { signInTiming } from './sign-in-timing/sign-in-timing.ts'
import { silence } from './silence/silence.ts'
import { providerFaults } from './simulation/provider-faults.ts'
import { simulation } from './simulation/simulation.ts'
import { supply } from './supply/supply.ts'
import type { Line, Part, RunOptions } from './support/part.ts'
import { randomSeed } from './support/random.ts'
import { tests } from './tests/tests.ts'

/*
 * npm run proof: runs every part and prints one table: what was tried, how often, and how many violations were found.
 * The exit code is 1 if there is any. docs/testing.md describes the parts.
 *
 *   npm run proof -- races fuzz                      these parts only
 *   npm run proof -- --share 0.02                    that share of each part
 *   npm run proof -- --seed N                        the same random choices again
 *   npm run proof -- mutation --only reviews/actions the guards and files that contain this text
 *   npm run proof -- races --only 'account security' the groups of races that contain this text
 */

const parts: Record<string, Part> = {
  rig,
  tests,
  supply,
  access,
  alerts,
  journeys,
  'sign-in-timing': signInTiming,
  fuzz,
  pgbouncer,
  'previous-release': previousRelease,
  races,
  'provider-faults': providerFaults,
  simulation,
  crash,
  'connection-loss': connectionLoss,
  silence,
  failover,
  refusals,
  mutation,
  load,
  scale,
  'rolling-restart': rollingRestart,
  rotation,
  deployment,
  release,
  packages,
  files,
  backup,
}

/** How long the process may take to end after the table. */
const END_WITHIN_MS = 10_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(randomSeed()) },
    share: { type: 'string', default: '1' },
    only: { type: 'string' },
    'disk-ms': { type: 'string' },
    peak: { type: 'string' },
  },
})

async function runParts(options: Omit<RunOptions, 'postgresUrl'>): Promise<boolean> {
  const names = positionals.length > 0 ? positionals : Object.keys(parts)
  const unknown = names.find((name) => !parts[name])
  if (unknown) throw new Error(`There is no part ${unknown}. The parts: ${Object.keys(parts).join(', ')}.`)
  console.log(`seed ${options.seed}, share ${options.share}`)
  const lines: Line[] = []
  for (const name of names) lines.push(...(await runPart(name, options)))
  printTable(lines)
  return lines.every(({ violations }) => violations.length === 0)
}

/** Each part has its own PostgreSQL, so that leftovers of one do not slow down the next. */
async function runPart(name: string, options: Omit<RunOptions, 'postgresUrl'>): Promise<Line[]> {
  console.log(`\n${name} ...`)
  const startMs = performance.now()
  const postgres = await startTestPostgres()
  try {
    const lines = await runOrReport(name, { ...options, postgresUrl: postgres.url })
    console.log(`${name}: ${((performance.now() - startMs) / 1000).toFixed(0)} s`)
    for (const violation of lines.flatMap(({ violations }) => violations)) console.log(violation)
    return lines
  } finally {
    await postgres.stop()
  }
}

/** A part that crashes counts as a violation, and the later parts still run. */
async function runOrReport(name: string, options: RunOptions): Promise<Line[]> {
  try {
    return (await parts[name]?.(options)) ?? []
  } catch (error) {
    return [{ what: `${name} crashed`, times: 0, violations: [inspect(error)] }]
  }
}

function printTable(lines: Line[]): void {
  const rows = [
    ['what', 'how many', 'violations'],
    ...lines.map(({ what, times, violations }) => [
      what,
      times.toLocaleString('en'),
      String(violations.length),
    ]),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  console.log('')
  for (const [what = '', times = '', violations = ''] of rows)
    console.log(
      `${what.padEnd(widths[0] ?? 0)}  ${times.padStart(widths[1] ?? 0)}  ${violations.padStart(widths[2] ?? 0)}`,
    )
}

/** A part that leaves a server open is a defect, and must not keep the command from ending. */
function reportWhatIsLeftOpen(): void {
  setTimeout(() => {
    console.log(`\nA part left open: ${process.getActiveResourcesInfo().join(', ')}`)
    process.exit(1)
  }, END_WITHIN_MS).unref()
}

/**
 * Once nothing is left open, Node cleans up before it exits. After `fuzz connection-loss failover`, Node 24 never
 * finished that and used a whole core. `process.exit` skips the clean-up.
 */
function endWhenNothingIsOpen(): void {
  process.once('beforeExit', (code) => process.exit(code))
}

const numberOf = (value: string | undefined) => (value === undefined ? undefined : Number(value))

stopChildrenOnExit()
const passed = await runParts({
  seed: Number(values.seed),
  share: Number(values.share),
  only: values.only,
  diskMs: numberOf(values['disk-ms']),
  peakFactor: numberOf(values.peak),
})
process.exitCode = passed ? 0 : 1
endWhenNothingIsOpen()
reportWhatIsLeftOpen()
