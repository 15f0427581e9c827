import type pg from 'pg'

/*
 * A job is locked by the worker pool that runs it, and graphile-worker gives a dead one hours to come
 * back. Here every process says that its pools live, and whoever falls silent loses its jobs.
 * Jobs may therefore run twice at once, if a process was only asleep: each is written for that.
 */

const SIGN_OF_LIFE_MS = 4_000
const SILENT_SECONDS = 15

export interface Liveness {
  add(id: string): void
  remove(id: string): void
  stop(): Promise<void>
}

/** The database's clock is used throughout: the processes' own may differ, or be turned by a test. */
export function startHeartbeat(pool: pg.Pool, onError: (error: unknown) => void): Liveness {
  const workers = new Set<string>()
  const beat = async () => {
    await sayAlive(pool, [...workers])
    await unlockSilent(pool)
  }
  const timer = setInterval(() => void beat().catch(onError), SIGN_OF_LIFE_MS)
  return {
    add(id) {
      workers.add(id)
      sayAlive(pool, [id]).catch(onError)
    },
    remove: (id) => workers.delete(id),
    async stop() {
      clearInterval(timer)
      await pool.query('delete from job_workers where id = any($1)', [[...workers]]).catch(onError)
    },
  }
}

async function sayAlive(pool: pg.Pool, workers: string[]): Promise<void> {
  await pool.query(
    `insert into job_workers (id, seen_at) select unnest($1::text[]), now()
     on conflict (id) do update set seen_at = excluded.seen_at`,
    [workers],
  )
}

/** A pool that has never been seen is given the same time, counted from when it took its job. */
async function unlockSilent(pool: pg.Pool): Promise<void> {
  await pool.query(
    `with silent as (
       select distinct locked_by from graphile_worker.jobs
       where locked_at < now() - $1 * interval '1 second'
         and not exists (
           select from job_workers where id = locked_by and seen_at > now() - $1 * interval '1 second'
         )
     )
     select graphile_worker.force_unlock_workers(array_agg(locked_by)) from silent having count(*) > 0`,
    [SILENT_SECONDS],
  )
  await pool.query("delete from job_workers where seen_at < now() - interval '1 day'")
}
