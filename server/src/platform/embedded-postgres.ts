import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { findBinaries } from './embedded-postgres/binaries.ts'
import { createCluster, refuseOtherMajor, SUPERUSER } from './embedded-postgres/cluster.ts'
import { abandonedClusters, findOrChooseHome, type Home } from './embedded-postgres/home.ts'
import { findPostmaster, shutDown } from './embedded-postgres/postmaster.ts'
import { startOrJoin } from './embedded-postgres/start-or-join.ts'
import { withFileLock } from './file-lock.ts'

export { PostgresRefused } from './embedded-postgres/refused.ts'
export { startTestPostgres } from './embedded-postgres/throwaway.ts'

export type EmbeddedPostgres = { url: string; stop(): Promise<void> }

type Say = (line: string) => void

const DATABASE = 'sought'

/**
 * A real PostgreSQL for machines that have none, with its data in `dataDir`.
 *
 * It outlives a server that was killed, and the next one joins it. Servers on one data folder share it, each
 * with a shared lock inside it; the one that stops and finds nobody else's lock shuts it down.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  say: Say
}): Promise<EmbeddedPostgres> {
  const { dataDir, say } = options
  mkdirSync(dataDir, { recursive: true })
  const logFile = join(dataDir, 'postgres.log')
  const alone = <Result>(work: () => Promise<Result>) =>
    withFileLock(join(dataDir, 'postgres.lock'), work, { say })

  const { home, port, client } = await alone(async () => {
    const home = await openHome(dataDir, say)
    const running = await startOrJoin(home, { logFile, say })
    await holdSharedLock(running.client)
    await createDatabase(running.client)
    return { home, ...running }
  })

  let holder = client
  let reviving: Promise<void> | undefined
  let stopped: Promise<void> | undefined
  const stopping = new AbortController()
  watch()

  function watch() {
    holder.once('end', () => {
      if (!stopping.signal.aborted) reviving = revive()
    })
  }

  /** On the same port, so that the address that we gave away stays true. */
  async function revive() {
    say('PostgreSQL has gone away.')
    for (const seconds of [0, 1, 2, 4, 8, 16, 32]) {
      try {
        await pause(seconds * 1000, undefined, { signal: stopping.signal })
        holder = await alone(() => share(home, port))
        watch()
        say('PostgreSQL is back.')
        return
      } catch (error) {
        if (stopping.signal.aborted) return
        say(`PostgreSQL does not come back: ${error instanceof Error ? error.message : error}`)
      }
    }
  }

  async function stop() {
    stopping.abort()
    await reviving
    await alone(async () => {
      if (await leave(holder)) await shutDown(home.cluster)
    })
  }

  return {
    url: `postgres://${SUPERUSER}:${home.password}@127.0.0.1:${port}/${DATABASE}`,
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

async function openHome(dataDir: string, say: Say): Promise<Home> {
  const home = findOrChooseHome(dataDir, findBinaries(), say)
  for (const cluster of abandonedClusters(home, dataDir)) {
    if (findPostmaster(cluster)) {
      say(`Stopping PostgreSQL on ${cluster}, which an earlier ${dataDir} has left ...`)
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

/** Any number that nothing else in this PostgreSQL locks; it is taken in the database `postgres`. */
const IN_USE = 5_750_420

async function holdSharedLock(client: pg.Client) {
  await client.query('select pg_advisory_lock_shared($1)', [IN_USE])
}

/** Gives up the shared lock, and tells whether nobody else holds one. */
async function leave(client: pg.Client): Promise<boolean> {
  try {
    await client.query('select pg_advisory_unlock_shared($1)', [IN_USE])
    const { rows } = await client.query('select pg_try_advisory_lock($1) as alone', [IN_USE])
    return rows[0].alone
  } catch {
    // PostgreSQL is gone, and there is nothing left to stop.
    return false
  } finally {
    await client.end()
  }
}

async function createDatabase(client: pg.Client) {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
  if (rowCount === 0) await client.query(`create database ${DATABASE}`)
}
