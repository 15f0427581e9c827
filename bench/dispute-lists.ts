import { listDisputes } from '@sought/contract/disputes'
import { ask } from './home-meanwhile.ts'
import { milliseconds, p95, type Row, report, timeMs } from './measure.ts'
import { startReleasingServer } from './releasing-server.ts'

const WARM_UP = 20
const RUNS = 200
const MOST_TIMES = 2
const MORE_MS = 5

const kinds = [
  { title: 'the first page', query: '' },
  { title: 'a status of half of them', query: '?status=resolved_seller' },
  { title: 'a word in 20 disputes', query: '?search=sextant' },
  { title: 'a word in 1 %', query: '?search=brass' },
  { title: 'a word in 30 %', query: '?search=walnut' },
  { title: 'a word in 30 % and a status', query: '?search=walnut&status=under_review' },
  { title: 'a word in none', query: '?search=gramophone' },
]

/** The admins' list of disputes, asked of both servers in turns. */
export async function compareDisputeLists(smallUrl: string, largeUrl: string): Promise<boolean> {
  const small = await startReleasingServer(smallUrl)
  const large = await startReleasingServer(largeUrl)
  const rows: Row[] = []
  try {
    for (const { title, query } of kinds) {
      const times = { small: [] as number[], large: [] as number[] }
      for (let run = -WARM_UP; run < RUNS; run++) {
        const path = listDisputes.path + query
        const smallMs = await timeMs(() => ask(small.port, path, { cookie: small.adminCookie }))
        const largeMs = await timeMs(() => ask(large.port, path, { cookie: large.adminCookie }))
        if (run < 0) continue
        times.small.push(smallMs)
        times.large.push(largeMs)
      }
      rows.push(compared(title, p95(times.small), p95(times.large)))
    }
  } finally {
    small.stop()
    large.stop()
  }
  return report(
    `p95 of ${RUNS} readings of the admins' list of disputes`,
    ['', '100 disputes', '100,000 disputes', 'bound'],
    rows,
  )
}

function compared(title: string, smallMs: number, largeMs: number): Row {
  const bound = MOST_TIMES * smallMs + MORE_MS
  return {
    cells: [title, milliseconds(smallMs), milliseconds(largeMs), milliseconds(bound)],
    ok: largeMs <= bound,
  }
}
