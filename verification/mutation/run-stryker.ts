import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, tool } from '../../scripts/child.ts'
import type { Area } from './areas.ts'
import type { WorkingCopy } from './working-copy.ts'

/*
 * StrykerJS mutates conditions, comparisons, logical operators, booleans and calls. Each area has its own tests,
 * and Stryker runs those that reach the mutant.
 */

export interface StrykerRun {
  area: Area
  /** Files, or conditions in files as `file:line:column-line:column`. */
  mutate: string[]
  excludedMutations: string[]
  /** The folder below `reports` for the HTML and JSON reports. */
  reports: string
}

interface ReportedMutant {
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

export interface Mutant extends ReportedMutant {
  file: string
  source: string
}

/** Both count from 1. */
interface Position {
  line: number
  column: number
}

interface Report {
  files: Record<string, { source: string; mutants: ReportedMutant[] }>
}

export interface Tried {
  noticed: Mutant[]
  unnoticed: Mutant[]
}

const SHOWN_OUTPUT = 2_000
const NOTICED: Mutant['status'][] = ['Killed', 'Timeout', 'RuntimeError']
const UNNOTICED: Mutant['status'][] = ['Survived', 'NoCoverage']

/** Throws the end of Stryker's output if it made no report. */
export async function runStryker(
  { folder }: WorkingCopy,
  { area, mutate, excludedMutations, reports }: StrykerRun,
): Promise<Tried> {
  const configFile = join(folder, 'stryker.config.json')
  const config = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'verification/vitest.config.ts', related: false },
    // The folder is already a copy. In another copy, our workspaces would resolve to the first one.
    inPlace: true,
    mutate,
    testFiles: area.tests,
    mutator: { excludedMutations },
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
  if (!existsSync(reportFile)) throw new Error(output.slice(-SHOWN_OUTPUT))
  const { files }: Report = JSON.parse(readFileSync(reportFile, 'utf8'))
  const kept = join(root, 'reports', reports)
  mkdirSync(kept, { recursive: true })
  for (const type of ['json', 'html'])
    renameSync(join(made, `mutation.${type}`), join(kept, `${area.name}.${type}`))
  const mutants = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ file, source, ...mutant })),
  )
  return {
    noticed: mutants.filter(({ status }) => NOTICED.includes(status)),
    unnoticed: mutants.filter(({ status }) => UNNOTICED.includes(status)),
  }
}
