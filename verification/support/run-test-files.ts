import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, run, tool } from '../../scripts/child.ts'
import type { Line } from './part.ts'

export interface TestRun {
  passed: string[]
  failed: string[]
  /** The first failure of each failed test. */
  failures: string[]
  /** The output of vitest, for runs in which no test could start. */
  output: string
}

interface ReportedTest {
  status: string
  fullName: string
  tags: string[]
  failureMessages: string[]
}

interface Report {
  testResults: { assertionResults: ReportedTest[] }[]
}

/** Covers the test files of the server and of this folder. */
const CONFIG = 'verification/vitest.config.ts'
/** Covers all test files of `npm test`. */
const CONFIG_OF_NPM_TEST = 'vitest.config.ts'

interface Options {
  /** A copy of the project. */
  folder?: string | undefined
  env?: Record<string, string>
  /** Ends the run after the first failure. */
  bail?: boolean
}

/** Runs test files of the project, or of a copy of it in another folder. */
export const runTestFiles = (files: readonly string[], options: Options = {}): Promise<TestRun> =>
  runVitest(['--config', CONFIG, ...files], options)

async function runVitest(
  args: readonly string[],
  { folder = root, env = {}, bail = false }: Options = {},
  isMeant: (test: { tags: string[] }) => boolean = () => true,
): Promise<TestRun> {
  const reports = mkdtempSync(join(tmpdir(), 'sought-report-'))
  const reportFile = join(reports, 'report.json')
  try {
    const { output } = await run(
      process.execPath,
      [
        tool('vitest'),
        'run',
        ...args,
        ...(bail ? ['--bail=1'] : []),
        '--reporter=json',
        `--outputFile=${reportFile}`,
      ],
      { cwd: folder, env },
    )
    const tests = existsSync(reportFile) ? testsIn(reportFile).filter(isMeant) : []
    const { passed = [], failed = [] } = Object.groupBy(tests, ({ status }) =>
      status === 'passed' ? 'passed' : 'failed',
    )
    return { passed: passed.map(nameOf), failed: failed.map(nameOf), failures: failed.map(failureOf), output }
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
}

function testsIn(reportFile: string) {
  const { testResults }: Report = JSON.parse(readFileSync(reportFile, 'utf8'))
  return testResults.flatMap(({ assertionResults }) => assertionResults)
}

const SHOWN_OUTPUT = 2_000

const nameOf = ({ fullName }: ReportedTest) => fullName

const failureOf = ({ fullName, failureMessages: [first = ''] }: ReportedTest) =>
  `${fullName}\n${first.slice(0, SHOWN_OUTPUT)}`

/** The result of test files as a line of the table. */
export const lineOfTests = async (
  what: string,
  files: readonly string[],
  options: Options = {},
): Promise<Line> => toLine(what, await runTestFiles(files, options))

/** The result of the tests with this tag, which `npm test` leaves out. */
export async function lineOfTaggedTests(what: string, tag: string): Promise<Line> {
  const args = ['--config', CONFIG_OF_NPM_TEST, `--tags-filter=${tag}`]
  return toLine(what, await runVitest(args, {}, ({ tags }) => tags.includes(tag)))
}

function toLine(what: string, { passed, failures, output }: TestRun): Line {
  const times = passed.length + failures.length
  return { what, times, violations: times === 0 ? [output.slice(-SHOWN_OUTPUT)] : failures }
}

/** The test files below a folder of the project, or of a copy of it. */
export async function testFilesOf(below: string, folder = root): Promise<string[]> {
  const files = await readdir(join(folder, below), { recursive: true })
  return files
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(below, file))
    .sort()
}
