import { sql } from 'drizzle-orm'
import type { Tx } from './database.ts'

/**
 * Serializes sending to and reading from a user's inbox for one request. Otherwise a message sent while earlier
 * ones are being marked as read would be marked too, and its receiver would not be notified.
 */
export async function lockInbox(tx: Tx, receiverId: string, wantedItemId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${receiverId}, ${wantedItemId}))`)
}
