import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../core/free-port.ts'
import { program } from './binaries.ts'
import { ENVIRONMENT, SUPERUSER } from './cluster.ts'
import type { Home } from './home.ts'
import { findPostmaster, replaceStalePid } from './postmaster.ts'
import { PostgresRefused } from './refused.ts'
import { identity } from './service-user.ts'

/** A running PostgreSQL and an open connection to it. */
export type Running = { port: number; client: pg.Client }

type StartOptions = { logFile: string; port: number | undefined; say: (line: string) => void }

/** After a crash, PostgreSQL replays its log before it accepts connections. */
const READY_SECONDS = 120

/** Joins the PostgreSQL that runs on this cluster, or starts one. The caller must hold the data folder's lock. */
export async function startOrJoin(home: Home, options: StartOptions): Promise<Running> {
  const deadline = performance.now() + READY_SECONDS * 1000
  while (performance.now() < deadline) {
    const running = (await joinRunning(home)) ?? (await start(home, options))
    if (running) return running
    await pause(200)
  }
  throw new PostgresRefused(
    `PostgreSQL did not start within ${READY_SECONDS} seconds; see ${options.logFile}.`,
  )
}

async function joinRunning(home: Home): Promise<Running | undefined> {
  const found = findPostmaster(home.cluster)
  if (!found) return undefined
  return waitUntilReady(home, found.port, () => findPostmaster(home.cluster)?.pid === found.pid)
}

/** Undefined if the failure is temporary. */
async function start(home: Home, { logFile, port, say }: StartOptions): Promise<Running | undefined> {
  say('Starting PostgreSQL ...')
  replaceStalePid(home.cluster)
  const chosen = port ?? (await freePort())
  const alreadyLogged = sizeOf(logFile)
  const postmaster = await spawnPostgres(home, logFile, settings(chosen))
  const running = await waitUntilReady(home, chosen, () => isRunning(postmaster))
  if (running || isTemporary(loggedSince(logFile, alreadyLogged))) return running
  throw new PostgresRefused(`PostgreSQL stopped during startup; see ${logFile}.`)
}

/** The port was taken in the meantime, or processes of a killed postmaster are still running. */
function isTemporary(log: string): boolean {
  return /could not bind|is still in use|already exists/.test(log)
}

export const settings = (port: number) => ({
  port,
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 100,
  shared_buffers: '128MB',
  fsync: 'on',
  timezone: 'UTC',
  // Logs starts, stops and crashes. Statement errors are reported to the client, so the log stays small.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
})

export function postgresArguments(home: Home, values: Record<string, string | number>): string[] {
  return [
    '-D',
    home.cluster,
    ...Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

/** Detached, so that Ctrl-C in the terminal reaches us and not PostgreSQL. */
async function spawnPostgres(home: Home, logFile: string, values: Record<string, string | number>) {
  const log = openSync(logFile, sizeOf(logFile) > 1_000_000 ? 'w' : 'a')
  try {
    const postmaster = spawn(program(home.binaries, 'postgres'), postgresArguments(home, values), {
      ...identity(home.user),
      cwd: home.folder,
      env: ENVIRONMENT,
      detached: true,
      stdio: ['ignore', log, log],
    })
    await once(postmaster, 'spawn')
    postmaster.unref()
    return postmaster
  } catch (error) {
    throw new PostgresRefused(`PostgreSQL cannot run on this machine (${String(error)}).`)
  } finally {
    closeSync(log)
  }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

/** Tries to connect until PostgreSQL accepts connections or has exited. */
export async function waitUntilReady(
  home: Home,
  port: number,
  isAlive: () => boolean,
): Promise<Running | undefined> {
  const deadline = performance.now() + READY_SECONDS * 1000
  while (isAlive() && performance.now() < deadline) {
    const client = await connect(home, port)
    if (client) return { port, client }
    await pause(50)
  }
  return undefined
}

const WRONG_PASSWORD = '28P01'

/** The password is unique to the cluster, so a server that accepts it is the right one. */
async function connect(home: Home, port: number): Promise<pg.Client | undefined> {
  const { password } = home
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: SUPERUSER,
    password,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 5000,
  })
  // Without a listener, an 'error' event would end the process. Owners of the connection watch 'end' instead.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === WRONG_PASSWORD) {
      throw new PostgresRefused(
        `The password in postgres.json does not match the database in ${home.cluster}.`,
      )
    }
    return undefined
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function loggedSince(file: string, offset: number): string {
  return readFileSync(file).subarray(offset).toString()
}
