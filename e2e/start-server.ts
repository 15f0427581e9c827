import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startTestPostgres } from '@sought/server/platform/embedded-postgres'
import { freePort } from '@sought/server/platform/free-port'

const MAIN = fileURLToPath(import.meta.resolve('@sought/server/main'))
/** A machine that is busy with other things may take its time. */
const READY_WITHIN_MS = 120_000

/**
 * Starts the real server, with the demo marketplace on a throwaway PostgreSQL, for all journeys, and a second process
 * on the same database for those that show that two of them work together. The second comes up while the first
 * journeys run: whoever needs it waits for it (`secondAddress` in story.ts).
 */
export default async function startServers() {
  const postgres = await startTestPostgres()
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-e2e-'))
  const first = await startServer(postgres.url, dataDir)
  await Promise.race([
    ready(first.address),
    first.ended.then(() => Promise.reject(new Error('the server ended'))),
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
      DEMO: 'on',
      RATE_LIMIT: 'off',
      LOAD_SHEDDING: 'off',
      LOG_LEVEL: 'warn',
    },
    // The server stops by itself when this channel closes, however we end.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  const stop = async () => {
    server.kill('SIGTERM')
    await ended
  }
  return { address, ended, stop }
}

async function ready(address: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS
  while (Date.now() < deadline) {
    const reply = await fetch(`${address}/readyz`).catch(() => null)
    if (reply?.ok) return
    await wait(100)
  }
  throw new Error(`the server was not ready within ${READY_WITHIN_MS} ms`)
}
