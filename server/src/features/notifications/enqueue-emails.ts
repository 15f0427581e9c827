import type { Tx } from '../../database/database.ts'
import { enqueueAll } from '../../runtime/jobs.ts'
import type { AccountEmail, VisitorEmail } from './define-email.ts'
import { insertEmail } from './email-queries.ts'

/** Adds one job per email, to run now or at `runAt`. */
export async function enqueueEmails(tx: Tx, emailIds: number[], runAt?: Date): Promise<void> {
  await enqueueAll(
    tx,
    'send-mail',
    emailIds.map((id) => ({ payload: { mailIds: [id] }, ...(runAt && { runAt }) })),
  )
}

/**
 * Queues an email about the account itself; it is sent after the commit. Its link token is created when the email
 * is sent, so the token itself is never stored.
 */
export async function enqueueAccountEmail(
  tx: Tx,
  { kind }: AccountEmail,
  recipient: { userId: string; address: string },
): Promise<void> {
  await enqueueEmails(tx, [await insertEmail(tx, { ...recipient, kind })])
}

/** Queues an email to a visitor about their question; it is sent after the commit. */
export async function enqueueVisitorEmail(
  tx: Tx,
  { kind }: VisitorEmail,
  recipient: { supportMessageId: number; address: string },
): Promise<void> {
  await enqueueEmails(tx, [await insertEmail(tx, { ...recipient, kind })])
}
