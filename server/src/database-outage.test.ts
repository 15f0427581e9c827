import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from './platform/free-port.ts'
import { eventually } from './testing/eventually.ts'
import { openDatabase } from './testing/world.ts'

/** Starting takes a second on an idle machine; this is the limit on a busy one. */
const READY_WITHIN_MS = 60_000

/** A wire to the database that can be cut, at a word of either side too, and mended. */
async function openWire(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let cut = true
  let hears: ((words: string) => void) | null = null
  const cutAll = () => {
    cut = true
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((incoming) => {
    if (cut) return incoming.destroy()
    const outgoing = connect(Number(target.port), target.hostname)
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        incoming.destroy()
        outgoing.destroy()
      })
    }
    for (const socket of [incoming, outgoing]) {
      socket.on('data', (words) => hears?.(words.toString('latin1')))
    }
    incoming.pipe(outgoing).pipe(incoming)
  })
  const port = await listen(server)
  onTestFinished(() => void server.close())
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    mend() {
      cut = false
    },
    cut: cutAll,
    cutWhenItHears(word: RegExp) {
      return new Promise<void>((resolve) => {
        hears = (words) => {
          if (!word.test(words)) return
          hears = null
          cutAll()
          resolve()
        }
      })
    },
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function startServer(databaseUrl: string): Promise<{ address: string; process: ChildProcess }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-test-'))
  const port = await freePort()
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))
  const server = spawn(process.execPath, [main], {
    env: {
      PATH: '/usr/bin',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      LOAD_SHEDDING: 'off',
      ESCROW_SWEEP_SECONDS: '1',
    },
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  onTestFinished(async () => {
    server.kill('SIGTERM')
    await ended
    await rm(dataDir, { recursive: true, force: true })
  })
  return { address: `http://127.0.0.1:${port}`, process: server }
}

test(
  'with no database in reach it serves, says so, and recovers by itself; then once more',
  async () => {
    const wire = await openWire(await openDatabase({ migrated: false }))
    const { address, process } = await startServer(wire.url)
    const status = async (path: string) => (await fetch(address + path)).status
    const becomes = (path: string, expected: number) =>
      eventually(async () => expect(await status(path)).toBe(expected))

    await becomes('/healthz', 200)
    expect(await status('/readyz')).toBe(503)
    const early = await fetch(`${address}/api/wanted-items`)
    expect(early.status).toBe(503)
    expect(await early.json()).toMatchObject({ code: 'unavailable' })
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0)

    // It comes, and goes again while the sandbox and the jobs are being started.
    const sandbox = wire.cutWhenItHears(/schema if not exists sandbox/)
    wire.mend()
    await sandbox
    const jobs = wire.cutWhenItHears(/graphile_worker/)
    wire.mend()
    await jobs
    wire.mend()
    await becomes('/readyz', 200)
    expect(await status('/api/wanted-items')).toBe(200)

    wire.cut()
    expect(await status('/readyz')).toBe(503)
    const during = await fetch(`${address}/api/wanted-items`)
    expect(during.status).toBe(503)
    expect(await during.json()).toEqual({
      code: 'unavailable',
      message: 'The service is temporarily unavailable. Please try again in a minute.',
    })
    expect(await status('/healthz')).toBe(200)

    wire.mend()
    await becomes('/readyz', 200)
    expect(await status('/api/wanted-items')).toBe(200)

    // In the very moment in which a job's end is written down; and jobs go on being done.
    for (let time = 1; time <= 3; time++) {
      await wire.cutWhenItHears(/complete_job/)
      expect(await status('/healthz')).toBe(200)
      wire.mend()
      await becomes('/readyz', 200)
    }
    expect(process.exitCode).toBe(null)
  },
  6 * READY_WITHIN_MS,
)

test(
  'a job that was given out over a wire that broke is given out again',
  async () => {
    const databaseUrl = await openDatabase()
    const wire = await openWire(databaseUrl)
    wire.mend()
    const { address } = await startServer(wire.url)
    const isReady = () => eventually(async () => expect((await fetch(`${address}/readyz`)).status).toBe(200))
    await isReady()
    const sql = new pg.Pool({ connectionString: databaseUrl })
    onTestFinished(() => sql.end())

    const cut = wire.cutWhenItHears(/given out, and lost/)
    await sql.query("select graphile_worker.add_job('send-mail', payload := $1)", [
      JSON.stringify({ mailIds: [], note: 'given out, and lost' }),
    ])
    await cut
    const jobs = 'graphile_worker._private_jobs'
    const left = "payload ->> 'note' = 'given out, and lost'"
    const { rows } = await sql.query(`select locked_by, attempts from ${jobs} where ${left}`)
    expect(rows).toEqual([{ locked_by: expect.any(String), attempts: 1 }])
    wire.mend()
    await isReady()
    await eventually(async () => {
      // Nobody waits for the quarter of a minute after which a silent process is given up.
      await sql.query(`update ${jobs} set locked_at = locked_at - interval '1 minute' where ${left}`)
      await sql.query("update job_workers set seen_at = seen_at - interval '1 minute'")
      expect((await sql.query(`select from ${jobs} where ${left}`)).rowCount).toBe(0)
    })
  },
  6 * READY_WITHIN_MS,
)
