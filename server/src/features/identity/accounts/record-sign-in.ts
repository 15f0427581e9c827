import type { Tx } from '../../../database/database.ts'
import type { SignIn } from '../../../http/session.ts'
import { enqueueAccountEmail } from '../../notifications/enqueue-emails.ts'
import { recordAudit } from '../../users/audit-log.ts'
import { rememberDevice } from '../../users/known-devices.ts'
import { newDeviceEmail } from './emails.ts'
import * as queries from './queries.ts'

/** Records a sign-in and its device, and tells the user about a device that has not signed in before. */
export async function recordSignIn(tx: Tx, { userId, device, origin }: SignIn): Promise<void> {
  await recordAudit(tx, { action: 'signed_in', actorId: userId, origin })
  if ((await rememberDevice(tx, userId, device)) === 'known') return
  const account = await queries.findById(tx, userId)
  if (account?.user.email)
    await enqueueAccountEmail(tx, newDeviceEmail, { userId, address: account.user.email })
}

export async function recordSignOut(
  tx: Tx,
  { userId, origin }: Pick<SignIn, 'userId' | 'origin'>,
): Promise<void> {
  await recordAudit(tx, { action: 'signed_out', actorId: userId, origin })
}
