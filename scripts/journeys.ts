import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, tool } from './child.ts'
import { ensureChromium, installFullChromium } from './chromium.ts'
import { type Result, readReport } from './test-result.ts'

/** `short` leaves out the journeys with the tag @proof, and some checks of the others. */
type Scope = 'short' | 'all'

const PLAYWRIGHT = ['test', '--config', 'e2e']

type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number; skipped: number } }

export async function runJourneys(scope: Scope, env: Record<string, string> = {}): Promise<Result> {
  const chromium = await ensureChromium(console.log)
  if (!chromium.ok) return { passed: 0, failed: await countJourneys(scope), output: chromium.why }
  if (scope === 'all') await installFullChromium(console.log)
  const reports = mkdtempSync(join(tmpdir(), 'sought-journeys-'))
  const file = join(reports, 'playwright.json')
  try {
    const outcome = await run(tool('playwright'), [...PLAYWRIGHT, '--reporter=list,json'], {
      env: { ...env, JOURNEYS: scope, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
    })
    return readReport(outcome, file, ({ stats }: PlaywrightReport) => ({
      total: stats.expected + stats.unexpected + stats.flaky + stats.skipped,
      passed: stats.expected,
    }))
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
}

export async function countJourneys(scope: Scope): Promise<number> {
  const { output } = await run(tool('playwright'), [...PLAYWRIGHT, '--list'], { env: { JOURNEYS: scope } })
  const [, total = '1'] = output.match(/^Total: (\d+) test/m) ?? []
  return Number(total)
}
