import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { findBinaries } from './embedded-postgres/binaries.ts'
import { createCluster, refuseOtherMajor, SUPERUSER } from './embedded-postgres/cluster.ts'
import { abandonedClusters, findOrChooseHome, type Home, makeDataDir } from './embedded-postgres/home.ts'
import { keepConnected } from './embedded-postgres/keep-connected.ts'
import { findPostmaster, shutDown } from './embedded-postgres/postmaster.ts'
import { type Running, startOrJoin } from './embedded-postgres/start-or-join.ts'
import { withFileLock } from './file-lock.ts'

export { PostgresRefused } from './embedded-postgres/refused.ts'
export { startTestPostgres } from './embedded-postgres/throwaway.ts'

export type EmbeddedPostgres = { url: string; stop(): Promise<void> }

type Options = { dataDir: string; say: (line: string) => void }

const DATABASE = 'sought'

/**
 * A real PostgreSQL for machines that have none, with its data in `dataDir`.
 *
 * It outlives a server that was killed, and the next one joins it. Servers on one data folder share it, each
 * with a shared lock inside it; the one that stops and finds nobody else's lock shuts it down.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { dataDir, say } = options
  makeDataDir(dataDir)
  const alone = <Result>(work: () => Promise<Result>) => withFileLock(lockFile(dataDir), work, { say })

  const { home, port, client } = await alone(async () => {
    const home = await openHome(options)
    const running = await share(home, options)
    await createDatabase(running.client)
    return { home, ...running }
  })
  // On the same port, so that the address that we give away stays true.
  const bringBack = () => alone(async () => (await share(home, options, port)).client)
  const connection = keepConnected(client, bringBack, say)

  async function stop() {
    const last = await connection.giveUp()
    await alone(async () => {
      if (await leave(last)) await shutDown(home.cluster)
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

async function share(home: Home, { dataDir, say }: Options, port?: number): Promise<Running> {
  const running = await startOrJoin(home, { logFile: join(dataDir, 'postgres.log'), port, say })
  await running.client.query('select pg_advisory_lock_shared($1)', [IN_USE])
  return running
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
