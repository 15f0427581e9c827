import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Readiness } from './health.ts'
import type { Listeners } from './listeners.ts'
import { countWaitingConnections } from './waiting-connections.ts'

/*
 * Stops a server without losing a request (ADR 71). First it only reports that it wants no more requests. Then it
 * accepts no new connections, and closes each existing one after its next response. Finally it closes.
 */

/** How long proxies may keep idle connections. */
const UNUSED_CONNECTIONS_MS = 3_000
/** How long to look for a moment in which no connection waits to be accepted. */
const ACCEPT_WITHIN_MS = 2_000
/** A count that took longer is out of date. */
const COUNTED_WITHIN_MS = 3

/** Stops accepting connections, and waits until each open one was used once more or closed. */
export async function drainConnections(
  listeners: Listeners,
  readiness: Readiness,
  countWaiting = countWaitingConnections,
): Promise<void> {
  await untilNoneWaits(listeners, countWaiting)
  readiness.shutdown = 'closing'
  await Promise.race([listeners.close(), wait(UNUSED_CONNECTIONS_MS)])
}

/**
 * Resolves when no connection waits to be accepted. The system would reset waiting connections when the server stops
 * listening. Each turn of the event loop accepts some of them, and new ones can arrive until it ends.
 */
async function untilNoneWaits(
  listeners: Listeners,
  countWaiting: typeof countWaitingConnections,
): Promise<void> {
  const address = listeners.address()
  if (!address) return
  const startMs = performance.now()
  /** On a busy machine counting may take long, and new connections may arrive before it ends. */
  const isQueueEmpty = () => {
    const countedMs = performance.now()
    return !countWaiting(address) && performance.now() - countedMs < COUNTED_WITHIN_MS
  }
  do await nextTurn()
  while (!isQueueEmpty() && performance.now() - startMs < ACCEPT_WITHIN_MS)
}

/** Returns a function that lists the unanswered requests, without ids and queries. */
export function trackRequests(app: FastifyInstance): () => string[] {
  const running = new Set<IncomingMessage>()
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    running.add(request)
    response.once('close', () => running.delete(request))
  })
  return () => {
    const requests = [...running].map(
      ({ method, url = '' }) => `${method} ${url.replace(/\?.*/, '').replace(/\/[^/]*\d[^/]*/g, '/…')}`,
    )
    return Object.entries(Object.groupBy(requests, (request) => request)).map(
      ([request, same]) => `${request} (${same?.length})`,
    )
  }
}

/**
 * On shutdown, running requests are answered, and then their keep-alive connections are closed. Node does not count
 * connections as idle that a browser opened but never used, so they are destroyed immediately.
 */
export function closeIdleConnections(app: FastifyInstance): void {
  const open = new Set<Socket>()
  const unused = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    open.add(socket)
    unused.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      unused.delete(socket)
    })
  })
  app.server.on('request', ({ socket }) => unused.delete(socket))
  app.addHook('preClose', async () => {
    for (const socket of unused) socket.destroy()
    const timer = setInterval(() => {
      app.server.closeIdleConnections()
      if (open.size === 0) clearInterval(timer)
    }, 50)
  })
}
