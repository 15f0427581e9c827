import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { paths } from '@sought/contract/paths'
import { listWantedItems } from '@sought/contract/requests'
import { findChromium } from '../scripts/chromium.ts'
import { auditPage } from './audit-page.ts'
import { formatMs, type Row, report } from './measure.ts'
import { median } from './throughput.ts'

/*
 * Runs Lighthouse for phones on the home page and the page of a request: `npm run lighthouse`, with the address of
 * a running server as its argument if that is not http://localhost:3000. Servers at further addresses, such as an
 * earlier version, are measured alternately and only shown. npm installs Lighthouse when it is needed.
 */

const LIGHTHOUSE = 'lighthouse@13.5.0'
const DEFAULT_ADDRESS = 'http://localhost:3000'
/** The scores vary with the load of the machine, so the median is used. */
const RUNS = 5
const MIN_SCORES = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 }
const CHROMIUM_FLAGS = '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run'
const MAX_REPORT_BYTES = 64 * 1024 * 1024

type Category = keyof typeof MIN_SCORES
const categories = Object.keys(MIN_SCORES) as Category[]

interface LighthouseReport {
  categories: Record<Category, { score: number }>
  audits: Record<'largest-contentful-paint' | 'total-blocking-time', { numericValue: number }>
  /** The speed of the machine. An idle one reaches 1,000 or more. Below that, blocking times mean little. */
  environment: { benchmarkIndex: number }
}

interface AuditedPage {
  title: string
  url: string
  reports: LighthouseReport[]
}

const execute = promisify(execFile)

/** Returns the output even if the run failed, because it contains the reason. */
async function runLighthouse(url: string): Promise<{ stdout: string; stderr: string }> {
  const options = ['--quiet', '--output=json', `--only-categories=${categories.join()}`]
  const program = ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse']
  return execute('npm', [...program, url, ...options, `--chrome-flags=${CHROMIUM_FLAGS}`], {
    // biome-ignore lint/style/noProcessEnv: the environment of a child, and not a setting of the product
    env: { ...process.env, CHROME_PATH: chromium },
    maxBuffer: MAX_REPORT_BYTES,
  }).catch(({ message, stdout = '', stderr = message }) => ({ stdout, stderr }))
}

function asRow({ title, reports }: AuditedPage): Row {
  const medianOf = (pick: (report: LighthouseReport) => number) => median(reports.map(pick))
  const scores = categories.map((category) =>
    Math.round(100 * medianOf((it) => it.categories[category].score)),
  )
  return {
    cells: [
      title,
      ...scores.map(String),
      formatMs(medianOf((it) => it.audits['largest-contentful-paint'].numericValue)),
      formatMs(medianOf((it) => it.audits['total-blocking-time'].numericValue)),
      medianOf((it) => it.environment.benchmarkIndex).toFixed(0),
    ],
    ok: categories.every((category, at) => (scores[at] ?? 0) >= MIN_SCORES[category]),
  }
}

async function findItemUrl(address: string): Promise<string> {
  const response = await fetch(new URL(`${listWantedItems.path}?limit=1`, address))
  const [item] = (await response.json()) as { id: number }[]
  if (!item) throw new Error(`${address} has no requests`)
  return new URL(paths.item(item.id), address).href
}

async function pagesOf(server: string): Promise<AuditedPage[]> {
  return [
    { title: `home at ${server}`, url: new URL('/', server).href, reports: [] },
    { title: `request at ${server}`, url: await findItemUrl(server), reports: [] },
  ]
}

async function main([address = DEFAULT_ADDRESS, ...others]: string[]): Promise<boolean> {
  const measured = await pagesOf(address)
  const shown = (await Promise.all(others.map(pagesOf))).flat()
  for (let run = 0; run < RUNS; run++) {
    for (const page of [...measured, ...shown])
      page.reports.push(await auditPage<LighthouseReport>(page.url, runLighthouse))
  }
  const heads = [
    '',
    ...categories.map((it) => `${it} (${MIN_SCORES[it]})`),
    'LCP',
    'blocking time',
    'speed of the machine',
  ]
  const ok = report(`Lighthouse for phones, median of ${RUNS} runs`, heads, measured.map(asRow))
  if (shown.length > 0) report('For comparison', heads, shown.map(asRow))
  return ok
}

const chromium = findChromium()
if (!chromium) throw new Error('Chromium was not found. Set CHROMIUM_PATH.')
try {
  process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1
} catch (error) {
  // Without the stack, which does not help to explain the failed run.
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
