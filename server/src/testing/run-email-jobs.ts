import { Logger, runOnce, type TaskList } from 'graphile-worker'
import { expect } from 'vitest'
import { buildTasks } from '../jobs/worker.ts'
import { eventually } from './eventually.ts'
import type { World } from './world.ts'

/** The jobs that only `runEmailJobs` runs. Few tests are about emails, and sending them takes long. */
export const EMAIL_JOBS = ['send-mail', 'send-push']

/** Runs the queued jobs of emails and push notifications. With `overdue`, also those scheduled for later. */
export async function runEmailJobs({ services, sql }: World, { overdue = false } = {}): Promise<void> {
  // graphile-worker uses the clock of the database, which tests cannot change.
  if (overdue) await sql.query('update graphile_worker._private_jobs set run_at = now() where run_at > now()')
  const tasks = Object.entries(buildTasks(services)).filter(([name]) => EMAIL_JOBS.includes(name))
  await runOnce({
    pgPool: services.database.pool,
    taskList: Object.fromEntries(tasks) as TaskList,
    logger: new Logger(() => () => {}),
    noHandleSignals: true,
  })
  // graphile-worker saves the result of the last job shortly after runOnce resolves.
  const locked = 'select from graphile_worker.jobs where locked_at is not null'
  await eventually(async () => expect((await sql.query(locked)).rowCount).toBe(0))
}
