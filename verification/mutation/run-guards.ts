import type { Line, RunOptions } from '../support/part.ts'
import { type Random, seeded } from '../support/random.ts'
import { lineOfTests, runTestFiles, type TestRun } from '../support/run-test-files.ts'
import { type Guard, guards } from './guards.ts'
import { findGuard } from './remove-guard.ts'
import { copyProject, type WorkingCopy } from './working-copy.ts'

/** One copy per core, each with its own vitest. */
const COPIES = 2
const SHOWN_OUTPUT = 2_000

/** Removes each guard in a copy of the project and runs the test file that must fail without it. */
export async function runGuards({ seed, share, only }: RunOptions): Promise<Line[]> {
  const random = seeded(seed)
  const chosen = Object.entries(guards).flatMap(([kind, list]) =>
    sample(
      random,
      share,
      list.filter((guard) => matches(guard, only)),
    ).map((guard) => ({ kind, guard })),
  )
  if (chosen.length === 0) return []
  const copies = Array.from({ length: COPIES }, copyProject)
  const violations = new Map<Guard, string>()
  try {
    const unchanged = await checkUnchanged(
      copies[0],
      chosen.map(({ guard }) => guard),
    )
    const queue = chosen.values()
    const work = async (copy: WorkingCopy) => {
      for (const { guard } of queue) {
        const violation = await tryWithout(copy, guard)
        console.log(`  ${guard.guard}: ${violation ? 'NOT NOTICED' : 'noticed'}`)
        if (violation) violations.set(guard, violation)
      }
    }
    await Promise.all(copies.map(work))
    return [unchanged, ...linesOf(chosen, violations)]
  } finally {
    for (const copy of copies) copy.remove()
  }
}

const matches = (guard: Guard, only: string | undefined) =>
  only === undefined || JSON.stringify(guard).includes(only)

/** A random share of the items, at least one. */
function sample<Item>(random: Random, share: number, items: Item[]): Item[] {
  const left = [...items]
  const count = Math.min(left.length, Math.max(1, Math.round(left.length * share)))
  return Array.from({ length: count }, () => left.splice(random.below(left.length), 1)).flat()
}

/** A test that fails without any change would seem to notice every guard. */
async function checkUnchanged(copy: WorkingCopy | undefined, chosen: Guard[]): Promise<Line> {
  const files = [...new Set(chosen.map(({ noticedBy }) => noticedBy))]
  return lineOfTests('tests that pass while no guard is removed', files, { folder: copy?.folder })
}

async function tryWithout(copy: WorkingCopy, guard: Guard): Promise<string | null> {
  const edits = [guard.remove, ...(guard.also ?? [])].flatMap((target) => findGuard(copy.folder, target))
  const revert = copy.edit(edits)
  try {
    // Without a guard, many tests may wait until their time limit. One failure is enough.
    return describe(guard, await runTestFiles([guard.noticedBy], { folder: copy.folder, bail: true }))
  } finally {
    revert()
  }
}

function describe({ guard, noticedBy }: Guard, { passed, failed, output }: TestRun): string | null {
  if (failed.length > 0) return null
  if (passed.length > 0) return `${guard}: ${noticedBy} passes without it`
  return `${guard}: ${noticedBy} could not be run without it: ${output.slice(-SHOWN_OUTPUT)}`
}

function linesOf(chosen: { kind: string; guard: Guard }[], violations: Map<Guard, string>): Line[] {
  return [...Map.groupBy(chosen, ({ kind }) => kind)].map(([kind, ofKind]) => ({
    what: `${kind} removed, and noticed by a test`,
    times: ofKind.length,
    violations: ofKind.flatMap(({ guard }) => violations.get(guard) ?? []),
  }))
}
