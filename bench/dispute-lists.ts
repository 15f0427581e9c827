import { listDisputes } from '@sought/contract/disputes'
import { readResponse } from './home-during-releases.ts'
import { formatMs, p95, type Row, report, timeMs } from './measure.ts'
import { startReleaseServer } from './release-server.ts'

const WARM_UP = 20
const RUNS = 200
const MAX_RATIO = 2
const ALLOWANCE_MS = 5

const cases = [
  { title: 'first page', query: '' },
  { title: 'status of half the disputes', query: '?status=resolved_seller' },
  { title: 'word in 20 disputes', query: '?search=sextant' },
  { title: 'word in 1%', query: '?search=brass' },
  { title: 'word in 30%', query: '?search=walnut' },
  { title: 'word in 30% and a status', query: '?search=walnut&status=under_review' },
  { title: 'word in no dispute', query: '?search=gramophone' },
]

/** Reads the dispute list of the admin desk with few and with many disputes, alternately. */
export async function compareDisputeLists(smallUrl: string, largeUrl: string): Promise<boolean> {
  const small = await startReleaseServer(smallUrl)
  const large = await startReleaseServer(largeUrl)
  const rows: Row[] = []
  try {
    for (const { title, query } of cases) {
      const times = { small: [] as number[], large: [] as number[] }
      for (let run = -WARM_UP; run < RUNS; run++) {
        const path = listDisputes.path + query
        const smallMs = await timeMs(() => readResponse(small.port, path, { cookie: small.adminCookie }))
        const largeMs = await timeMs(() => readResponse(large.port, path, { cookie: large.adminCookie }))
        if (run < 0) continue
        times.small.push(smallMs)
        times.large.push(largeMs)
      }
      rows.push(toRow(title, p95(times.small), p95(times.large)))
    }
  } finally {
    small.stop()
    large.stop()
  }
  return report(
    `p95 of ${RUNS} requests for the admin dispute list`,
    ['', '100 disputes', '100,000 disputes', 'limit'],
    rows,
  )
}

function toRow(title: string, smallMs: number, largeMs: number): Row {
  const bound = MAX_RATIO * smallMs + ALLOWANCE_MS
  return {
    cells: [title, formatMs(smallMs), formatMs(largeMs), formatMs(bound)],
    ok: largeMs <= bound,
  }
}
