import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Change } from '@sought/contract/events'
import { type SQL, sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import type { Tx } from './database.ts'
import { refuse } from './errors.ts'

/*
 * Tells people's open pages that something of theirs has changed. The news goes through PostgreSQL's
 * NOTIFY, inside the transaction that makes it true, so that it arrives on every process and only
 * after the commit (ADR 23). It says what to read again, never what there is to read.
 */

const CHANNEL = 'changes'
/** A trigger on the table tells of every session that is ended, with its id. */
const ENDED_CHANNEL = 'session_ended'
const HEARTBEAT_MS = 15_000
const RELISTEN_MS = 500
const ARRIVALS_MS = 50
const STREAMS_PER_PERSON = 10
/** A reader this far behind is cut off; it comes back and reads everything anew. */
const BACKLOG_MAX_BYTES = 64 * 1024

interface News {
  to: string[]
  change: Change
}

/** Announces a change to these people, when and if the transaction commits. */
export async function announce(tx: Tx, to: string[], change: Change): Promise<void> {
  const news: News = { to, change }
  await tx.execute(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(news)})`)
}

/** The same within another statement, which knows the people. */
export function announcing(to: SQL, change: Change): SQL {
  return sql`pg_notify(${CHANNEL}, json_build_object('to', ${to}, 'change', ${JSON.stringify(change)}::json)::text)`
}

interface Stream {
  userId: string
  sid: string
  response: ServerResponse
}

export interface Events {
  /** Keeps a response open and writes to it whatever concerns this person. */
  open(stream: Stream): void
  stop(): Promise<void>
}

interface People {
  /** Those of the session ids that are still good. */
  stillSignedIn(sids: string[]): Promise<Set<string>>
  /** Is told who has a page open, when it is opened and from time to time. */
  areHere(userIds: string[]): Promise<void>
}

export function startEvents(
  databaseUrl: string,
  { stillSignedIn, areHere }: People,
  log: FastifyBaseLogger,
): Events {
  const byPerson = new Map<string, Set<Stream>>()
  let stopped = false
  let listener: pg.Client | null = null

  const all = () => [...byPerson.values()].flatMap((streams) => [...streams])
  const noteHere = async (userIds: string[]) => {
    if (stopped) return
    await areHere(userIds).catch((error) => log.debug({ err: error }, 'presence was not noted'))
  }
  /** After a cut everybody comes back at once: they are noted together. */
  const arrived = new Set<string>()
  const noteArrival = (userId: string) => {
    if (arrived.size === 0) setTimeout(noteArrived, ARRIVALS_MS)
    arrived.add(userId)
  }
  const noteArrived = () => {
    const userIds = [...arrived]
    arrived.clear()
    void noteHere(userIds)
  }
  const hear = ({ channel, payload = '' }: pg.Notification) => {
    if (channel === ENDED_CHANNEL) return endStreams((stream) => stream.sid === payload)
    const { to, change }: News = JSON.parse(payload)
    for (const userId of to) for (const stream of byPerson.get(userId) ?? []) write(stream, change)
  }

  /** Nothing is written to a stream that was ended, though its connection takes a while to close. */
  const forget = (stream: Stream) => {
    const streams = byPerson.get(stream.userId)
    streams?.delete(stream)
    if (streams?.size === 0) byPerson.delete(stream.userId)
  }
  const endStreams = (which: (stream: Stream) => boolean) => {
    for (const stream of all().filter(which)) {
      forget(stream)
      stream.response.end()
    }
  }

  async function listen(): Promise<void> {
    while (!stopped) {
      const client = new pg.Client({ connectionString: databaseUrl, application_name: 'sought events' })
      const lost = new Promise<void>((resolve) => {
        client.on('error', () => resolve())
        client.on('end', () => resolve())
      })
      try {
        await client.connect()
        listener = client
        if (!stopped) {
          client.on('notification', hear)
          await client.query(`listen ${CHANNEL}; listen ${ENDED_CHANNEL}`)
          // Whatever happened while nobody listened is read now.
          for (const stream of all()) write(stream, { about: 'everything' })
          await lost
        }
      } catch (error) {
        log.debug({ err: error }, 'not listening for changes')
      }
      listener = null
      await client.end().catch(() => {})
      if (!stopped) await wait(RELISTEN_MS)
    }
  }
  const listening = listen()

  const heartbeat = setInterval(async () => {
    const streams = all()
    const signedIn = await stillSignedIn(streams.map(({ sid }) => sid)).catch(() => null)
    if (signedIn) endStreams(({ sid }) => !signedIn.has(sid))
    for (const { response } of all()) response.write(':\n\n')
    if (signedIn) await noteHere([...byPerson.keys()])
  }, HEARTBEAT_MS)

  return {
    open(stream) {
      const streams = byPerson.get(stream.userId) ?? new Set()
      if (streams.size >= STREAMS_PER_PERSON) throw refuse('too_many', { retryAfterSeconds: 60 })
      byPerson.set(stream.userId, streams.add(stream))
      stream.response.once('close', () => forget(stream))
      stream.response.on('error', (error) => log.debug({ err: error }, 'a stream broke'))
      stream.response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        // The connection ends with the stream, so that a server that stops does not wait for it.
        connection: 'close',
      })
      // Whoever comes back after a cut reads everything anew, and so misses nothing.
      stream.response.write('retry: 1000\n')
      write(stream, { about: 'everything' })
      noteArrival(stream.userId)
    },
    async stop() {
      stopped = true
      clearInterval(heartbeat)
      endStreams(() => true)
      await listener?.end().catch(() => {})
      await listening
    },
  }
}

function write({ response }: Stream, change: Change): void {
  if (response.writableLength > BACKLOG_MAX_BYTES) response.destroy()
  else response.write(`data: ${JSON.stringify(change)}\n\n`)
}
