import type { AccountEmailKind } from '@sought/contract/notification-kinds'
import type { Tx } from '../../platform/database.ts'
import { enqueueMails } from './enqueue-mails.ts'
import { insertMail } from './mail-queries.ts'

/**
 * Has a mail about the account itself sent, if and when the transaction commits. A link in it is made when it
 * is sent, so that its token is never written down.
 */
export async function enqueueAccountEmail(
  tx: Tx,
  mail: { userId: string; address: string; kind: AccountEmailKind },
): Promise<void> {
  await enqueueMails(tx, [await insertMail(tx, mail)])
}
