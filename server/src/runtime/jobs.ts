import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../database/database.ts'

/** The jobs that a transaction can enqueue, and their payloads. */
export interface JobPayloads {
  'pay-seller': { payoutId: number }
  'refund-buyer': { paymentId: number }
  'take-back': { takeBackId: number }
  /** Enqueued only by earlier releases. */
  'take-back-payout': { payoutId: number; chargebackId: string; cents: number }
  /** Several emails are split into one job each. */
  'send-mail': { mailIds: number[] }
  /** Several push notifications are split into one job each. */
  'send-push': { pushes: Push[] }
  'fetch-picture': { itemId: number }
  'make-export': { exportId: number }
  'delete-customer': { customerId: string }
  /** `before` is the request before it was changed. */
  'match-searches': { itemId: number; at: string; before?: object }
}

/** A notification for one browser. */
export interface Push {
  notificationId: number
  subscriptionId: number
}

/** Lower runs first, so that payouts do not wait behind a long queue of emails. */
const priorities = {
  'pay-seller': 0,
  'refund-buyer': 0,
  'take-back': 0,
  'take-back-payout': 0,
  'send-mail': 10,
  'send-push': 10,
  'fetch-picture': 10,
  'make-export': 10,
  'delete-customer': 10,
  // These jobs are short, and frequent sweeps would otherwise delay them forever.
  'match-searches': 0,
} as const satisfies Record<keyof JobPayloads, number>

interface Job<Name extends keyof JobPayloads> {
  payload: JobPayloads[Name]
  /** A job replaces a waiting job with the same key. */
  key?: string
  runAt?: Date
}

/** Adds a job that runs after the transaction commits. */
export async function enqueue<Name extends keyof JobPayloads>(
  tx: Tx,
  name: Name,
  payload: JobPayloads[Name],
  key: string,
): Promise<void> {
  await enqueueAll(tx, name, [{ payload, key }])
}

/** Adds many jobs in one statement. Their keys must be distinct. */
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

/** The SQL expression to add a job from within another statement. The job runs immediately if `runAt` is null. */
export function enqueueSql(name: keyof JobPayloads, { payload, runAt }: { payload: SQL; runAt: SQL }): SQL {
  return sql`graphile_worker.add_jobs(array[
    row(${name}::text, ${payload}, null, ${runAt}, null, null, ${priorities[name]}::integer, null)::graphile_worker.job_spec])`
}
