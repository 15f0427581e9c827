import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startTestPostgres } from '@sought/server/platform/embedded-postgres'
import { freePort } from '@sought/server/platform/free-port'

const MAIN = fileURLToPath(import.meta.resolve('@sought/server/main'))
/** Long enough for a busy machine. */
const READY_WITHIN_MS = 300_000

/**
 * Starts the real server with the demo market on a temporary PostgreSQL, and a second server process on the same
 * database. The second one starts while the first tests run: the test that needs it waits for it
 * (`secondServerAddress` in fixtures.ts).
 */
export default async function startServers() {
  const postgres = await startTestPostgres({ inMemory: true })
  process.env.SESSION_SECRET = randomUUID()
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-e2e-'))
  const first = await startServer(postgres.url, dataDir)
  await Promise.race([
    waitUntilReady(first.address),
    first.ended.then(() => Promise.reject(new Error('the server stopped'))),
  ])
  const second = await startServer(postgres.url, dataDir)
  process.env.SOUGHT_ADDRESS = first.address
  process.env.SOUGHT_SECOND_ADDRESS = second.address
  process.env.SOUGHT_DATABASE_URL = postgres.url
  return async () => {
    await Promise.all([first.stop(), second.stop()])
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function startServer(databaseUrl: string, dataDir: string) {
  const address = `http://localhost:${await freePort()}`
  const server = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      PORT: new URL(address).port,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      SESSION_SECRET: process.env.SESSION_SECRET,
      DEMO: 'on',
      RATE_LIMIT: 'off',
      LOAD_SHEDDING: 'off',
      LOG_LEVEL: 'warn',
    },
    // The server stops when this channel closes, also when this process is killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  const stop = async () => {
    server.kill('SIGTERM')
    await ended
  }
  return { address, ended, stop }
}

async function waitUntilReady(address: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS
  while (Date.now() < deadline) {
    const reply = await fetch(`${address}/readyz`).catch(() => null)
    if (reply?.ok) return
    await wait(100)
  }
  throw new Error(`the server was not ready within ${READY_WITHIN_MS} ms`)
}
