import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { paths } from '@sought/contract/paths'
import { listWantedItems } from '@sought/contract/requests'
import { findChromium } from '../scripts/chromium.ts'
import { formatMs, type Row, report } from './measure.ts'
import { median } from './throughput.ts'

/*
 * Runs Lighthouse for phones on home and on the page of a request: `npm run lighthouse`, with the address of a started
 * server as its argument if that is not http://localhost:3000. npm fetches Lighthouse when it is needed.
 */

const LIGHTHOUSE = 'lighthouse@13.5.0'
const DEFAULT_ADDRESS = 'http://localhost:3000'
/** The scores vary with the load of the machine, so the medians count. */
const RUNS = 3
const MIN_SCORES = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 }
const CHROMIUM_FLAGS = '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run'
const MAX_REPORT_BYTES = 64 * 1024 * 1024

type Category = keyof typeof MIN_SCORES
const categories = Object.keys(MIN_SCORES) as Category[]

interface LighthouseReport {
  categories: Record<Category, { score: number }>
  audits: Record<'largest-contentful-paint' | 'total-blocking-time', { numericValue: number }>
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

async function measurePage(title: string, url: string, chromium: string): Promise<Row> {
  const reports: LighthouseReport[] = []
  for (let run = 0; run < RUNS; run++) reports.push(await audit(url, chromium))
  const scores = categories.map((category) =>
    Math.round(100 * median(reports.map((it) => it.categories[category].score))),
  )
  const timeOf = (name: keyof LighthouseReport['audits']) =>
    formatMs(median(reports.map((it) => it.audits[name].numericValue)))
  return {
    cells: [title, ...scores.map(String), timeOf('largest-contentful-paint'), timeOf('total-blocking-time')],
    ok: categories.every((category, at) => (scores[at] ?? 0) >= MIN_SCORES[category]),
  }
}

async function findItemUrl(address: string): Promise<string> {
  const response = await fetch(new URL(`${listWantedItems.path}?limit=1`, address))
  const [item] = (await response.json()) as { id: number }[]
  if (!item) throw new Error(`${address} has no requests`)
  return new URL(paths.item(item.id), address).href
}

const address = process.argv[2] ?? DEFAULT_ADDRESS
const chromium = findChromium()
if (!chromium) throw new Error('Chromium was not found. Set CHROMIUM_PATH.')
const ok = report(
  `Lighthouse for phones, median of ${RUNS} runs`,
  ['', ...categories.map((it) => `${it} (${MIN_SCORES[it]})`), 'LCP', 'blocking time'],
  [
    await measurePage('home', new URL('/', address).href, chromium),
    await measurePage('request', await findItemUrl(address), chromium),
  ],
)
process.exitCode = ok ? 0 : 1
