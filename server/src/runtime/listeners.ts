import { once } from 'node:events'
import { type AddressInfo, createServer, Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

/*
 * In each turn of the event loop, Node accepts one connection per listening socket. A busy process has too few turns
 * for all new connections, and health checks wait behind them. So several sockets listen on the same port (ADR 88).
 */

const SOCKETS = 8
/** The options of http.Server. */
const HTTP_SOCKETS = { allowHalfOpen: true, noDelay: true }

export interface Listeners {
  /** Returns the address. Rejects if another process listens on the port. */
  listen(at: { port: number; host: string }): Promise<string>
  /** Where it listens now. */
  address(): AddressInfo | null
  /** Stops accepting connections. Resolves when the last one is closed. */
  close(): Promise<void>
}

export function createListeners(app: FastifyInstance): Listeners {
  const servers: Server[] = [app.server]
  return {
    async listen({ port, host }) {
      // Node supports this option on few other systems.
      const reusePort = process.platform === 'linux'
      if (reusePort && port !== 0) await checkPort(port, host)
      const address = await app.listen({ port, host, ...(reusePort && { reusePort }) })
      // The server no longer listens if the process was told to stop in the meantime.
      while (reusePort && app.server.listening && servers.length < SOCKETS)
        servers.push(await listenBeside(app))
      return address
    },
    address: () => app.server.address() as AddressInfo | null,
    async close() {
      // Not http.Server's close, which also closes idle connections, because a proxy may be sending a request on one.
      await Promise.all(
        servers.map((server) => new Promise((resolve) => Server.prototype.close.call(server, resolve))),
      )
    },
  }
}

/** Sockets that share a port would also share it with those of another process. */
async function checkPort(port: number, host: string): Promise<void> {
  const server = createServer((socket) => socket.destroy()).listen({ port, host })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}

/** Another socket on the same port, whose connections the app serves. */
async function listenBeside(app: FastifyInstance): Promise<Server> {
  const { port, address: host } = app.server.address() as AddressInfo
  const server = createServer(HTTP_SOCKETS, (socket) => app.server.emit('connection', socket))
  server.listen({ port, host, reusePort: true })
  await once(server, 'listening')
  return server
}
