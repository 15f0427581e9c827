import http from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { Person, Target } from '../load/load.ts'
import type { Line } from '../support/part.ts'

/*
 * Commits on a disk that takes its time, with and without announcements, and how fast these reach an open page. A
 * commit with NOTIFY holds a lock of the whole server until it is on disk, so such commits would wait for each other.
 */

export const COMMITTERS = 16
const ROUNDS = 9
const MIN_RATIO = 0.9
const DELIVERY_MAX_MS = 100
const BETWEEN_MESSAGES_MS = 20
const ARRIVE_WITHIN_MS = 10_000

const PLAIN = 'insert into committed default values'
const ANNOUNCING = `
  with written as (insert into committed default values returning 1)
  select announce('changes', '{"to":[],"change":{"about":"messages"}}') from written`
const ENQUEUEING = `
  with written as (insert into committed default values returning 1)
  select graphile_worker.add_job('fetch-picture', '{"itemId":0}', run_at := now() + interval '1 day') from written`

export interface MeasuredCommits {
  /** Of commits that announce a change. */
  commitsPerSecond: number
  lines: Line[]
}

/** All kinds in turns, so that other load on the machine affects both. */
export async function measureCommits(sql: pg.Pool, seconds: number): Promise<MeasuredCommits> {
  await sql.query('create table committed (at timestamptz default now())')
  const statements = { plain: PLAIN, announcing: ANNOUNCING, enqueueing: ENQUEUEING }
  const kinds = Object.keys(statements) as (keyof typeof statements)[]
  const rounds: Record<keyof typeof statements, number>[] = []
  // The first round is a warm-up.
  for (let round = 0; round <= ROUNDS; round++) {
    const rates = { plain: 0, announcing: 0, enqueueing: 0 }
    for (const kind of round % 2 ? kinds : kinds.toReversed())
      rates[kind] = await commitsPerSecond(sql, statements[kind], seconds / ROUNDS)
    if (round > 0) rounds.push(rates)
  }
  const lineOf = (what: string, kind: keyof typeof statements): Line => {
    const rate = median(rounds.map((rates) => rates[kind]))
    const ratio = median(rounds.map((rates) => rates[kind] / rates.plain))
    return {
      what: `${what} (${rate.toFixed(0)} a second, ${ratio.toFixed(2)} of plain ones)`,
      times: Math.round(rate * seconds),
      violations: ratio < MIN_RATIO ? [`${what}: less than ${MIN_RATIO} of plain ones`] : [],
    }
  }
  return {
    commitsPerSecond: median(rounds.map(({ announcing }) => announcing)),
    lines: [
      lineOf(`commits on ${COMMITTERS} connections`, 'plain'),
      lineOf('commits that announce a change', 'announcing'),
      // For information only: a job is more to write.
      { ...lineOf('commits that add a job', 'enqueueing'), violations: [] },
    ],
  }
}

async function commitsPerSecond(sql: pg.Pool, statement: string, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000
  let count = 0
  const commit = async () => {
    for (; performance.now() < until; count++) await sql.query(statement)
  }
  await Promise.all(Array.from({ length: COMMITTERS }, commit))
  return count / seconds
}

/** From the answer to a message, which comes after its commit, until the page of the receiver is told. */
export async function measureDelivery(target: Target, people: Person[], messages: number): Promise<Line> {
  const [buyer, seller] = people
  if (!buyer || !seller) throw new Error('there are no users')
  const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 0 }
  const { id } = JSON.parse((await target.send('POST /api/wanted-items', { ...buyer, json: lamp })).body)
  const stream = openStream(target.address, buyer.cookie)
  const tookMs: number[] = []
  try {
    await stream.next('everything')
    for (let sent = 0; sent < messages; sent++) {
      const heard = stream.next('messages')
      const json = { wantedItemId: id, receiverId: buyer.id, content: `Message ${sent}` }
      await target.send('POST /api/messages', { cookie: seller.cookie, json })
      const committedMs = performance.now()
      tookMs.push(Math.max(0, (await heard) - committedMs))
      await wait(BETWEEN_MESSAGES_MS)
    }
  } finally {
    stream.close()
  }
  const sorted = tookMs.toSorted((a, b) => a - b)
  const [p50 = 0, p95 = 0] = [0.5, 0.95].map((share) => sorted[Math.floor(share * sorted.length)])
  return {
    what: `announcements, from the commit to the open page (p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms)`,
    times: messages,
    violations: p95 > DELIVERY_MAX_MS ? [`p95 is ${p95.toFixed(0)} ms, above ${DELIVERY_MAX_MS} ms`] : [],
  }
}

/** An open page. `next` returns when the next event about this subject arrived. */
function openStream(address: string, cookie: string) {
  const awaited = new Map<string, (arrivedMs: number) => void>()
  const sent = http.get(new URL('/api/events', address), { headers: { cookie } }, (reply) => {
    reply.setEncoding('utf8').on('data', (text: string) => {
      for (const [about, resolve] of awaited) if (text.includes(`"${about}"`)) resolve(performance.now())
    })
    reply.on('error', () => {})
  })
  // The stream ends with an error when it is closed.
  sent.on('error', () => {})
  return {
    next(about: string): Promise<number> {
      const { promise, resolve, reject } = Promise.withResolvers<number>()
      awaited.set(about, resolve)
      const late = setTimeout(() => reject(new Error(`no event about ${about} arrived`)), ARRIVE_WITHIN_MS)
      return promise.finally(() => {
        clearTimeout(late)
        awaited.delete(about)
      })
    },
    close: () => sent.destroy(),
  }
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
