import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Longer than clients keep unused connections, so that they never send a request on a connection that the server is
 * closing.
 */
const KEEP_ALIVE_MS = 72_000

export interface Listener {
  url: string
  close(): Promise<void>
}

/** Listens on the loopback interface. Port 0 picks a free one. */
export async function listenOnLoopback(handle: RequestListener, port: number): Promise<Listener> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, handle).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
