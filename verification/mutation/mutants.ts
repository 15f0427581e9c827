import type { Line, RunOptions } from '../support/part.ts'
import { seeded } from '../support/random.ts'
import { type Area, areas } from './areas.ts'
import { removedRefusals } from './refusals.ts'
import { runStryker } from './run-stryker.ts'
import { copyProject, type WorkingCopy } from './working-copy.ts'

/** Mutants of texts and shapes change no decision, and every test that calls a function notices its empty body. */
const EXCLUDED_MUTATIONS = [
  'ArrayDeclaration',
  'ArrowFunction',
  'BlockStatement',
  'ObjectLiteral',
  'Regex',
  'StringLiteral',
]
/** The report lists surviving mutants. If the share of noticed ones is below this, the area fails. */
const LEAST_SCORE = 0.7
/** The score of fewer mutants means little. */
const ENOUGH_MUTANTS = 20

/** Mutates a share of the files, or those whose path contains `only`. */
export async function runMutants({ seed, share, only }: RunOptions): Promise<Line[]> {
  const random = seeded(seed)
  const lines: Line[] = []
  const copy = copyProject()
  try {
    for (const area of areas) {
      const files = area.files.filter((file) =>
        only === undefined ? random.chance(share) : file.includes(only),
      )
      if (files.length > 0) lines.push(await runFiles(copy, area, files))
    }
  } finally {
    copy.remove()
  }
  return lines
}

async function runFiles(copy: WorkingCopy, area: Area, files: string[]): Promise<Line> {
  const { noticed, unnoticed } = await runStryker(copy, {
    area,
    mutate: files,
    excludedMutations: EXCLUDED_MUTATIONS,
    reports: 'mutation',
  })
  const tried = noticed.length + unnoticed.length
  const violations = removedRefusals(unnoticed)
  if (tried >= ENOUGH_MUTANTS && noticed.length / tried < LEAST_SCORE) {
    violations.push(`${area.name}: only ${noticed.length} of ${tried} mutants were noticed`)
  }
  const survivors = `${unnoticed.length} not noticed, see reports/mutation/${area.name}.html`
  return { what: `mutants of ${area.name} (${survivors})`, times: tried, violations }
}
