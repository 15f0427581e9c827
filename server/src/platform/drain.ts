import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Readiness } from './health.ts'

/*
 * Stops a server without losing a request (ADR 71). First it only reports that it wants no more requests. Then it
 * accepts no new connections, and closes each existing one after its next response. Finally it closes.
 */

/** How long proxies may keep idle connections. */
const UNUSED_CONNECTIONS_MS = 3_000
/** A turn of the event loop that took less than this had nothing to do. */
const IDLE_TURN_MS = 0.1
/**
 * An overloaded process has no idle turns. So the limit doubles at this interval, until a short turn counts as
 * idle.
 */
const IDLE_TURN_DOUBLES_EVERY_MS = 100

/** Stops accepting connections, and waits until each open one was used once more or closed. */
export async function drainConnections(app: FastifyInstance, readiness: Readiness): Promise<void> {
  await untilIdle()
  readiness.shutdown = 'closing'
  // Not http.Server's close, which also closes idle connections, because a proxy may be sending a request on one.
  const closed = new Promise((resolve) => Server.prototype.close.call(app.server, resolve))
  await Promise.race([closed, wait(UNUSED_CONNECTIONS_MS)])
}

/**
 * Resolves after a turn of the event loop in which no connection waited to be accepted. The system would reset
 * waiting connections when the server stops listening.
 */
async function untilIdle(): Promise<void> {
  const startMs = performance.now()
  for (let lastMs = startMs; ; ) {
    await new Promise((resolve) => setImmediate(resolve))
    const nowMs = performance.now()
    if (nowMs - lastMs < IDLE_TURN_MS * 2 ** ((nowMs - startMs) / IDLE_TURN_DOUBLES_EVERY_MS)) return
    lastMs = nowMs
  }
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
  const unused = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }) => unused.delete(socket))
  app.addHook('preClose', async () => {
    for (const socket of unused) socket.destroy()
    const timer = setInterval(() => app.server.closeIdleConnections(), 50)
    app.server.once('close', () => clearInterval(timer))
  })
}
