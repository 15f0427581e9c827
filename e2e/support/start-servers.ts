import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Currency } from '@sought/contract/currencies'
import { freePort } from '@sought/server/core/free-port'
import { startTestPostgres } from '@sought/server/database/embedded-postgres/embedded-postgres'
import { insertSmallMarket } from './small-market.ts'

const MAIN = fileURLToPath(import.meta.resolve('@sought/server/main'))
/** Long enough for a busy machine. */
const READY_WITHIN_MS = 300_000

const ANSWER_WITHIN_MS = 10_000
/** A port that was free may be taken before the server listens on it. */
const ATTEMPTS = 3

const isShort = process.env.JOURNEYS === 'short'

/**
 * Starts two processes of the real server with the demo market on one temporary PostgreSQL; for `npm test` one
 * process with a small market. `npm run proof -- deployment` starts its own market instead.
 */
export default async function startServers() {
  if (process.env.SOUGHT_ADDRESS) return
  const postgres = await startTestPostgres({ inMemory: true })
  process.env.SESSION_SECRET = randomUUID()
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-e2e-'))
  const first = await startServer(postgres.socketUrl, dataDir)
  const second = isShort ? null : await startServer(postgres.socketUrl, dataDir)
  if (isShort) await insertSmallMarket(postgres.socketUrl)
  process.env.SOUGHT_ADDRESS = first.address
  process.env.SOUGHT_SECOND_ADDRESS = (second ?? first).address
  process.env.SOUGHT_DATABASE_URL = postgres.socketUrl
  return async () => {
    await Promise.all([first.stop(), second?.stop()])
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

export interface Server {
  address: string
  stop(): Promise<void>
}

export async function startServer(
  databaseUrl: string,
  dataDir: string,
  env: { DEMO?: 'off'; CURRENCY?: Currency } = {},
  attempt = 1,
): Promise<Server> {
  const address = `http://localhost:${await freePort()}`
  const server = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: new URL(address).port,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      SESSION_SECRET: process.env.SESSION_SECRET,
      DEMO: isShort ? 'off' : 'on',
      RATE_LIMIT: 'off',
      LOAD_SHEDDING: 'off',
      LOG_LEVEL: 'warn',
      ...env,
    },
    // The server stops when this channel closes, even if this process is killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  let stopping = false
  const ended = new Promise<'ended'>((resolve) => {
    server.once('exit', (code, signal) => {
      if (!stopping) console.error(`The server at ${address} ended unexpectedly: ${signal ?? code}`)
      resolve('ended')
    })
  })
  if ((await Promise.race([waitUntilReady(address), ended])) === 'ended') {
    if (attempt === ATTEMPTS) throw new Error('the server does not start')
    return startServer(databaseUrl, dataDir, env, attempt + 1)
  }
  const stop = async () => {
    stopping = true
    server.kill('SIGINT')
    await ended
  }
  return { address, stop }
}

async function waitUntilReady(address: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS
  while (Date.now() < deadline) {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const reply = await fetch(`${address}/readyz`, { signal }).catch(() => null)
    if (reply?.ok) return
    await wait(100)
  }
  throw new Error(`the server was not ready within ${READY_WITHIN_MS} ms`)
}
