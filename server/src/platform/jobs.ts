import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from './database.ts'

/** The jobs that a transaction can leave behind, with what each needs to know. */
export interface JobPayloads {
  'pay-seller': { payoutId: number }
  'refund-buyer': { paymentId: number }
  /** One is sent; several become a job for each. */
  'send-mail': { mailIds: number[] }
}

/** The lower, the sooner: whoever looks for a payout need not look past all the mails that wait. */
const priorities = {
  'pay-seller': 0,
  'refund-buyer': 0,
  'send-mail': 10,
} as const satisfies Record<keyof JobPayloads, number>

interface Job<Name extends keyof JobPayloads> {
  payload: JobPayloads[Name]
  /** A second one under the same key takes the place of the first while that has not begun. */
  key?: string
  /** Not before then. */
  runAt?: Date
}

/** Leaves a job behind, if and when the transaction commits. */
export async function enqueue<Name extends keyof JobPayloads>(
  tx: Tx,
  name: Name,
  payload: JobPayloads[Name],
  key: string,
): Promise<void> {
  await enqueueAll(tx, name, [{ payload, key }])
}

/** The same for many at once, in one statement. No two of them may have the same key. */
export async function enqueueAll<Name extends keyof JobPayloads>(
  tx: Tx,
  name: Name,
  jobs: Job<Name>[],
): Promise<void> {
  if (jobs.length === 0) return
  await tx.execute(
    sql`select count(*) from graphile_worker.add_jobs(array(
        select row(${name}::text, payload, null, "runAt", null, key, ${priorities[name]}::integer, null)::graphile_worker.job_spec
        from json_to_recordset(${JSON.stringify(jobs)}) as job (payload json, key text, "runAt" timestamptz)))`,
  )
}

/** The same within another statement, which knows the payload: one job for each of its rows. */
export function enqueueing(name: keyof JobPayloads, payload: SQL): SQL {
  return sql`graphile_worker.add_jobs(array[
    row(${name}::text, ${payload}, null, null, null, null, ${priorities[name]}::integer, null)::graphile_worker.job_spec])`
}
