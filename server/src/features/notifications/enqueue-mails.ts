import type { Tx } from '../../platform/database.ts'
import { enqueueAll } from '../../platform/jobs.ts'

/** Leaves a job behind for each of the mails, to be run at once or not before a moment. */
export async function enqueueMails(tx: Tx, mailIds: number[], runAt?: Date): Promise<void> {
  await enqueueAll(
    tx,
    'send-mail',
    mailIds.map((mailId) => ({ payload: { mailIds: [mailId] }, ...(runAt && { runAt }) })),
  )
}
