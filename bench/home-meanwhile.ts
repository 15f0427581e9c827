import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { listWantedItems } from '@sought/contract/requests'
import { milliseconds, p99, report, timeMs } from './measure.ts'
import { startReleasingServer } from './releasing-server.ts'
import { PAGE } from './serve.ts'
import { median, perSecond } from './throughput.ts'

const ROUNDS = 7
const ROUND_SECONDS = 10
const PER_SECOND = 50
const MOST_TIMES_OF_IDLE = 2

/**
 * Home's list at a steady pace, while the server's process does nothing else and while it releases, in turns. The
 * times of all rounds are put together: a round alone has five requests beyond its p99, which is a matter of luck.
 */
export async function compareHome(databaseUrl: string): Promise<boolean> {
  const server = await startReleasingServer(databaseUrl)
  const idleMs: number[] = []
  const busyMs: number[] = []
  const rates: number[] = []
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const idle = await askSteadily(server.port)
      server.startReleasing()
      const busy = await askSteadily(server.port)
      const rate = (await server.stopReleasing()) / ROUND_SECONDS
      // The first round only warms up.
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
    `p99 of home's list, ${PER_SECOND} requests a second, ${ROUNDS} rounds of ${ROUND_SECONDS} s each way`,
    ['', 'idle', 'meanwhile', 'times', 'bound'],
    [
      {
        cells: [
          `while the same process releases ${perSecond(median(rates))}`,
          milliseconds(idle),
          milliseconds(busy),
          (busy / idle).toFixed(2),
          `${MOST_TIMES_OF_IDLE} times`,
        ],
        ok: busy / idle <= MOST_TIMES_OF_IDLE,
      },
    ],
  )
}

/** Asks whether or not the last answer has come: a server that falls behind is not spared. */
async function askSteadily(port: number): Promise<number[]> {
  const path = `${listWantedItems.path}?limit=${PAGE}`
  const began = performance.now()
  const asked: Promise<number>[] = []
  for (let n = 0; n < PER_SECOND * ROUND_SECONDS; n++) {
    await wait(Math.max(0, began + (n * 1000) / PER_SECOND - performance.now()))
    asked.push(timeMs(() => ask(port, path)))
  }
  return Promise.all(asked)
}

const agent = new Agent({ keepAlive: true })

/** Reads an answer to its end. */
export async function ask(port: number, path: string, headers: OutgoingHttpHeaders = {}): Promise<void> {
  const [response]: IncomingMessage[] = await once(get({ port, path, agent, headers }), 'response')
  if (response?.statusCode !== 200) throw new Error(`${path} was answered with ${response?.statusCode}`)
  response.resume()
  await once(response, 'end')
}
