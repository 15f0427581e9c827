import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '../testing/eventually.ts'
import { openMoneyWorld } from '../testing/money-world.ts'
import { startHeartbeat } from './heartbeat.ts'
import { startJobs } from './worker.ts'

test('another process runs the job of a dead process within half a minute', { tags: ['proof'] }, async () => {
  const world = await openMoneyWorld()
  const { rows } = await world.sql.query(
    `select id from graphile_worker.add_job('refund-buyer', '{"paymentId":1}')`,
  )
  const isLeft = async () =>
    (await world.sql.query('select from graphile_worker.jobs where id = $1', [rows[0].id])).rowCount
  await world.sql.query(
    "update graphile_worker._private_jobs set locked_by = 'dead-worker', locked_at = now() - interval '14 s'",
  )
  await world.runJobs()
  expect(await isLeft()).toBe(1)
  const jobs = startJobs(world.services, world.services.log)
  try {
    await eventually(async () => expect(await isLeft()).toBe(0))
  } finally {
    await jobs.stop()
  }
})

test('a heartbeat can be recorded repeatedly', async () => {
  const world = await openMoneyWorld()
  const failures: unknown[] = []
  const heartbeat = startHeartbeat(world.sql, (error) => failures.push(error))
  onTestFinished(() => heartbeat.stop())
  const seenAt = async (): Promise<number> => {
    const { rows } = await world.sql.query("select seen_at from job_workers where id = 'pool'")
    return rows[0]?.seen_at.getTime() ?? 0
  }
  let before = 0
  for (let times = 0; times < 2; times++) {
    heartbeat.add('pool')
    await eventually(async () => expect(await seenAt()).toBeGreaterThan(before))
    before = await seenAt()
  }
  expect(failures).toEqual([])
})

test('jobs of a process without a heartbeat are unlocked, and no others', async () => {
  const world = await openMoneyWorld()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const heartbeat = startHeartbeat(world.sql, () => {})
  onTestFinished(() => heartbeat.stop())
  heartbeat.add('alive')
  await world.sql.query(
    `select graphile_worker.add_job(name) from unnest(array['alive', 'dead']) name;
     update graphile_worker._private_jobs job set locked_by = task.identifier, locked_at = now() - interval '60 s'
     from graphile_worker._private_tasks task where task.id = job.task_id and identifier in ('alive', 'dead')`,
  )
  const readLockHolders = async () =>
    (await world.sql.query('select locked_by from graphile_worker.jobs where locked_by is not null')).rows
  expect(await readLockHolders()).toHaveLength(2)
  vi.advanceTimersByTime(4_000)
  await eventually(async () => expect(await readLockHolders()).toEqual([{ locked_by: 'alive' }]))
})

test('a sweep that was killed runs again, and does not count as failed', async () => {
  const world = await openMoneyWorld()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const heartbeat = startHeartbeat(world.sql, () => {})
  onTestFinished(() => heartbeat.stop())
  await world.sql.query(
    `select graphile_worker.add_job(name, job_key := name, max_attempts := 1)
     from unnest(array['killed', 'enqueued-again', 'failed']) name;
     update graphile_worker._private_jobs
     set locked_by = 'dead', locked_at = now() - interval '60 s', attempts = 1;
     update graphile_worker._private_jobs set locked_by = null, locked_at = null, last_error = 'a bug'
     where key = 'failed';
     select graphile_worker.add_job('enqueued-again', job_key := 'enqueued-again', max_attempts := 1)`,
  )
  vi.advanceTimersByTime(4_000)
  const readJobs = async () =>
    (
      await world.sql.query(
        'select task_identifier as task, attempts from graphile_worker.jobs where max_attempts = 1 order by 1',
      )
    ).rows
  await eventually(async () =>
    expect(await readJobs()).toEqual([
      { task: 'enqueued-again', attempts: 0 },
      { task: 'failed', attempts: 1 },
      { task: 'killed', attempts: 0 },
    ]),
  )
})

test('a stopping process unlocks its jobs that do not end', async () => {
  const world = await openMoneyWorld()
  const heartbeat = startHeartbeat(world.sql, () => {})
  heartbeat.add('stopping')
  await world.sql.query(
    `select graphile_worker.add_job('endless');
     update graphile_worker._private_jobs set locked_by = 'stopping', locked_at = now()`,
  )
  await heartbeat.stop()
  const { rows } = await world.sql.query(
    "select locked_by from graphile_worker.jobs where task_identifier = 'endless'",
  )
  expect(rows).toEqual([{ locked_by: null }])
})

test('jobs count as running once the workers have started', { tags: ['proof'] }, async () => {
  const world = await openMoneyWorld()
  const holder = await world.sql.connect()
  onTestFinished(() => holder.release(true))
  await holder.query('begin; lock table graphile_worker.migrations in access exclusive mode')
  const jobs = startJobs(world.services, world.services.log)
  try {
    const isUp = (withinMs: number) => Promise.race([jobs.up.then(() => true), wait(withinMs, false)])
    expect(await isUp(500)).toBe(false)
    await holder.query('rollback')
    expect(await isUp(10_000)).toBe(true)
  } finally {
    await jobs.stop()
  }
})

test('a long job keeps its lock while its process is alive', async () => {
  const world = await openMoneyWorld()
  const holder = await world.sql.connect()
  onTestFinished(() => holder.release(true))
  await holder.query('begin; lock table payments in access exclusive mode')
  const jobs = startJobs(world.services, world.services.log)
  try {
    const waiting = `select locked_by in (select id from job_workers) as "hasHeartbeat"
                     from graphile_worker.jobs where locked_by is not null`
    await eventually(async () =>
      expect((await world.sql.query(waiting)).rows).toContainEqual({ hasHeartbeat: true }),
    )
    expect((await world.sql.query(waiting)).rows).not.toContainEqual({ hasHeartbeat: false })
  } finally {
    await holder.query('rollback')
    await jobs.stop()
  }
})
