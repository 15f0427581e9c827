import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/child.ts'
import type { Line, Part } from '../support/part.ts'
import { seeded } from '../support/random.ts'
import { type Area, areas } from './areas.ts'
import { findRefusals } from './find-refusals.ts'
import { type Mutant, runStryker } from './run-stryker.ts'
import { copyProject, type WorkingCopy } from './working-copy.ts'

/** All that Stryker has, except ConditionalExpression. */
const EXCLUDED_MUTATIONS = [
  'ArithmeticOperator',
  'ArrayDeclaration',
  'ArrowFunction',
  'AssignmentOperator',
  'BlockStatement',
  'BooleanLiteral',
  'EqualityOperator',
  'LogicalOperator',
  'MethodExpression',
  'ObjectLiteral',
  'OptionalChaining',
  'Regex',
  'StringLiteral',
  'UnaryOperator',
  'UpdateOperator',
]

/**
 * Tests of the tests: each check that refuses something is changed so that it never refuses, and then so that it
 * always refuses. A test must fail in both cases.
 */
export const refusals: Part = async ({ seed, share, only }) => {
  const random = seeded(seed)
  const isChosen = (file: string) => (only === undefined ? random.chance(share) : file.includes(only))
  const lines: Line[] = []
  const copy = copyProject()
  try {
    for (const area of areas) {
      const chosen = area.files.flatMap((file) => rangesOf(file).filter(() => isChosen(file)))
      if (chosen.length > 0) lines.push(await runRanges(copy, area, chosen))
    }
  } finally {
    copy.remove()
  }
  return lines
}

async function runRanges(copy: WorkingCopy, area: Area, mutate: string[]): Promise<Line> {
  const { noticed, unnoticed } = await runStryker(copy, {
    area,
    mutate,
    excludedMutations: EXCLUDED_MUTATIONS,
    reports: 'refusals',
  })
  return {
    what: `refusals of ${area.name} (see reports/refusals/${area.name}.html)`,
    times: [...noticed, ...unnoticed].filter(isRemovedRefusal).length,
    violations: removedRefusals(unnoticed),
  }
}

/** The conditions of the file that refuse something, as Stryker names them: lines count from 1, columns from 0. */
function rangesOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const positionOf = (offset: number) => {
    const lines = text.slice(0, offset).split('\n')
    return `${lines.length}:${lines.at(-1)?.length}`
  }
  return findRefusals(text).map(({ start, end }) => `${file}:${positionOf(start)}-${positionOf(end)}`)
}

/** The violations among mutants that no test noticed. */
export const removedRefusals = (unnoticed: Mutant[]) =>
  unnoticed
    .filter(isRemovedRefusal)
    .map(
      ({ file, source, location: { start, end } }) =>
        `${file}:${start.line}: no test notices that this does not refuse: ${source.slice(offsetOf(source, start), offsetOf(source, end))}`,
    )

function isRemovedRefusal({ source, mutatorName, replacement, location }: Mutant): boolean {
  if (mutatorName !== 'ConditionalExpression' || replacement !== 'false') return false
  const [start, end] = [offsetOf(source, location.start), offsetOf(source, location.end)]
  return findRefusals(source).some((condition) => condition.start === start && condition.end === end)
}

function offsetOf(source: string, { line, column }: Mutant['location']['start']): number {
  const before = source.split('\n').slice(0, line - 1)
  return before.reduce((sum, { length }) => sum + length + 1, 0) + column - 1
}
