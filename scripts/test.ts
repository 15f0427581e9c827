import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWeb } from './build-web.ts'
import { run, stopChildrenOnExit, tool } from './child.ts'
import { ensureChromium } from './chromium.ts'

/** What a step found. Nothing may be skipped, so a skipped test counts as failed. */
type Result = { passed: number; failed: number; output: string }
type Step = { title: string; check: () => Promise<Result> }

/** The lanes run side by side: each leaves the processor idle for part of its time, and the other uses it. */
const lanes: Step[][] = [
  [
    { title: 'Types, lint, import rules, unused code', check: checkCode },
    { title: 'Unit, component and server tests', check: runVitest },
  ],
  [
    { title: 'Web build', check: () => oneCheck(buildWeb()) },
    { title: 'Browser journeys', check: runPlaywright },
  ],
]

const NOT_RUN = `Not run here, because they take hours: fuzzing, races, provider faults, simulation, crash points, mutation, load.
They run with npm run proof (docs/proof.md).`

const reports = mkdtempSync(join(tmpdir(), 'sought-reports-'))
/** Many processes load the same code. Only the first of them compiles it. */
const NODE_COMPILE_CACHE = join(reports, 'compiled')

async function runAll(): Promise<0 | 1> {
  const results = (await Promise.all(lanes.map(runLane))).flat()
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  const failed = results.reduce((sum, result) => sum + result.failed, 0)
  console.log(`${NOT_RUN}\n${passed} passed, ${failed} failed`)
  return passed > 0 && failed === 0 ? 0 : 1
}

/** A failed step does not stop the later ones: one run shows everything that is wrong. */
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

/** All at once. More threads would make the compiler use twice the processor time, which the journeys need. */
async function checkCode(): Promise<Result> {
  const results = await Promise.all([
    oneCheck(run(tool('tsc'), ['-b', '--singleThreaded'])),
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
  numTotalTests: number
  numPassedTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

async function runVitest(): Promise<Result> {
  const file = join(reports, 'vitest.json')
  const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { ok, output } = await run(tool('vitest'), ['run', ...options], { env: { NODE_COMPILE_CACHE } })
  return counted(ok, output, file, (report: VitestReport) => {
    // A file that cannot even be loaded has no tests to count.
    const broken = report.testResults.filter(
      (it) => it.status === 'failed' && it.assertionResults.length === 0,
    )
    return { total: report.numTotalTests + broken.length, passed: report.numPassedTests }
  })
}

type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number; skipped: number } }

async function runPlaywright(): Promise<Result> {
  const chromium = await ensureChromium(console.log)
  if (!chromium.ok) return allJourneysFailed(chromium.why)
  const file = join(reports, 'playwright.json')
  const { ok, output } = await run(tool('playwright'), ['test', '--config', 'e2e', '--reporter=list,json'], {
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file, NODE_COMPILE_CACHE },
  })
  return counted(ok, output, file, ({ stats }: PlaywrightReport) => ({
    total: stats.expected + stats.unexpected + stats.flaky + stats.skipped,
    passed: stats.expected,
  }))
}

async function allJourneysFailed(why: string): Promise<Result> {
  const { output } = await run(tool('playwright'), ['test', '--config', 'e2e', '--list'])
  const [, total = '1'] = output.match(/^Total: (\d+) test/m) ?? []
  return { passed: 0, failed: Number(total), output: why }
}

/** A runner that fails without a failed test (no tests, an error outside of them) is one failure itself. */
function counted<Report>(
  ok: boolean,
  output: string,
  file: string,
  count: (report: Report) => { total: number; passed: number },
): Result {
  if (!existsSync(file)) return { passed: 0, failed: 1, output }
  const { total, passed } = count(JSON.parse(readFileSync(file, 'utf8')))
  const failed = ok && total > 0 ? total - passed : Math.max(total - passed, 1)
  return { passed, failed, output }
}

stopChildrenOnExit()
process.once('exit', () => rmSync(reports, { recursive: true, force: true }))
process.exitCode = await runAll()
