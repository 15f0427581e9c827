import { and, eq, inArray, isNull, not, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { messages, offers, presence, users } from '../../../database/schema.ts'
import { areBlocked } from '../../users/blocks.ts'

/** The sharing settings of these users towards `reader`. Leaves out deleted and blocked users. */
export function findSharing(db: Db, reader: string, ids: string[]) {
  return db
    .select({
      id: users.id,
      sharesTyping: users.sharesTyping,
      sharesPresence: users.sharesPresence,
      sharesReadReceipts: users.sharesReadReceipts,
    })
    .from(users)
    .where(and(inArray(users.id, ids), isNull(users.deletedAt), not(areBlocked(users.id, reader))))
}

type Sharing = Pick<typeof users.$inferInsert, 'sharesTyping' | 'sharesPresence' | 'sharesReadReceipts'>

export async function updateSharing(tx: Tx, userId: string, sharing: Sharing): Promise<void> {
  await tx
    .update(users)
    .set({ ...sharing, updatedAt: tx.now })
    .where(eq(users.id, userId))
}

/** Whether two people have exchanged messages or offers, about one request or about any. */
export async function hasConversation(
  db: Db,
  one: string,
  other: string,
  wantedItemId?: number,
): Promise<boolean> {
  const isAbout = wantedItemId === undefined ? sql`` : sql`and wanted_item_id = ${wantedItemId}`
  const { rows } = await db.execute<{ has_conversation: boolean }>(sql`
    select exists (select from ${messages} where sender_id = ${one} and receiver_id = ${other} ${isAbout})
        or exists (select from ${messages} where sender_id = ${other} and receiver_id = ${one} ${isAbout})
        or exists (select from ${offers} where buyer_id = ${one} and seller_id = ${other} ${isAbout})
        or exists (select from ${offers} where buyer_id = ${other} and seller_id = ${one} ${isAbout})
        as has_conversation`)
  return rows[0]?.has_conversation ?? false
}

export async function findSeenAt(db: Db, userId: string): Promise<Date | null> {
  const [found] = await db.select().from(presence).where(eq(presence.userId, userId))
  return found?.seenAt ?? null
}
