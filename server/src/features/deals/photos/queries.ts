import { and, asc, eq, getTableColumns, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { insertRow } from '../../../database/rows.ts'
import { files, messages, moderationCases, offers, payments, photos } from '../../../database/schema.ts'

type NewPhoto = Pick<typeof photos.$inferInsert, 'ownerId' | 'fileId' | 'width' | 'height'>

export async function insertPhoto(tx: Tx, photo: NewPhoto) {
  return insertRow(tx, photos, { ...photo, createdAt: tx.now })
}

/** Locks these photos, except those that the user has already sent, by ascending id. */
export function lockUnsentPhotos(tx: Tx, ownerId: string, ids: number[]) {
  return tx
    .select()
    .from(photos)
    .where(and(inArray(photos.id, ids), eq(photos.ownerId, ownerId), isNull(photos.position)))
    .orderBy(asc(photos.id))
    .for('update')
}

export type PhotoPlace = { messageId: number } | { offerId: number }

/** Adds photos to a message or an offer, in the order of the ids. */
export async function setPlace(tx: Tx, ids: number[], place: PhotoPlace): Promise<void> {
  await tx
    .update(photos)
    .set({ ...place, position: sql`array_position(${sql.param(ids)}::int[], ${photos.id}) - 1` })
    .where(inArray(photos.id, ids))
}

function selectShown(db: Db) {
  return db
    .select(getTableColumns(photos))
    .from(photos)
    .innerJoin(files, and(eq(files.id, photos.fileId), isNull(files.hiddenAt)))
}

export function findPhotosOfMessages(db: Db, ids: number[]) {
  return selectShown(db).where(inArray(photos.messageId, ids)).orderBy(asc(photos.position))
}

export function findPhotosOfOffers(db: Db, ids: number[]) {
  return selectShown(db).where(inArray(photos.offerId, ids)).orderBy(asc(photos.position))
}

/** A photo with the two people and the request of its conversation. All three are null until it is sent. */
export async function findPhoto(db: Db, id: number) {
  const [found] = await db
    .select({
      fileId: photos.fileId,
      ownerId: photos.ownerId,
      wantedItemId: sql<number | null>`coalesce(${messages.wantedItemId}, ${offers.wantedItemId})`,
      one: sql<string | null>`coalesce(${messages.senderId}, ${offers.buyerId})`,
      other: sql<string | null>`coalesce(${messages.receiverId}, ${offers.sellerId})`,
      messageId: photos.messageId,
      isHidden: sql<boolean>`num_nonnulls(${files.hiddenAt}, ${messages.hiddenAt}) > 0`,
    })
    .from(photos)
    .innerJoin(files, eq(files.id, photos.fileId))
    .leftJoin(messages, eq(messages.id, photos.messageId))
    .leftJoin(offers, eq(offers.id, photos.offerId))
    .where(eq(photos.id, id))
  return found
}

/** The latest payment between two people about a request that the admin desk lists. */
export async function findDeskPayment(db: Db, wantedItemId: number, one: string, other: string) {
  const [found] = await db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.wantedItemId, wantedItemId),
        inArray(payments.buyerId, [one, other]),
        inArray(payments.sellerId, [one, other]),
        sql`${payments.deskStatus} is not null`,
      ),
    )
    .orderBy(sql`${payments.id} desc`)
    .limit(1)
  return found
}

/** Deletes a user's unsent photos, and returns their file names. */
export async function deleteUnsentPhotosOf(tx: Tx, ownerId: string): Promise<string[]> {
  const deleted = await tx
    .delete(photos)
    .where(and(eq(photos.ownerId, ownerId), isNull(photos.position)))
    .returning({ fileId: photos.fileId })
  const fileIds = deleted.map(({ fileId }) => fileId)
  if (fileIds.length > 0) await tx.delete(files).where(inArray(files.id, fileIds))
  return fileIds
}

/** The open case about a photo or its message that a moderator works on. */
export async function findClaimedCase(
  tx: Tx,
  moderatorId: string,
  { path, messageId }: { path: string; messageId: number | null },
) {
  const { kind, targetId, status, claimedBy, claimedUntil } = moderationCases
  const [found] = await tx
    .select({ id: moderationCases.id })
    .from(moderationCases)
    .where(
      and(
        eq(status, 'open'),
        eq(claimedBy, moderatorId),
        gt(claimedUntil, tx.now),
        or(
          and(eq(kind, 'picture'), eq(targetId, path)),
          and(eq(kind, 'message'), eq(targetId, String(messageId))),
        ),
      ),
    )
  return found
}
