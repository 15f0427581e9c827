import type { Tx } from '../../../database/database.ts'
import { enqueueAccountEmail } from '../../notifications/enqueue-emails.ts'
import { findById } from './queries.ts'

/** Tells a user about a sign-in from a browser that has not signed in before. */
export async function announceNewDevice(tx: Tx, userId: string): Promise<void> {
  const account = await findById(tx, userId)
  if (account?.user.email)
    await enqueueAccountEmail(tx, { userId, address: account.user.email, kind: 'new_device' })
}
