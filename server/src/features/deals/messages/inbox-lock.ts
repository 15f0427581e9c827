import { sql } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'

/**
 * Locks a user's inbox for one request, so that reading it and sending messages to it wait for each other.
 * Otherwise a message that is sent while earlier ones are being marked as read would be marked too, and its
 * receiver would not be notified.
 */
export async function lockInbox(tx: Tx, receiverId: string, wantedItemId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${receiverId}, ${wantedItemId}))`)
}

interface Message {
  senderId: string
  receiverId: string
  wantedItemId: number
}

/**
 * Messages of different senders do not wait for each other. Otherwise a popular request could receive only a few
 * messages a second. Messages of the same sender do wait, because only the first unread one notifies the
 * receiver.
 */
export async function lockInboxForSending(
  tx: Tx,
  { senderId, receiverId, wantedItemId }: Message,
): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock_shared(hashtextextended(${receiverId}, ${wantedItemId})),
      pg_advisory_xact_lock(hashtextextended(${`${senderId} to ${receiverId}`}, ${wantedItemId}))`,
  )
}
