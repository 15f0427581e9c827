import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWeb } from './build-web.ts'
import { run, stopChildrenOnExit, tool } from './child.ts'
import { countJourneys, runJourneys } from './journeys.ts'
import { type Result, readReport } from './test-result.ts'

type Step = { title: string; check: () => Promise<Result> }

/** The lanes run in parallel, because each lane leaves the processor idle for part of its time. */
const lanes: Step[][] = [
  [
    { title: 'Types, lint, import rules, unused code', check: checkCode },
    { title: 'Unit, component and server tests', check: runVitest },
  ],
  [
    { title: 'Web build', check: () => oneCheck(buildWeb()) },
    { title: 'Browser journeys', check: runShortJourneys },
  ],
]

const notRun =
  () => `Not run here: ${proofOnlyTests} tests of the sandbox itself, of many processes or of much data.
Not run here: ${proofOnlyJourneys} browser journeys, and the accessibility checks of screens in the others.
Not run here, because they take hours: fuzzing, races, provider faults, simulation, crash points, mutation, load.
They run with npm run proof (docs/testing.md).`

let proofOnlyTests = 0
let proofOnlyJourneys = 0
const reports = mkdtempSync(join(tmpdir(), 'sought-reports-'))
/** Many processes load the same code, and only the first one compiles it. */
const NODE_COMPILE_CACHE = join(reports, 'compiled')

async function runAll(): Promise<0 | 1> {
  const results = (await Promise.all(lanes.map(runLane))).flat()
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  const failed = results.reduce((sum, result) => sum + result.failed, 0)
  console.log(`${notRun()}\n${passed} passed, ${failed} failed`)
  return passed > 0 && failed === 0 ? 0 : 1
}

/** A failed step does not stop later ones, so that one run shows all problems. */
async function runLane(steps: Step[]): Promise<Result[]> {
  const results: Result[] = []
  for (const { title, check } of steps) {
    const began = performance.now()
    const result = await check()
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    console.log(`${title}: ${result.passed} passed, ${result.failed} failed, ${seconds} s`)
    if (result.failed > 0) console.log(`${result.output}\n`)
    results.push(result)
  }
  return results
}

/**
 * Runs all checks at once. More threads would make the compiler use twice the processor time, which the journeys
 * need.
 */
async function checkCode(): Promise<Result> {
  const results = await Promise.all([
    oneCheck(run(tool('tsc'), ['-b', '--singleThreaded', '.', 'web', 'e2e'])),
    oneCheck(run(tool('biome'), ['check'])),
    oneCheck(run(tool('depcruise'), ['.'])),
    oneCheck(run(tool('knip'), [])),
  ])
  const failed = results.filter((result) => result.failed > 0)
  return {
    passed: results.length - failed.length,
    failed: failed.length,
    output: failed.map(({ output }) => output).join('\n'),
  }
}

async function oneCheck(step: Promise<{ ok: boolean; output: string }>): Promise<Result> {
  const { ok, output } = await step
  return ok ? { passed: 1, failed: 0, output } : { passed: 0, failed: 1, output }
}

type VitestReport = {
  numPassedTests: number
  testResults: { status: string; assertionResults: { tags: string[] }[] }[]
}

async function runVitest(): Promise<Result> {
  const file = join(reports, 'vitest.json')
  const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const outcome = await run(tool('vitest'), ['run', '--tags-filter=!proof', ...options], {
    env: { NODE_COMPILE_CACHE },
  })
  return readReport(outcome, file, (report: VitestReport) => {
    // A file that cannot even be loaded has no tests to count.
    const broken = report.testResults.filter(
      (it) => it.status === 'failed' && it.assertionResults.length === 0,
    )
    const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
    proofOnlyTests = tests.filter(({ tags }) => tags.includes('proof')).length
    return { total: tests.length - proofOnlyTests + broken.length, passed: report.numPassedTests }
  })
}

async function runShortJourneys(): Promise<Result> {
  const result = await runJourneys('short', { NODE_COMPILE_CACHE })
  proofOnlyJourneys = (await countJourneys('all')) - result.passed - result.failed
  return result
}

stopChildrenOnExit()
process.once('exit', () => rmSync(reports, { recursive: true, force: true }))
process.exitCode = await runAll()
