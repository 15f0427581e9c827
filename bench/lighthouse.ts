import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { paths } from '@sought/contract/paths'
import { listWantedItems } from '@sought/contract/requests'
import { findChromium } from '../scripts/chromium.ts'
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

async function audit(url: string, chromium: string): Promise<LighthouseReport> {
  const options = ['--quiet', '--output=json', `--only-categories=${categories.join()}`]
  const { stdout } = await promisify(execFile)(
    'npm',
    [
      'exec',
      '--yes',
      `--package=${LIGHTHOUSE}`,
      '--',
      'lighthouse',
      url,
      ...options,
      `--chrome-flags=${CHROMIUM_FLAGS}`,
    ],
    // biome-ignore lint/style/noProcessEnv: the environment of a child, and not a setting of the product
    { env: { ...process.env, CHROME_PATH: chromium }, maxBuffer: MAX_REPORT_BYTES },
  )
  return JSON.parse(stdout)
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

const [address = DEFAULT_ADDRESS, ...others] = process.argv.slice(2)
const chromium = findChromium()
if (!chromium) throw new Error('Chromium was not found. Set CHROMIUM_PATH.')
const pagesOf = async (server: string): Promise<AuditedPage[]> => [
  { title: `home at ${server}`, url: new URL('/', server).href, reports: [] },
  { title: `request at ${server}`, url: await findItemUrl(server), reports: [] },
]
const measured = await pagesOf(address)
const shown = (await Promise.all(others.map(pagesOf))).flat()
for (let run = 0; run < RUNS; run++) {
  for (const page of [...measured, ...shown]) page.reports.push(await audit(page.url, chromium))
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
process.exitCode = ok ? 0 : 1
