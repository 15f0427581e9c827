import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startTestPostgres } from '@sought/server/platform/embedded-postgres'
import { freePort } from '@sought/server/platform/free-port'

const MAIN = fileURLToPath(import.meta.resolve('@sought/server/main'))
const READY_WITHIN_MS = 30_000

/** Starts the real server, with the demo marketplace on a throwaway PostgreSQL, for all journeys. */
export default async function startServer() {
  const postgres = await startTestPostgres()
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-e2e-'))
  const address = `http://localhost:${await freePort()}`
  const server = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      PORT: new URL(address).port,
      DATABASE_URL: postgres.url,
      DATA_DIR: dataDir,
      DEMO: 'on',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'warn',
    },
    // The server stops by itself when this channel closes, however we end.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  await ready(address)
  process.env.SOUGHT_ADDRESS = address
  return async () => {
    server.kill('SIGTERM')
    await ended
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
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
