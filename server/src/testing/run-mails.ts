import { Logger, runOnce, type TaskList } from 'graphile-worker'
import { expect } from 'vitest'
import { buildTasks } from '../jobs/worker.ts'
import { eventually } from './eventually.ts'
import type { World } from './world.ts'

/** Sends the mails that wait; those that wait for another try too, if they are overdue. */
export async function runMails({ services, sql }: World, { overdue = false } = {}): Promise<void> {
  // The jobs' own clock is the database's, which nobody can turn.
  if (overdue) await sql.query('update graphile_worker._private_jobs set run_at = now() where run_at > now()')
  const { 'send-mail': sendMail } = buildTasks(services)
  await runOnce({
    pgPool: services.database.pool,
    taskList: { 'send-mail': sendMail } as TaskList,
    logger: new Logger(() => () => {}),
    noHandleSignals: true,
  })
  // How the last job ended is written down a moment after it is told.
  const locked = 'select from graphile_worker.jobs where locked_at is not null'
  await eventually(async () => expect((await sql.query(locked)).rowCount).toBe(0))
}
