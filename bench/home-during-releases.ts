import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { listWantedItems } from '@sought/contract/requests'
import { formatMs, p99, report, timeMs } from './measure.ts'
import { startReleaseServer } from './release-server.ts'
import { PAGE } from './serve.ts'
import { formatRate, median } from './throughput.ts'

const ROUNDS = 7
const ROUND_SECONDS = 10
const REQUESTS_PER_SECOND = 50
const MAX_RATIO = 2

/**
 * Requests the home list at a fixed rate, alternating between an idle server and one that releases payments. All
 * rounds are combined, because a single round has only five requests above its p99.
 */
export async function compareHomeDuringReleases(databaseUrl: string): Promise<boolean> {
  const server = await startReleaseServer(databaseUrl)
  const idleMs: number[] = []
  const busyMs: number[] = []
  const rates: number[] = []
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const idle = await requestSteadily(server.port)
      server.startReleasing()
      const busy = await requestSteadily(server.port)
      const rate = (await server.stopReleasing()) / ROUND_SECONDS
      // The first round is a warm-up.
      if (round === 0) continue
      idleMs.push(...idle)
      busyMs.push(...busy)
      rates.push(rate)
    }
  } finally {
    server.stop()
  }
  const [idle, busy] = [p99(idleMs), p99(busyMs)]
  return report(
    `p99 of the home list, ${REQUESTS_PER_SECOND} requests per second, ${ROUNDS} rounds of ${ROUND_SECONDS} s each`,
    ['', 'idle', 'during releases', 'ratio', 'limit'],
    [
      {
        cells: [
          `while the same process releases ${formatRate(median(rates))}`,
          formatMs(idle),
          formatMs(busy),
          (busy / idle).toFixed(2),
          `at most ${MAX_RATIO}`,
        ],
        ok: busy / idle <= MAX_RATIO,
      },
    ],
  )
}

/** Does not wait for responses, so that a slow server gets the same load. */
async function requestSteadily(port: number): Promise<number[]> {
  const path = `${listWantedItems.path}?limit=${PAGE}`
  const began = performance.now()
  const asked: Promise<number>[] = []
  for (let n = 0; n < REQUESTS_PER_SECOND * ROUND_SECONDS; n++) {
    await wait(Math.max(0, began + (n * 1000) / REQUESTS_PER_SECOND - performance.now()))
    asked.push(timeMs(() => readResponse(port, path)))
  }
  return Promise.all(asked)
}

const agent = new Agent({ keepAlive: true })

/** Sends a GET request and reads the response to its end. */
export async function readResponse(
  port: number,
  path: string,
  headers: OutgoingHttpHeaders = {},
): Promise<void> {
  const [response]: IncomingMessage[] = await once(get({ port, path, agent, headers }), 'response')
  if (response?.statusCode !== 200) throw new Error(`${path} answered ${response?.statusCode}`)
  response.resume()
  await once(response, 'end')
}
