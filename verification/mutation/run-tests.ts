import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { run, tool } from '../../scripts/child.ts'
import type { Copy } from './copy.ts'
import type { Place } from './guard.ts'

/** What tests said. Where none failed and they have not passed either, they could not even be run. */
export type Verdict =
  | { passed: true }
  | { passed: false; failed: { file: string; test: string }[]; output: string }

interface Report {
  testResults: { name: string; assertionResults: { status: string; fullName: string }[] }[]
}

/** What means something else in a pattern than itself. */
const SPECIAL = /[\\^$.*+?()[\]{}|]/g

/** Runs tests of the copy. */
export async function runTests({ folder }: Copy, places: Place[], postgresUrl: string): Promise<Verdict> {
  const reportFile = join(folder, 'report.json')
  rmSync(reportFile, { force: true })
  const { ok, output } = await run(
    process.execPath,
    [
      tool('vitest'),
      'run',
      ...new Set(places.map(({ file }) => `/${file}`)),
      `--testNamePattern=${places.map(({ test }) => test.replace(SPECIAL, '\\$&')).join('|')}`,
      '--reporter=json',
      `--outputFile=${reportFile}`,
    ],
    { cwd: folder, env: { TEST_POSTGRES_URL: postgresUrl, NODE_COMPILE_CACHE: join(folder, '.compiled') } },
  )
  if (ok) return { passed: true }
  return { passed: false, failed: existsSync(reportFile) ? failedIn(reportFile) : [], output }
}

function failedIn(reportFile: string) {
  const { testResults }: Report = JSON.parse(readFileSync(reportFile, 'utf8'))
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => ({ file: basename(name), test: fullName })),
  )
}
