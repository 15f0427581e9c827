import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from './testing/eventually.ts'
import { startProcess } from './testing/start-process.ts'
import { openTcpProxy } from './testing/tcp-proxy.ts'
import { openDatabase } from './testing/world.ts'

/** Starting takes a second on an idle machine; this is the limit on a busy one. */
const READY_WITHIN_MS = 60_000

/** A proxy to the database that tests can disconnect, for example when certain data passes, and reconnect. */
async function openProxy(databaseUrl: string) {
  const proxy = await openTcpProxy(databaseUrl)
  onTestFinished(proxy.close)
  const disconnect = () => proxy.begin('reset')
  disconnect()
  return {
    url: proxy.url,
    connect: proxy.end,
    disconnect,
    disconnectOn(pattern: RegExp) {
      return new Promise<void>((resolve) => {
        proxy.onData((data) => {
          if (!pattern.test(data)) return
          proxy.onData(null)
          disconnect()
          resolve()
        })
      })
    },
  }
}

test('without a database the server answers 503 and recovers on its own, repeatedly, and no job is lost', {
  tags: ['proof'],
  timeout: 8 * READY_WITHIN_MS,
}, async () => {
  const databaseUrl = await openDatabase({ migrated: false })
  const proxy = await openProxy(databaseUrl)
  const { address, process } = await startProcess({ DATABASE_URL: proxy.url, ESCROW_SWEEP_SECONDS: '1' })
  const status = async (path: string) => (await fetch(address + path)).status
  const waitForStatus = (path: string, expected: number) =>
    eventually(async () => expect(await status(path)).toBe(expected))

  await waitForStatus('/healthz', 200)
  expect(await status('/readyz')).toBe(503)
  const early = await fetch(`${address}/api/wanted-items`)
  expect(early.status).toBe(503)
  expect(await early.json()).toMatchObject({ code: 'unavailable' })
  expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0)

  // The connection breaks while the sandbox and the jobs are starting.
  const sandbox = proxy.disconnectOn(/schema if not exists sandbox/)
  proxy.connect()
  await sandbox
  const jobs = proxy.disconnectOn(/graphile_worker/)
  proxy.connect()
  await jobs
  proxy.connect()
  await waitForStatus('/readyz', 200)
  expect(await status('/api/wanted-items')).toBe(200)

  proxy.disconnect()
  expect(await status('/readyz')).toBe(503)
  const during = await fetch(`${address}/api/wanted-items`)
  expect(during.status).toBe(503)
  expect(await during.json()).toEqual({
    code: 'unavailable',
    message: 'The service is temporarily unavailable. Please try again in a minute.',
  })
  expect(await status('/healthz')).toBe(200)

  proxy.connect()
  await waitForStatus('/readyz', 200)
  expect(await status('/api/wanted-items')).toBe(200)

  // The connection breaks while a job is being completed. Jobs continue afterwards.
  for (let time = 1; time <= 3; time++) {
    await proxy.disconnectOn(/complete_job/)
    expect(await status('/healthz')).toBe(200)
    proxy.connect()
    await waitForStatus('/readyz', 200)
  }

  // The connection breaks while a job is being assigned. The job is assigned again.
  const sql = new pg.Pool({ connectionString: databaseUrl })
  onTestFinished(() => sql.end())
  const assigned = proxy.disconnectOn(/assigned and lost/)
  await sql.query("select graphile_worker.add_job('send-mail', payload := $1)", [
    JSON.stringify({ mailIds: [], note: 'assigned and lost' }),
  ])
  await assigned
  const jobTable = 'graphile_worker._private_jobs'
  const left = "payload ->> 'note' = 'assigned and lost'"
  const { rows } = await sql.query(`select locked_by, attempts from ${jobTable} where ${left}`)
  expect(rows).toEqual([{ locked_by: expect.any(String), attempts: 1 }])
  proxy.connect()
  await waitForStatus('/readyz', 200)
  await eventually(async () => {
    // Skips the 15 seconds after which a silent worker loses its jobs.
    await sql.query(`update ${jobTable} set locked_at = locked_at - interval '1 minute' where ${left}`)
    await sql.query("update job_workers set seen_at = seen_at - interval '1 minute'")
    expect((await sql.query(`select from ${jobTable} where ${left}`)).rowCount).toBe(0)
  })
  expect(process.exitCode).toBe(null)
})
