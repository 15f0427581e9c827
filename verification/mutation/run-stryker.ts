import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root, run, tool } from '../../scripts/child.ts'
import type { Line, RunOptions } from '../support/part.ts'
import { seeded } from '../support/random.ts'
import { copyProject, type WorkingCopy } from './working-copy.ts'

/*
 * StrykerJS mutates conditions, comparisons, logical operators, booleans and calls. Each area has its own tests,
 * and Stryker runs those that reach the mutant.
 */

interface Area {
  mutate: string
  tests: string[]
}

const features = 'server/src/features'
/** Tests of money, wherever it moves. */
const moneyTests = [
  `${features}/{payments,payouts,ledger,disputes,personal-data}/*.test.ts`,
  'server/src/providers/stripe/*.test.ts',
  'verification/simulation/provider-faults.test.ts',
]
/** Test files outside the folder of a feature that test it too. */
const MORE_TESTS: Record<string, string[]> = {
  payments: moneyTests,
  payouts: moneyTests,
  ledger: moneyTests,
  disputes: moneyTests,
  sellers: [`${features}/payouts/*.test.ts`],
  messages: [`${features}/{notifications,personal-data}/*.test.ts`],
  notifications: [`${features}/messages/*.test.ts`],
  offers: [`${features}/personal-data/*.test.ts`],
  requests: [`${features}/personal-data/*.test.ts`],
  'personal-data': [`${features}/accounts/*.test.ts`],
  places: [`${features}/requests/filters.test.ts`],
}

/** These run in processes of their own, where Stryker activates no mutant. */
const IN_OTHER_PROCESSES = [`${features}/places/read-gazetteer.ts`, 'server/src/platform/image-decoder.ts']

const areas: Area[] = [
  { mutate: 'escrow/src/!(*.test).ts', tests: ['escrow/src/*.test.ts'] },
  ...globSync(`${features}/*`, { cwd: root }).map((folder) => ({
    mutate: `${folder}/!(*.test).ts`,
    tests: [`${folder}/*.test.ts`, ...(MORE_TESTS[basename(folder)] ?? [])],
  })),
  { mutate: 'server/src/providers/stripe/!(*.test).ts', tests: moneyTests },
  { mutate: 'server/src/providers/google/!(*.test).ts', tests: [`${features}/accounts/*.test.ts`] },
  {
    mutate: 'server/src/platform/!(*.test).ts',
    tests: ['server/src/platform/*.test.ts', `${features}/{accounts,requests}/*.test.ts`],
  },
]

/** Texts and shapes are not decisions, and every test that calls a function notices its empty body. */
const EXCLUDED = [
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
const SHOWN_OUTPUT = 2_000
const REPORTS = join(root, 'reports', 'mutation')

interface Mutant {
  mutatorName: string
  replacement: string
  status:
    | 'Killed'
    | 'Survived'
    | 'NoCoverage'
    | 'Timeout'
    | 'CompileError'
    | 'RuntimeError'
    | 'Ignored'
    | 'Pending'
  location: { start: Position; end: Position }
}

/** Both count from 1. */
interface Position {
  line: number
  column: number
}

interface Report {
  files: Record<string, { source: string; mutants: Mutant[] }>
}

/** Mutates a share of the files, or those whose path contains `only`. */
export async function runStryker({ seed, share, only }: RunOptions): Promise<Line[]> {
  const random = seeded(seed)
  const lines: Line[] = []
  const copy = copyProject()
  try {
    for (const { mutate, tests } of areas) {
      const files = globSync(mutate, { cwd: root })
        .filter((file) => !IN_OTHER_PROCESSES.includes(file))
        .filter((file) => (only === undefined ? random.chance(share) : file.includes(only)))
      if (files.length > 0) lines.push(await runArea(copy, mutate, files, tests))
    }
  } finally {
    copy.remove()
  }
  return lines
}

async function runArea(
  { folder }: WorkingCopy,
  area: string,
  mutate: string[],
  testFiles: string[],
): Promise<Line> {
  const name = area.replace(/^server\/src\/|(\/src)?\/!.*$/g, '').replaceAll('/', '-')
  const configFile = join(folder, 'stryker.config.json')
  const config = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'verification/vitest.config.ts', related: false },
    // The folder is already a copy. In another copy, our workspaces would resolve to the first one.
    inPlace: true,
    mutate,
    testFiles,
    mutator: { excludedMutations: EXCLUDED },
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    concurrency: 2,
    dryRunTimeoutMinutes: 30,
    timeoutMS: 60_000,
    reporters: ['json', 'html'],
  }
  writeFileSync(configFile, JSON.stringify(config))
  const { output } = await run(process.execPath, [tool('stryker'), 'run', configFile], { cwd: folder })
  const made = join(folder, 'reports', 'mutation')
  const reportFile = join(made, 'mutation.json')
  if (!existsSync(reportFile)) {
    return { what: `mutants of ${name}`, times: 0, violations: [output.slice(-SHOWN_OUTPUT)] }
  }
  const report: Report = JSON.parse(readFileSync(reportFile, 'utf8'))
  mkdirSync(REPORTS, { recursive: true })
  for (const type of ['json', 'html'])
    renameSync(join(made, `mutation.${type}`), join(REPORTS, `${name}.${type}`))
  return lineOf(name, report)
}

const NOTICED: Mutant['status'][] = ['Killed', 'Timeout', 'RuntimeError']
const UNNOTICED: Mutant['status'][] = ['Survived', 'NoCoverage']

function lineOf(name: string, { files }: Report): Line {
  const mutants = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ file, source, ...mutant })),
  )
  const unnoticed = mutants.filter(({ status }) => UNNOTICED.includes(status))
  const noticed = mutants.filter(({ status }) => NOTICED.includes(status)).length
  const tried = noticed + unnoticed.length
  const score = tried === 0 ? 1 : noticed / tried
  const violations = unnoticed
    .filter(isDisabledRefusal)
    .map(({ file, location }) => `${file}:${location.start.line}: no test notices that this refusal is gone`)
  if (tried >= ENOUGH_MUTANTS && score < LEAST_SCORE) {
    violations.push(`${name}: only ${noticed} of ${tried} mutants were noticed`)
  }
  const survivors = `${unnoticed.length} not noticed, see reports/mutation/${name}.html`
  return { what: `mutants of ${name} (${survivors})`, times: tried, violations }
}

/** An `if (…) throw …` whose condition became false: removing the check would not be noticed. */
function isDisabledRefusal({
  source,
  mutatorName,
  replacement,
  location: { start, end },
}: Mutant & { source: string }): boolean {
  if (mutatorName !== 'ConditionalExpression' || replacement !== 'false') return false
  const condition = source.slice(offsetOf(source, start), offsetOf(source, end))
  const after = source.slice(offsetOf(source, end))
  return /^\)\s*\{?\s*throw\b/.test(after) && !isAssertion(condition, after)
}

/**
 * An assertion such as `if (!inserted) throw new Error(…)`: the type checker needs it, and no test can make it fail.
 */
const isAssertion = (condition: string, after: string) =>
  condition.split(' || ').every((part) => /^(![\w.]+|[\w.]+ === undefined)$/.test(part)) &&
  /^\)\s*\{?\s*throw new Error\(/.test(after)

function offsetOf(source: string, { line, column }: Position): number {
  const before = source.split('\n').slice(0, line - 1)
  return before.reduce((sum, { length }) => sum + length + 1, 0) + column - 1
}
