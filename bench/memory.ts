import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CATEGORIES } from '@sought/contract/constants'
import { listWantedItems } from '@sought/contract/requests'
import { serverEnv, serverFlags } from '../scripts/installed.mjs'
import { freePort } from '../server/src/core/free-port.ts'
import { createClient } from '../verification/load/http-client.ts'
import { requestsPerSecond } from './load.ts'
import { report } from './measure.ts'

/* The memory of the server, started as `npm start` does, at rest and while lists are read. */

const ROOT = join(import.meta.dirname, '..')
const REST_MAX_MB = 220
const LOAD_MAX_MB = 320
const REST_SECONDS = 10
const LOAD_SECONDS = 20
const CONNECTIONS = 16
const SAMPLE_MS = 200
const START_WITHIN_MS = 120_000

export async function measureMemory(databaseUrl: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    console.log('\nThe memory of the server is measured on Linux only.')
    return true
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'sought-bench-'))
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const settings = { PORT: String(port), PUBLIC_URL: address, DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
  const server = spawn(process.execPath, [...serverFlags, 'server/src/main.ts'], {
    cwd: ROOT,
    env: { ...serverEnv, ...settings, HOST: '127.0.0.1', DEMO: 'off', RATE_LIMIT: 'off', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  try {
    await untilReady(address)
    await wait(REST_SECONDS * 1000)
    const restMb = residentMb(server.pid)
    const loadMb = await measureUnderLoad(port, () => residentMb(server.pid))
    const rowOf = (title: string, measured: number, limit: number) => ({
      cells: [title, `${measured.toFixed(0)} MB`, `at most ${limit} MB`],
      ok: measured <= limit,
    })
    return report(
      `Resident memory of the server, ${CONNECTIONS} connections`,
      ['', 'measured', 'limit'],
      [
        rowOf(`at rest, ${REST_SECONDS} s after the start`, restMb, REST_MAX_MB),
        rowOf(`while lists are read for ${LOAD_SECONDS} s, at most`, loadMb, LOAD_MAX_MB),
      ],
    )
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const LIST = `${listWantedItems.path}?limit=12`
const LISTS = [LIST, ...CATEGORIES.map((name) => `${LIST}&category=${encodeURIComponent(name)}`)]

async function measureUnderLoad(port: number, readMb: () => number): Promise<number> {
  let [most, isOver] = [0, false]
  const load = requestsPerSecond(port, LISTS, CONNECTIONS, LOAD_SECONDS).finally(() => {
    isOver = true
  })
  while (!isOver) {
    most = Math.max(most, readMb())
    await wait(SAMPLE_MS)
  }
  await load
  return most
}

function residentMb(pid: number | undefined): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1000
}

async function untilReady(address: string): Promise<void> {
  const send = createClient(address)
  const deadline = performance.now() + START_WITHIN_MS
  while ((await send('GET /readyz').catch(() => undefined))?.status !== 200) {
    if (performance.now() > deadline) throw new Error('the server did not start')
    await wait(100)
  }
}
