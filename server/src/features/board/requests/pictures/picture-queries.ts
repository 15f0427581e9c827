import { and, eq, lt, lte, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../database/database.ts'
import { lacksPicture, PICTURE_ATTEMPTS_MAX, wantedItems } from '../../../../database/schema.ts'

const isDue = (now: Date) =>
  and(
    lacksPicture,
    lt(wantedItems.pictureAttempts, sql.raw(String(PICTURE_ATTEMPTS_MAX))),
    lte(wantedItems.pictureTryAt, now),
  )

/**
 * Counts an attempt, and schedules the next one: after 2, 8, 32 and 128 minutes. Null if the request has its
 * pictures or another process is fetching them.
 */
export async function claimPictures(tx: Tx, id: number) {
  const [claimed] = await tx
    .update(wantedItems)
    .set({
      pictureAttempts: sql`${wantedItems.pictureAttempts} + 1`,
      pictureTryAt: sql`${tx.now.toISOString()}::timestamptz + interval '2 minutes' * 4 ^ ${wantedItems.pictureAttempts}`,
    })
    .where(and(eq(wantedItems.id, id), isDue(tx.now)))
    .returning({ images: wantedItems.images, userId: wantedItems.userId })
  return claimed ?? null
}

export async function findDuePictures(db: Db, now: Date, limit: number): Promise<number[]> {
  const found = await db
    .select({ id: wantedItems.id })
    .from(wantedItems)
    .where(isDue(now))
    .orderBy(wantedItems.pictureTryAt)
    .limit(limit)
  return found.map(({ id }) => id)
}
