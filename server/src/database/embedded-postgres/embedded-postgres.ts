import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { withFileLock } from '../../core/file-lock.ts'
import { findBinaries } from './binaries.ts'
import { createCluster, refuseOtherMajor, SUPERUSER } from './cluster.ts'
import { createDataDir, findAbandonedClusters, findOrChooseHome, type Home } from './home.ts'
import { findPostmaster, shutDown } from './postmaster.ts'
import { type Running, startOrJoin } from './start-or-join.ts'

export { PostgresRefused } from './refused.ts'
export { startTestPostgres, startTestReplica } from './test-postgres.ts'

export type EmbeddedPostgres = { url: string; stop(): Promise<void> }

type Options = { dataDir: string; say: (line: string) => void }

const DATABASE = 'sought'

/**
 * Starts a PostgreSQL with its data in `dataDir`, for machines that have none.
 *
 * It keeps running if the server is killed, and the next server joins it. Servers with the same data folder share
 * it: each holds a shared advisory lock, and the last one to release it shuts PostgreSQL down.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { dataDir, say } = options
  createDataDir(dataDir)
  const withLock = <Result>(work: () => Promise<Result>) => withFileLock(lockFile(dataDir), work, { say })

  const { home, port, client } = await withLock(async () => {
    const home = await openHome(options)
    const running = await startAndLock(home, options)
    await createDatabase(running.client)
    return { home, ...running }
  })
  // Uses the same port, so that the URL stays valid.
  const reconnect = () => withLock(async () => (await startAndLock(home, options, port)).client)
  const connection = keepConnected(client, reconnect, say)

  async function stop() {
    const last = await connection.stop()
    await withLock(async () => {
      if (await releaseAndCheckLast(last)) await shutDown(home.cluster)
    })
  }

  let stopped: Promise<void> | undefined
  return {
    url: `postgres://${SUPERUSER}:${home.password}@127.0.0.1:${port}/${DATABASE}`,
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

const lockFile = (dataDir: string) => join(dataDir, 'postgres.lock')

async function openHome({ dataDir, say }: Options): Promise<Home> {
  const home = findOrChooseHome(dataDir, findBinaries(), say)
  for (const cluster of findAbandonedClusters(home, dataDir)) {
    if (findPostmaster(cluster)) {
      say(`Stopping PostgreSQL on ${cluster}, left over from an earlier ${dataDir} ...`)
      await shutDown(cluster)
    }
  }
  if (existsSync(home.cluster)) {
    refuseOtherMajor(home)
  } else {
    say('Creating the database ...')
    await createCluster(home, { durable: true })
  }
  return home
}

/** An arbitrary advisory lock number, used in the database `postgres`. */
const IN_USE_LOCK = 5_750_420

async function startAndLock(home: Home, { dataDir, say }: Options, port?: number): Promise<Running> {
  const running = await startOrJoin(home, { logFile: join(dataDir, 'postgres.log'), port, say })
  await running.client.query('select pg_advisory_lock_shared($1)', [IN_USE_LOCK])
  return running
}

/** Releases the shared lock and returns whether no other server holds it. */
async function releaseAndCheckLast(client: pg.Client): Promise<boolean> {
  try {
    await client.query('select pg_advisory_unlock_shared($1)', [IN_USE_LOCK])
    const { rows } = await client.query('select pg_try_advisory_lock($1) as alone', [IN_USE_LOCK])
    return rows[0].alone
  } catch {
    // PostgreSQL is already gone.
    return false
  } finally {
    await client.end()
  }
}

async function createDatabase(client: pg.Client) {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
  if (rowCount === 0) await client.query(`create database ${DATABASE}`)
}

const RETRY_SECONDS = [0, 1, 2, 4, 8, 16, 32]

/** Calls `reconnect` for a new connection whenever the connection breaks. */
function keepConnected(first: pg.Client, reconnect: () => Promise<pg.Client>, say: (line: string) => void) {
  let client = first
  let reconnecting: Promise<void> | undefined
  const stopped = new AbortController()
  watch()

  function watch() {
    client.once('end', () => {
      if (!stopped.signal.aborted) reconnecting = retryReconnect()
    })
  }

  async function retryReconnect() {
    say('Lost the connection to PostgreSQL.')
    for (const seconds of RETRY_SECONDS) {
      try {
        await pause(seconds * 1000, undefined, { signal: stopped.signal })
        client = await reconnect()
        watch()
        say('Reconnected to PostgreSQL.')
        return
      } catch (error) {
        if (stopped.signal.aborted) return
        say(`Could not reconnect to PostgreSQL: ${error instanceof Error ? error.message : error}`)
      }
    }
  }

  return {
    /** Stops watching and returns the current connection. */
    async stop(): Promise<pg.Client> {
      stopped.abort()
      await reconnecting
      return client
    },
  }
}
