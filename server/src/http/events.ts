import { randomInt } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Change } from '@sought/contract/events'
import { type SQL, sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { refuse } from '../core/errors.ts'
import { readNewAnnouncements, type Snapshot } from '../database/announcements.ts'
import type { Tx } from '../database/database.ts'
import { isPooled, prepareClient } from '../database/pooler.ts'
import { CONNECTION_LIMITS } from '../database/silent-connections.ts'

/*
 * Tells the open pages of users that something has changed. Announcements are stored by the transaction of the
 * change, and a notifier passes them on to every process (ADR 23, ADR 107). They name what to fetch again and carry
 * no data.
 */

const CHANNEL = 'changes'
/** A trigger on the sessions table announces the id of every session that ends. */
const ENDED_CHANNEL = 'session_ended'
const HEARTBEAT_MS = 15_000
const RELISTEN_MS = 500
/** How often announcements are polled if a pooler prevents listening. */
const POLL_MS = 500
const QUERY_TIMEOUT_MS = 5_000
/** How long stopping waits for a connection that may be silent. */
const STOP_MS = 1_000
const PRESENCE_BATCH_MS = 50
const STREAMS_PER_USER = 10
/** A client that is this far behind is disconnected. It reconnects and fetches everything again. */
const BACKLOG_MAX_BYTES = 64 * 1024
const RETRY_MS = 1_000
/** Clients of a stopping process reconnect within this time, spread out so that other processes can serve them. */
const DRAIN_RETRY_MS = { least: 500, most: 3_000 }

interface Announcement {
  to: string[]
  change: Change
}

/** Announces a change to these users once the transaction commits. */
export async function announce(tx: Tx, to: string[], change: Change): Promise<void> {
  const announcement: Announcement = { to, change }
  await tx.execute(sql`select announce(${CHANNEL}, ${JSON.stringify(announcement)})`)
}

/** The SQL expression to announce a change from within another statement. */
export function announceSql(to: SQL, change: Change): SQL {
  return sql`announce(${CHANNEL}, json_build_object('to', ${to}, 'change', ${JSON.stringify(change)}::json)::text)`
}

interface Stream {
  userId: string
  sid: string
  response: ServerResponse
}

export interface Events {
  /** Listens for announcements. Idempotent. */
  start(): void
  /** Takes the response, keeps it open and writes this user's announcements to it. */
  open(userId: string, sid: string, takeResponse: () => ServerResponse): void
  countStreams(): number
  /** Tells all current clients to reconnect, and later each new one. */
  drain(): void
  stop(): Promise<void>
}

interface StreamOwners {
  /** Returns those session ids that have not expired. */
  findLiveSessions(sids: string[]): Promise<Set<string>>
  /** Called with the users who have a page open, when they open it and on every heartbeat. */
  recordPresence(userIds: string[]): Promise<void>
  /** Called before users are told of a change. */
  awaitChanges(userIds: string[]): void
}

export function createEvents(
  databaseUrl: string,
  { findLiveSessions, recordPresence, awaitChanges }: StreamOwners,
  log: FastifyBaseLogger,
): Events {
  const streamsByUser = new Map<string, Set<Stream>>()
  let draining = false
  let stopped = false
  let listener: pg.Client | null = null
  let listening = Promise.resolve()
  let heartbeat: NodeJS.Timeout | undefined

  const allStreams = () => [...streamsByUser.values()].flatMap((streams) => [...streams])
  const savePresence = async (userIds: string[]) => {
    if (stopped) return
    await recordPresence(userIds).catch((error) => log.debug({ err: error }, 'could not record presence'))
  }
  /** After an outage all users reconnect at once, so their presence is saved in batches. */
  const connected = new Set<string>()
  const addToBatch = (userId: string) => {
    if (connected.size === 0) setTimeout(saveBatch, PRESENCE_BATCH_MS)
    connected.add(userId)
  }
  const saveBatch = () => {
    const userIds = [...connected]
    connected.clear()
    void savePresence(userIds)
  }
  const handleNotification = ({ channel, payload = '' }: Pick<pg.Notification, 'channel' | 'payload'>) => {
    if (channel === ENDED_CHANNEL) return endStreams((stream) => stream.sid === payload)
    const { to, change }: Announcement = JSON.parse(payload)
    awaitChanges(to)
    for (const userId of to) for (const stream of streamsByUser.get(userId) ?? []) write(stream, change)
  }

  /** Called when a stream is ended, since its connection closes later and must not be written to until then. */
  const removeStream = (stream: Stream) => {
    const streams = streamsByUser.get(stream.userId)
    streams?.delete(stream)
    if (streams?.size === 0) streamsByUser.delete(stream.userId)
  }
  const endStreams = (matches: (stream: Stream) => boolean) => {
    for (const stream of allStreams().filter(matches)) {
      removeStream(stream)
      closeStream(stream)
    }
  }

  const refreshAll = () => {
    for (const stream of allStreams()) write(stream, { about: 'everything' })
  }

  /** Ends when the connection breaks. If its server vanishes silently, a heartbeat detects it. */
  async function receive(client: pg.Client, lost: Promise<'lost'>): Promise<void> {
    client.on('notification', handleNotification)
    await client.query(`listen ${CHANNEL}; listen ${ENDED_CHANNEL}`)
    // Announcements may have been missed while not listening.
    refreshAll()
    while ((await Promise.race([lost, wait(HEARTBEAT_MS, 'due', { ref: false })])) === 'due')
      await client.query('select 1')
  }

  async function poll(client: pg.Client): Promise<void> {
    let known: Snapshot | null = null
    while (!stopped) {
      const { snapshot, announced } = await readNewAnnouncements(client, known)
      for (const announcement of announced) handleNotification(announcement)
      if (known === null) refreshAll()
      known = snapshot
      await wait(POLL_MS)
    }
  }

  async function listen(): Promise<void> {
    while (!stopped) {
      const client = new pg.Client({
        ...CONNECTION_LIMITS,
        connectionString: databaseUrl,
        application_name: 'sought events',
        query_timeout: QUERY_TIMEOUT_MS,
      })
      const lost = new Promise<'lost'>((resolve) => {
        client.on('error', () => resolve('lost'))
        client.on('end', () => resolve('lost'))
      })
      try {
        await client.connect()
        listener = client
        await prepareClient(client, {}, QUERY_TIMEOUT_MS)
        if (!stopped) await (isPooled(client) ? poll(client) : receive(client, lost))
      } catch (error) {
        log.debug({ err: error }, 'lost the connection that listens for changes')
      }
      listener = null
      await client.end().catch(() => {})
      if (!stopped) await wait(RELISTEN_MS)
    }
  }

  async function beat(): Promise<void> {
    const streams = new Set(allStreams())
    const signedIn = await findLiveSessions([...streams].map(({ sid }) => sid)).catch(() => null)
    // Streams opened during this query were not checked.
    if (signedIn) endStreams((stream) => streams.has(stream) && !signedIn.has(stream.sid))
    for (const { response } of allStreams()) response.write(':\n\n')
    if (signedIn) await savePresence([...streamsByUser.keys()])
  }

  /** Also used for a client that connects now, over a connection that was still open. */
  const reconnectLater = (stream: Stream) => {
    const { least, most } = DRAIN_RETRY_MS
    stream.response.write(`retry: ${randomInt(least, most)}\n\n`)
    removeStream(stream)
    closeStream(stream)
  }

  return {
    start() {
      if (heartbeat) return
      listening = listen()
      heartbeat = setInterval(() => void beat(), HEARTBEAT_MS)
    },
    open(userId, sid, takeResponse) {
      const streams = streamsByUser.get(userId) ?? new Set()
      if (streams.size >= STREAMS_PER_USER) throw refuse('too_many', { retryAfterSeconds: 60 })
      const stream: Stream = { userId, sid, response: takeResponse() }
      streamsByUser.set(userId, streams.add(stream))
      stream.response.once('close', () => removeStream(stream))
      stream.response.on('error', (error) => log.debug({ err: error }, 'event stream failed'))
      stream.response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        // Close the connection with the stream, so that a shutdown does not wait for it.
        connection: 'close',
      })
      // A client that reconnects fetches everything again, so it misses nothing.
      stream.response.write(`retry: ${RETRY_MS}\n`)
      write(stream, { about: 'everything' })
      addToBatch(userId)
      if (draining) reconnectLater(stream)
    },
    countStreams: () => allStreams().length,
    drain() {
      draining = true
      allStreams().forEach(reconnectLater)
    },
    async stop() {
      stopped = true
      clearInterval(heartbeat)
      endStreams(() => true)
      const ended = Promise.all([listener?.end().catch(() => {}), listening])
      await Promise.race([ended, wait(STOP_MS, null, { ref: false })])
    },
  }
}

/** Closes the socket too, so that a shutdown does not wait for it. */
function closeStream({ response }: Stream): void {
  const { socket } = response
  response.end()
  socket?.end()
}

function write({ response }: Stream, change: Change): void {
  if (response.writableLength > BACKLOG_MAX_BYTES) response.destroy()
  else response.write(`data: ${JSON.stringify(change)}\n\n`)
}
