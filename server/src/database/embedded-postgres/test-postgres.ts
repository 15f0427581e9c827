import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, mkdtempSync, realpathSync, statfsSync } from 'node:fs'
import { chown, cp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../core/free-port.ts'
import { findBinaries, program } from './binaries.ts'
import { createCluster, ENVIRONMENT, SUPERUSER } from './cluster.ts'
import { clusterIn, type Home, reachableBinaries } from './home.ts'
import { PostgresRefused } from './refused.ts'
import { chooseServiceUser, identity, type ServiceUser } from './service-user.ts'
import { postgresArguments, settings, waitUntilReady } from './start-or-join.ts'

/**
 * The shell waits on a pipe from us. When the pipe closes, because we stopped or were killed, it ends PostgreSQL and
 * removes the folder, so that a killed test run leaves nothing behind.
 */
const CLEAN_UP_ON_EXIT = 'folder="$1"; shift; "$@" & read _; kill -QUIT $!; wait $!; cd /; rm -rf "$folder"'

/** Killed servers keep their connections for a while. */
const MANY_CONNECTIONS = { max_connections: 300 }
const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }

export interface TestPostgres {
  url: string
  /** The same database over a Unix socket, which takes a sixth less processor time than TCP. */
  socketUrl: string
  stop(): Promise<void>
}

/** A PostgreSQL for one test run. It is fast because it may lose data in a crash. */
export async function startTestPostgres({ inMemory = false } = {}): Promise<TestPostgres> {
  const home = temporaryHome(inMemory ? memoryFolderIfLarge() : tmpdir())
  await createCluster(home, { durable: false })
  return startTemporary(home)
}

/** A replica that follows a test PostgreSQL. It starts as a copy of its files. */
export async function startTestReplica({ url, socketUrl }: TestPostgres): Promise<TestPostgres> {
  const primary = new URL(url)
  const home = { ...temporaryHome(tmpdir()), password: primary.password }
  const folder = new URL(socketUrl).searchParams.get('host') ?? ''
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("select pg_backup_start('replica', true)")
  await cp(clusterIn(folder), home.cluster, { recursive: true, preserveTimestamps: true })
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  await client.end()
  await rm(join(home.cluster, 'postmaster.pid'))
  await writeFile(join(home.cluster, 'backup_label'), rows[0]?.labelfile ?? '')
  await writeFile(join(home.cluster, 'standby.signal'), '')
  await giveTo(home.user, home.cluster)
  const { username, password, hostname, port } = primary
  const source = `host=${hostname} port=${port} user=${username} password=${password}`
  return startTemporary(home, { primary_conninfo: source })
}

async function giveTo(user: ServiceUser, folder: string): Promise<void> {
  if (!user) return
  const inside = await readdir(folder, { recursive: true })
  for (const path of ['', ...inside]) await chown(join(folder, path), user.uid, user.gid)
}

async function startTemporary(home: Home, more: Record<string, string> = {}): Promise<TestPostgres> {
  const port = await freePort()
  const socket = { unix_socket_directories: home.folder }
  const values = { ...settings(port), ...socket, ...MANY_CONNECTIONS, ...NOT_DURABLE, ...more }
  const command = [program(home.binaries, 'postgres'), ...postgresArguments(home, values)]
  const shell = spawn('/bin/sh', ['-c', CLEAN_UP_ON_EXIT, 'sh', home.folder, ...command], {
    ...identity(home.user),
    cwd: home.folder,
    env: ENVIRONMENT,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = once(shell, 'exit')
  const running = await waitUntilReady(home, port, () => shell.exitCode === null)
  if (!running) throw new PostgresRefused('The test PostgreSQL did not start.')
  await running.client.end()
  const url = `postgres://${SUPERUSER}:${home.password}@127.0.0.1:${port}/postgres`
  return {
    url,
    socketUrl: `${url}?host=${encodeURIComponent(home.folder)}`,
    async stop() {
      shell.stdin.end()
      await ended
    },
  }
}

function temporaryHome(parent: string): Home {
  const user = chooseServiceUser()
  const folder = realpathSync(mkdtempSync(join(parent, 'sought-test-')))
  if (user) chownSync(folder, user.uid, user.gid)
  const password = randomBytes(24).toString('base64url')
  return {
    folder,
    cluster: clusterIn(folder),
    password,
    user,
    binaries: reachableBinaries(findBinaries(), user),
  }
}

const MEMORY_FOLDER = '/dev/shm'
const MEMORY_NEEDED_BYTES = 4 * 1024 ** 3

/** Tests create hundreds of databases, which takes half the time in memory. */
function memoryFolderIfLarge(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
    return bavail * bsize >= MEMORY_NEEDED_BYTES ? MEMORY_FOLDER : tmpdir()
  } catch {
    // macOS has no such folder.
    return tmpdir()
  }
}
