import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, tool } from '../../scripts/child.ts'
import type { Line } from '../support/part.ts'

const FILES = { 'who may do what, call by call': 'access', 'attacks on signing in': 'attacks' }

interface Report {
  testResults: { assertionResults: { status: string; fullName: string }[] }[]
}

/** These are whole in `npm test` already; here they only take their place in the table. */
export async function access(): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sought-access-'))
  const lines: Line[] = []
  for (const [what, name] of Object.entries(FILES)) {
    const file = join(folder, `${name}.json`)
    await run(tool('vitest'), [
      'run',
      '--project=server',
      `test/${name}.test.ts`,
      '--reporter=json',
      `--outputFile=${file}`,
    ])
    const { testResults }: Report = JSON.parse(readFileSync(file, 'utf8'))
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
    const failed = tests.filter(({ status }) => status !== 'passed')
    lines.push({ what, times: tests.length, violations: failed.map(({ fullName }) => fullName) })
  }
  rmSync(folder, { recursive: true, force: true })
  return lines
}
