import type pg from 'pg'

/*
 * A job is locked by the worker pool that runs it. If the pool dies, graphile-worker unlocks the job only after
 * hours. Here each process records a heartbeat for its pools, and the jobs of a pool without one are unlocked. A
 * process that was only suspended may then run a job at the same time as another process, so all jobs must
 * tolerate that.
 */

const HEARTBEAT_MS = 4_000
const TIMEOUT_SECONDS = 15

export interface Heartbeat {
  add(id: string): void
  remove(id: string): void
  /** Unlocks the jobs of pools that are still running, so that other processes need not wait. */
  stop(): Promise<void>
}

/** Uses the database's clock: processes' clocks may differ, and tests shift theirs. */
export function startHeartbeat(pool: pg.Pool, onError: (error: unknown) => void): Heartbeat {
  const workers = new Set<string>()
  const beat = async () => {
    await recordHeartbeat(pool, [...workers])
    await unlockDeadWorkers(pool)
    await repeatKilledJobs(pool)
  }
  const timer = setInterval(() => void beat().catch(onError), HEARTBEAT_MS)
  return {
    add(id) {
      workers.add(id)
      recordHeartbeat(pool, [id]).catch(onError)
    },
    remove: (id) => workers.delete(id),
    async stop() {
      clearInterval(timer)
      const ids = [...workers]
      try {
        if (ids.length > 0) await pool.query('select graphile_worker.force_unlock_workers($1)', [ids])
        await repeatKilledJobs(pool)
        await pool.query('delete from job_workers where id = any($1)', [ids])
      } catch (error) {
        onError(error)
      }
    },
  }
}

async function recordHeartbeat(pool: pg.Pool, workers: string[]): Promise<void> {
  await pool.query(
    `insert into job_workers (id, seen_at) select unnest($1::text[]), now()
     on conflict (id) do update set seen_at = excluded.seen_at`,
    [workers],
  )
}

/** For a pool without any heartbeat yet, the timeout counts from when it locked the job. */
async function unlockDeadWorkers(pool: pg.Pool): Promise<void> {
  await pool.query(
    `with dead as (
       select distinct locked_by from graphile_worker.jobs
       where locked_at < now() - $1 * interval '1 second'
         and not exists (
           select from job_workers where id = locked_by and seen_at > now() - $1 * interval '1 second'
         )
     )
     select graphile_worker.force_unlock_workers(array_agg(locked_by)) from dead having count(*) > 0`,
    [TIMEOUT_SECONDS],
  )
  await pool.query("delete from job_workers where seen_at < now() - interval '1 day'")
}

/**
 * A sweep has one attempt, so one that was killed would count as failed until the queue is tidied up. It has no error,
 * unlike one that failed. It runs again, unless the timer has enqueued it again, which took its key.
 */
async function repeatKilledJobs(pool: pg.Pool): Promise<void> {
  await pool.query(
    `with killed as (
       select id, key from graphile_worker.jobs
       where locked_at is null and max_attempts = 1 and attempts = 1 and last_error is null
     )
     select
       (select count(*) from graphile_worker.reschedule_jobs(
         (select array_agg(id) from killed where key is not null), attempts := 0::smallint)),
       (select count(*) from graphile_worker.complete_jobs(
         (select array_agg(id) from killed where key is null)))`,
  )
}
