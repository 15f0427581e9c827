import { parseArgs } from 'node:util'
import { startTestPostgres } from '@sought/server/platform/embedded-postgres'
import { endChildrenWithUs } from '../scripts/child.ts'
import { access } from './access/access.ts'
import { crashPoints } from './crash/crash.ts'
import { fuzz } from './fuzz/fuzz.ts'
import { load } from './load/load.ts'
import { guards } from './mutation/mutation.ts'
import { races } from './races/races.ts'
import { signInTimes } from './sign-in-timing/sign-in-timing.ts'
import { schedules } from './simulation/simulation.ts'
import { supply } from './supply/supply.ts'
import type { Line, Part } from './support/part.ts'
import { anySeed } from './support/random.ts'

/*
 * npm run proof: tries to break everything, and prints one table: what was tried, how often, and how often it was
 * wrong. Ends with code 1 if anything was. docs/proof.md says what each part does and how long it takes.
 *
 *   npm run proof -- races fuzz      these parts alone
 *   npm run proof -- --share 0.02    that share of each, instead of the whole
 *   npm run proof -- --seed N        the same choices again
 */

const parts: Record<string, Part> = {
  supply,
  access,
  'sign-in': signInTimes,
  fuzz,
  races,
  schedules,
  'crash-points': crashPoints,
  guards,
  load,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(anySeed()) },
    share: { type: 'string', default: '1' },
  },
})

async function prove(seed: number, share: number): Promise<boolean> {
  const names = positionals.length > 0 ? positionals : Object.keys(parts)
  const unknown = names.find((name) => !parts[name])
  if (unknown) throw new Error(`There is no part ${unknown}. The parts: ${Object.keys(parts).join(', ')}.`)
  console.log(`seed ${seed}, share ${share}`)
  const lines: Line[] = []
  for (const name of names) lines.push(...(await tryPart(name, seed, share)))
  print(lines)
  return lines.every(({ violations }) => violations.length === 0)
}

/** Each has a PostgreSQL of its own, so that none is slowed down by what another left behind. */
async function tryPart(name: string, seed: number, share: number): Promise<Line[]> {
  console.log(`\n${name} ...`)
  const began = performance.now()
  const postgres = await startTestPostgres()
  try {
    const lines = (await parts[name]?.({ postgresUrl: postgres.url, seed, share })) ?? []
    console.log(`${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`)
    for (const violation of lines.flatMap(({ violations }) => violations)) console.log(violation)
    return lines
  } finally {
    await postgres.stop()
  }
}

function print(lines: Line[]): void {
  const rows = [
    ['what', 'how many', 'violations'],
    ...lines.map(({ what, times, violations }) => [
      what,
      times.toLocaleString('en'),
      String(violations.length),
    ]),
  ]
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  console.log('')
  for (const [what = '', times = '', wrong = ''] of rows)
    console.log(
      `${what.padEnd(widths[0] ?? 0)}  ${times.padStart(widths[1] ?? 0)}  ${wrong.padStart(widths[2] ?? 0)}`,
    )
}

endChildrenWithUs()
process.exitCode = (await prove(Number(values.seed), Number(values.share))) ? 0 : 1
