import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/*
 * A TCP proxy between the server and something it depends on, which makes connections fail:
 *
 * - freeze: nothing arrives any more, in either direction, until the fault ends.
 * - drop: as if a firewall forgot the connection: what is sent meanwhile is lost, and so is the connection.
 * - slow: each piece of data arrives later.
 * - reset: connections are reset, and new ones are refused.
 */
export type Fault = 'freeze' | 'drop' | 'slow' | 'reset'

export interface TcpProxy {
  port: number
  /** The URL of the target, through the proxy. */
  url: string
  /** Affects the open connections and, unless `openOnly`, new ones. */
  begin(fault: Fault, options?: { openOnly?: boolean }): void
  end(): void
  countConnections(): number
  /** Called with all data in both directions. */
  onData(listener: ((data: string) => void) | null): void
  close(): Promise<void>
}

const DELAY_MS = 300

interface Connection {
  incoming: Socket
  outgoing: Socket
  fault: Fault | null
  /** Continues what the fault held back. */
  release: (() => void)[]
}

export async function openTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl)
  const connections = new Set<Connection>()
  let faultOfNew: Fault | null = null
  let listener: ((data: string) => void) | null = null

  const reset = ({ incoming, outgoing }: Connection) => {
    incoming.resetAndDestroy()
    outgoing.destroy()
  }

  function forward(connection: Connection, from: Socket, to: Socket): void {
    from.on('data', (data: Buffer) => {
      listener?.(data.toString('latin1'))
      const write = () => void (to.destroyed || to.write(data))
      switch (connection.fault) {
        case 'freeze':
          from.pause()
          connection.release.push(() => {
            write()
            from.resume()
          })
          return
        case 'drop':
          return
        case 'slow':
          return void setTimeout(write, DELAY_MS)
        default:
          return write()
      }
    })
    // A frozen or forgotten connection does not tell the other side that it was closed.
    from.on('close', () => {
      if (connection.fault === 'freeze') connection.release.push(() => to.destroy())
      else if (connection.fault !== 'drop') to.destroy()
      if (to.destroyed) connections.delete(connection)
    })
    from.on('error', () => from.destroy())
  }

  const server = createServer((incoming) => {
    if (faultOfNew === 'reset') return void incoming.resetAndDestroy()
    const outgoing = connect(Number(target.port), target.hostname)
    const connection: Connection = { incoming, outgoing, fault: faultOfNew, release: [] }
    connections.add(connection)
    forward(connection, incoming, outgoing)
    forward(connection, outgoing, incoming)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = new URL(targetUrl)
  url.host = `127.0.0.1:${port}`
  // The Unix socket of PostgreSQL would bypass the proxy.
  url.searchParams.delete('host')

  return {
    port,
    url: url.href,
    begin(fault, { openOnly = false } = {}) {
      faultOfNew = openOnly ? null : fault
      for (const connection of connections) {
        connection.fault = fault
        if (fault === 'reset') reset(connection)
      }
    },
    end() {
      faultOfNew = null
      for (const connection of connections) {
        // A forgotten connection stays dead.
        if (connection.fault === 'drop') continue
        connection.fault = null
        for (const release of connection.release.splice(0)) release()
      }
    },
    countConnections: () => connections.size,
    onData(next) {
      listener = next
    },
    async close() {
      for (const connection of connections) reset(connection)
      server.close()
      await once(server, 'close')
    },
  }
}
