import { parseArgs } from 'node:util'
import { startTestPostgres } from '@sought/server/platform/embedded-postgres'
import { endChildrenWithUs } from '../../scripts/child.ts'
import type { Line, Part } from '../support/part.ts'
import { type Random, seeded } from '../support/random.ts'
import { type Bench, complaintsOf, type Outcome, openBench, tryWithout } from './bench.ts'
import type { Guard } from './guard.ts'
import { guardsByKind, type Kind } from './list.ts'
import { runTests } from './run-tests.ts'

/*
 * The tests are tested: in a copy of the working tree each guard is taken away in turn, and a test must fail.
 *
 *   node scripts/guards.ts                  all of them
 *   node scripts/guards.ts --only TEXT      those whose words, or whose files, hold the text
 *   node scripts/guards.ts --table          the table of what noticed what, in Markdown
 */

interface Chosen {
  kind: Kind
  guard: Guard
}

type Tried = Chosen & Outcome

export const guards: Part = async ({ postgresUrl, seed, share }) => {
  const random = seeded(seed)
  const chosen = kinds.flatMap((kind) =>
    some(random, share, guardsByKind[kind]).map((guard) => ({ kind, guard })),
  )
  const { tried, untouched } = await tryAll(chosen, postgresUrl)
  return [untouched, ...linesOf(tried)]
}

const kinds = Object.keys(guardsByKind) as Kind[]

/** A share of them, and never none. */
function some<Item>(random: Random, share: number, items: Item[]): Item[] {
  const left = [...items]
  const count = Math.max(1, Math.round(left.length * Math.min(share, 1)))
  if (count >= left.length) return left
  return Array.from({ length: count }, () => left.splice(random.below(left.length), 1)).flat()
}

/** As many at once as the tests themselves have workers. */
const WORKERS = 2

async function tryAll(chosen: Chosen[], postgresUrl: string): Promise<{ tried: Tried[]; untouched: Line }> {
  const benches = await Promise.all(Array.from({ length: WORKERS }, () => openBench(postgresUrl)))
  const waiting = [...chosen.entries()]
  const tried: Tried[] = []
  const work = async (bench: Bench) => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [place, { kind, guard }] = next
      const outcome = await tryWithout(bench, guard)
      tried[place] = { kind, guard, ...outcome }
      console.error(`${guard.what}: ${outcome.noticedBy ?? outcome.violation}`)
    }
  }
  try {
    const untouched = await tryUntouched(benches, chosen)
    await Promise.all(benches.map(work))
    return { tried, untouched }
  } finally {
    for (const bench of benches) bench.copy.remove()
  }
}

/** A test that fails anyway notices nothing. */
async function tryUntouched([bench]: Bench[], chosen: Chosen[]): Promise<Line> {
  if (!bench) throw new Error('there is nothing to try it on')
  const places = chosen.map(({ guard }) => guard.noticedBy)
  const verdict = await runTests(bench.copy, places, bench.databaseUrl)
  return {
    what: 'tests that are to notice, while nothing is taken away',
    times: new Set(places.map(({ file, test }) => `${file} ${test}`)).size,
    violations: verdict.passed ? [] : complaintsOf(verdict, 'although nothing was taken away'),
  }
}

function linesOf(tried: Tried[]): Line[] {
  return kinds.map((kind) => {
    const ofKind = tried.filter((it) => it.kind === kind)
    return {
      what: `${kind} taken away, and noticed by a test`,
      times: ofKind.length,
      violations: ofKind.flatMap(({ violation }) => violation ?? []),
    }
  })
}

function tableOf(tried: Tried[]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  const sections = kinds.flatMap((kind) => {
    const rows = tried.filter((it) => it.kind === kind)
    if (rows.length === 0) return []
    return [
      `### ${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
      '',
      '| what was taken away | which test noticed |',
      '| --- | --- |',
      ...rows.map(({ guard, noticedBy }) => `| ${cell(guard.what)} | ${cell(noticedBy ?? '**none**')} |`),
    ].join('\n')
  })
  return sections.join('\n\n')
}

async function main(): Promise<void> {
  endChildrenWithUs()
  const { values } = parseArgs({
    options: { only: { type: 'string', default: '' }, table: { type: 'boolean', default: false } },
  })
  const fits = ({ what, edits }: Guard) =>
    [what, ...edits.map(({ file }) => file)].some((text) => text.includes(values.only))
  const chosen = kinds.flatMap((kind) => guardsByKind[kind].filter(fits).map((guard) => ({ kind, guard })))
  const postgres = await startTestPostgres()
  try {
    const { tried, untouched } = await tryAll(chosen, postgres.url)
    const lines = [untouched, ...linesOf(tried)]
    for (const { what, times, violations } of lines) {
      console.error([`${times} ${what}, ${violations.length} violations`, ...violations].join('\n  '))
    }
    if (values.table) console.log(tableOf(tried))
    process.exitCode = lines.some(({ violations }) => violations.length > 0) ? 1 : 0
  } finally {
    await postgres.stop()
  }
}

if (import.meta.main) await main()
