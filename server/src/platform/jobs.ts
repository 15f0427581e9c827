import { sql } from 'drizzle-orm'
import type { Tx } from './database.ts'

/** The jobs that a transaction can leave behind, with what each needs to know. */
export interface JobPayloads {
  'pay-seller': { payoutId: number }
  'refund-buyer': { paymentId: number }
}

/**
 * Leaves a job behind, if and when the transaction commits. A second one under the same key takes the
 * place of the first while that has not begun.
 */
export async function enqueue<Name extends keyof JobPayloads>(
  tx: Tx,
  name: Name,
  payload: JobPayloads[Name],
  key: string,
): Promise<void> {
  await enqueueAll(tx, name, [{ payload, key }])
}

/** The same for many at once, in one statement. */
export async function enqueueAll<Name extends keyof JobPayloads>(
  tx: Tx,
  name: Name,
  jobs: { payload: JobPayloads[Name]; key: string }[],
): Promise<void> {
  if (jobs.length === 0) return
  await tx.execute(
    sql`select graphile_worker.add_job(${name}::text, payload, job_key := key)
      from json_to_recordset(${JSON.stringify(jobs)}) as job (payload json, key text)`,
  )
}
