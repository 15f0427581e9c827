import type pg from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { DownloadFailed } from '../files/download.ts'
import { eventually } from '../testing/eventually.ts'
import { openWorld } from '../testing/world.ts'
import { startJobs } from './worker.ts'

/** Keeps every LISTEN on a connection of the pool pending until `fail` is called, and collects every UNLISTEN. */
function delayListen(pool: pg.Pool) {
  const listens: ((error: Error) => void)[] = []
  const unlistens: unknown[] = []
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    Object.assign(client, {
      query(...args: unknown[]) {
        const text = String(args[0])
        if (text.startsWith('LISTEN')) return new Promise((_, reject) => listens.push(reject))
        const result = query(...args)
        if (text.startsWith('UNLISTEN')) unlistens.push(result)
        return result
      },
    })
  })
  return {
    listens,
    unlistens,
    fail() {
      for (const reject of listens) reject(new Error('Connection terminated'))
    },
  }
}

test('the process survives a LISTEN that fails after its worker was stopped', async () => {
  const { services } = await openWorld()
  const rejections: unknown[] = []
  const onRejection = (reason: unknown) => rejections.push(reason)
  process.on('unhandledRejection', onRejection)
  onTestFinished(() => void process.off('unhandledRejection', onRejection))

  const delayed = delayListen(services.database.pool)
  const jobs = startJobs(services, pino({ level: 'silent' }))
  const LISTENING_WORKERS = 2
  await eventually(() => expect(delayed.listens).toHaveLength(LISTENING_WORKERS))
  await jobs.stop()
  delayed.fail()
  // graphile-worker sends UNLISTEN before each release: once for the stop, once for the failure.
  await eventually(() => expect(delayed.unlistens).toHaveLength(2 * LISTENING_WORKERS))
  await Promise.allSettled(delayed.unlistens)
  await new Promise((resolve) => setImmediate(resolve))
  expect(rejections).toEqual([])
})

test('sites that do not answer delay only the copying of pictures', { tags: ['proof'] }, async () => {
  const { services, signUp } = await openWorld()
  const [ada, bob] = [await signUp('Ada'), await signUp('Bob')]
  const asked: string[] = []
  const { promise: refusal, reject: refuseAll } = Promise.withResolvers<never>()
  const get = (url: string) => {
    asked.push(url)
    return refusal
  }
  await bob.call('POST /api/saved-searches', { filters: { search: 'lamp' }, alerts: 'immediately' })
  const images = [1, 2, 3].map((n) => ({ url: `https://slow.example/${n}` }))
  const form = { description: 'Green', category: 'Other', location: 'Ipoh', images }
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five', 'Lamp'])
    await ada.call('POST /api/wanted-items', { ...form, title })

  const jobs = startJobs({ ...services, downloads: { get } }, pino({ level: 'silent' }))
  await eventually(async () => {
    expect(asked).toHaveLength(2)
    expect((await bob.call('GET /api/notifications')).json()).toMatchObject([{ kind: 'search_match' }])
  })
  refuseAll(new DownloadFailed('timeout'))
  await jobs.stop()
})

test('a worker whose request for jobs fails is restarted, because some may be locked', async () => {
  const { services, sql } = await openWorld()
  const jobs = startJobs(services, pino({ level: 'silent' }))
  onTestFinished(() => jobs.stop())
  await jobs.up
  const findWorkers = async () =>
    (await sql.query<{ id: string }>('select id from job_workers order by id')).rows.map(({ id }) => id)
  await eventually(async () => expect(await findWorkers()).toHaveLength(3))
  const first = await findWorkers()
  await sql.query(`alter function graphile_worker.add_jobs rename to add_jobs_later`)
  await sql.query(`alter table graphile_worker._private_jobs rename to _private_jobs_later`)
  await eventually(async () => expect((await findWorkers()).length).toBeGreaterThan(3))
  await sql.query(`alter table graphile_worker._private_jobs_later rename to _private_jobs`)
  await sql.query(`alter function graphile_worker.add_jobs_later rename to add_jobs`)
  await eventually(async () =>
    expect((await findWorkers()).filter((id) => !first.includes(id)).length).toBeGreaterThanOrEqual(3),
  )
})
