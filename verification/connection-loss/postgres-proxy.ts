import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * When connections break: before PostgreSQL gets the request, or after it has run the request but before the reply
 * arrives. Either all connections break, or only this one.
 */
export interface Cut {
  /** Counts from 1. */
  atRequest: number
  when: 'before' | 'after'
  connections: 'all' | 'one'
}

/** A proxy between the server and PostgreSQL that counts requests and cuts connections at one of them. */
export interface PostgresProxy {
  url: string
  /** Restarts the count of requests. Returns a function that tells whether the cut has happened. */
  arm(cut: Cut): () => boolean
  /** Restarts the count of requests, without a cut. Returns a function that returns the count. */
  disarm(): () => number
  close(): Promise<void>
}

/** For this long after a cut of all connections, no new ones are accepted. */
const OUTAGE_MS = 300
/** Client messages that get a reply: a query, the end of a prepared one, a password, and the termination. */
const REQUESTS = new Set(['Q', 'S', 'p', 'X'].map((type) => type.charCodeAt(0)))
const TYPE_BYTES = 1
const LENGTH_BYTES = 4

interface Connection {
  incoming: Socket
  outgoing: Socket
}

export async function openPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl)
  const connections = new Set<Connection>()
  let armed: Cut | null = null
  let count = 0
  let isOut = false

  const end = ({ incoming, outgoing }: Connection) => {
    incoming.resetAndDestroy()
    outgoing.destroy()
  }
  const cut = (which: Connection, { connections: affected }: Cut) => {
    armed = null
    if (affected === 'one') return end(which)
    isOut = true
    setTimeout(() => {
      isOut = false
    }, OUTAGE_MS).unref()
    for (const connection of connections) end(connection)
  }

  const server = createServer((incoming) => {
    if (isOut) return incoming.destroy()
    const outgoing = connect(Number(target.port), target.hostname)
    const connection: Connection = { incoming, outgoing }
    /** Set while the reply to the fatal request is awaited. */
    let fatal: Cut | null = null
    connections.add(connection)
    for (const socket of [incoming, outgoing]) {
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        connections.delete(connection)
        incoming.destroy()
        outgoing.destroy()
      })
    }
    const countRequests = createRequestCounter()
    incoming.on('data', (data: Buffer) => {
      const requests = countRequests(data)
      count += requests
      if (armed && requests > 0 && count >= armed.atRequest) {
        if (armed.when === 'before') return cut(connection, armed)
        fatal = armed
        armed = null
      }
      outgoing.write(data)
    })
    outgoing.on('data', (data: Buffer) => {
      if (fatal) cut(connection, fatal)
      else incoming.write(data)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  // The Unix socket would bypass the proxy.
  url.searchParams.delete('host')

  return {
    url: url.href,
    arm(planned) {
      armed = planned
      count = 0
      return () => count >= planned.atRequest
    },
    disarm() {
      armed = null
      count = 0
      return () => count
    },
    async close() {
      for (const connection of connections) end(connection)
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * Returns a function that counts the requests completed by each piece of the client's data. The first message has
 * no type.
 */
function createRequestCounter(): (data: Buffer) => number {
  let rest = Buffer.alloc(0)
  let started = false
  return (data) => {
    rest = Buffer.concat([rest, data])
    let requests = 0
    for (;;) {
      const head = started ? TYPE_BYTES : 0
      if (rest.length < head + LENGTH_BYTES) return requests
      const length = head + rest.readUInt32BE(head)
      if (rest.length < length) return requests
      if (!started || REQUESTS.has(rest[0] ?? 0)) requests++
      started = true
      rest = rest.subarray(length)
    }
  }
}
