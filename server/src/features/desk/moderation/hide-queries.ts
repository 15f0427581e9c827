import { and, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { findRow, updateRows } from '../../../database/rows.ts'
import {
  files,
  messages,
  notifications,
  photos,
  pictureUrls,
  reviews,
  type StoredImage,
  users,
  wantedItems,
} from '../../../database/schema.ts'

export async function lockRequest(tx: Tx, id: number) {
  const [found] = await tx.select().from(wantedItems).where(eq(wantedItems.id, id)).for('update')
  return found
}

export async function updateRequest(
  tx: Tx,
  id: number,
  change: Partial<typeof wantedItems.$inferInsert>,
): Promise<void> {
  await updateRows(tx, wantedItems, { id }, { ...change, updatedAt: tx.now })
}

export async function findMessage(tx: Tx, id: number) {
  return findRow(tx, messages, { id })
}

/** Marks the message as read, so that nobody is notified of it. Returns false if it was already hidden. */
export async function hideMessage(tx: Tx, id: number): Promise<boolean> {
  const { rowCount } = await tx
    .update(messages)
    .set({
      hiddenAt: tx.now,
      isRead: true,
      readAt: sql`coalesce(${messages.readAt}, ${tx.now.toISOString()})`,
    })
    .where(and(eq(messages.id, id), isNull(messages.hiddenAt)))
  return rowCount === 1
}

export async function showMessage(tx: Tx, id: number): Promise<boolean> {
  const { rowCount } = await tx
    .update(messages)
    .set({ hiddenAt: null })
    .where(and(eq(messages.id, id), isNotNull(messages.hiddenAt)))
  return rowCount === 1
}

type Message = Pick<typeof messages.$inferSelect, 'wantedItemId' | 'senderId' | 'receiverId'>

/** Marks the notifications of a conversation as read if it has no unread messages left. */
export async function markMessageNotificationsRead(
  tx: Tx,
  { wantedItemId, senderId, receiverId }: Message,
): Promise<void> {
  const isUnread = sql`exists (
    select from messages where wanted_item_id = ${wantedItemId} and sender_id = ${senderId}
      and receiver_id = ${receiverId} and not is_read)`
  await tx
    .update(notifications)
    .set({ readAt: tx.now })
    .where(
      and(
        eq(notifications.userId, receiverId),
        eq(notifications.kind, 'message'),
        eq(notifications.actorId, senderId),
        eq(notifications.wantedItemId, wantedItemId),
        isNull(notifications.readAt),
        sql`not ${isUnread}`,
      ),
    )
}

export async function showReview(tx: Tx, id: number): Promise<boolean> {
  const { rowCount } = await tx
    .update(reviews)
    .set({ hiddenAt: null })
    .where(and(eq(reviews.id, id), isNotNull(reviews.hiddenAt)))
  return rowCount === 1
}

export async function showProfile(tx: Tx, id: string): Promise<boolean> {
  const { rowCount } = await tx
    .update(users)
    .set({ profileHiddenAt: null })
    .where(and(eq(users.id, id), isNotNull(users.profileHiddenAt)))
  return rowCount === 1
}

/** Hides all sizes of a user's picture and returns their file names. */
export async function hideAvatarFiles(tx: Tx, ownerId: string): Promise<string[]> {
  const hidden = await tx
    .update(files)
    .set({ hiddenAt: tx.now })
    .where(and(eq(files.ownerId, ownerId), eq(files.kind, 'avatar'), isNull(files.hiddenAt)))
    .returning({ id: files.id })
  return hidden.map(({ id }) => id)
}

export async function hideFile(tx: Tx, id: string): Promise<boolean> {
  return updateRows(tx, files, { id, hiddenAt: null }, { hiddenAt: tx.now })
}

/** Returns false if none of the files exists any more. */
export async function showFiles(tx: Tx, ids: string[]): Promise<boolean> {
  if (ids.length === 0) return false
  const { rowCount } = await tx.update(files).set({ hiddenAt: null }).where(inArray(files.id, ids))
  return rowCount !== 0
}

export async function findPhotoFile(tx: Tx, photoId: number): Promise<string | undefined> {
  const [found] = await tx.select({ id: photos.fileId }).from(photos).where(eq(photos.id, photoId))
  return found?.id
}

/** The requests that show a picture, by ascending id, as all code that locks requests does. */
export function lockRequestsWith(tx: Tx, url: string) {
  return tx
    .select({ id: wantedItems.id, images: wantedItems.images })
    .from(wantedItems)
    .where(and(sql`${wantedItems.images} <> '[]'`, sql`${pictureUrls} ? ${url}`))
    .orderBy(wantedItems.id)
    .for('update')
}

export async function setImages(tx: Tx, id: number, images: StoredImage[]): Promise<void> {
  await updateRequest(tx, id, { images })
}

/** Sets or removes a user's picture, unless it has changed since. */
export async function setAvatar(
  tx: Tx,
  userId: string,
  { from, to }: { from: string | null; to: string | null },
): Promise<boolean> {
  const { rowCount } = await tx
    .update(users)
    .set({ profileImageUrl: to })
    .where(
      and(
        eq(users.id, userId),
        isNull(users.deletedAt),
        from === null ? isNull(users.profileImageUrl) : eq(users.profileImageUrl, from),
      ),
    )
  return rowCount === 1
}

export async function isSuspended(tx: Tx, userId: string): Promise<boolean> {
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), gt(users.suspendedUntil, tx.now)))
  return found.length > 0
}
