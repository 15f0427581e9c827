import { IMAGE_MAX_BYTES } from '@sought/contract/constants'
import { and, eq, lt, lte, sql } from 'drizzle-orm'
import { Refused, refuse } from '../../../../core/errors.ts'
import type { Db, Tx } from '../../../../database/database.ts'
import type { StoredImage } from '../../../../database/schema.ts'
import { lacksPicture, PICTURE_ATTEMPTS_MAX, wantedItems } from '../../../../database/schema.ts'
import { DownloadFailed } from '../../../../files/download.ts'
import {
  insertPublicPicture,
  pictureFile,
  type StoredFile,
  storeFile,
} from '../../../../files/stored-files.ts'
import { enqueue } from '../../../../runtime/jobs.ts'
import type { Services } from '../../../../services.ts'
import { lockItem, updateItem } from '../queries.ts'
import { convertPicture } from './convert-picture.ts'
import { lacksCopy } from './item-images.ts'

type FetchServices = Pick<Services, 'database' | 'files' | 'limits' | 'downloads' | 'clock' | 'log'>

/** Copies a request's pictures from other sites after the transaction commits (ADR 52). */
export async function enqueuePictures(tx: Tx, itemId: number, images: readonly StoredImage[]): Promise<void> {
  if (lacksCopy(images)) await enqueue(tx, 'fetch-picture', { itemId }, `fetch-picture:${itemId}`)
}

/**
 * Makes one attempt. If it fails, the request has no picture until the next attempt. That is not an error,
 * because addresses that users enter are often wrong.
 */
export async function fetchPictures(
  services: FetchServices,
  itemId: number,
  signal?: AbortSignal,
): Promise<void> {
  const { database, files, limits, downloads, log } = services
  const item = await database.transact((tx) => claimPictures(tx, itemId))
  if (!item) return
  const missing = item.images.filter(({ pictureUrl }) => pictureUrl === null)
  for (const url of new Set(missing.map((image) => image.url))) {
    if (signal?.aborted) return
    try {
      await limits.pictureFetchesByAccount.count(item.userId)
      const bytes = await downloads.get(url, IMAGE_MAX_BYTES)
      const picture = pictureFile(await convertPicture(bytes, item.userId))
      await storeFile(files, picture, (stored) =>
        database.transact((tx) => saveCopy(tx, itemId, url, stored)),
      )
    } catch (error) {
      if (!(error instanceof DownloadFailed || error instanceof Refused)) throw error
      log.debug({ err: error }, 'could not copy the picture of a request')
    }
  }
}

/** In the meantime the owner may have changed the pictures, or deleted the account with them. */
async function saveCopy(tx: Tx, itemId: number, url: string, stored: StoredFile): Promise<void> {
  const item = await lockItem(tx, itemId)
  const isMissing = (image: StoredImage) => image.url === url && image.pictureUrl === null
  if (!item?.images.some(isMissing)) throw refuse('item_not_found')
  const copy = {
    pictureUrl: await insertPublicPicture(tx, stored, 'request_image', item.userId),
    width: stored.widthPixels ?? null,
    height: stored.heightPixels ?? null,
  }
  const images = item.images.map((image) => (isMissing(image) ? { ...image, ...copy } : image))
  await updateItem(tx, itemId, { images })
}

const BATCH_SIZE = 20

/** Fetches pictures whose job was lost or failed. */
export async function fetchDuePictures(services: FetchServices, signal?: AbortSignal): Promise<void> {
  const { database, clock } = services
  for (const id of await findDuePictures(database.read, clock(), BATCH_SIZE)) {
    if (signal?.aborted) return
    await fetchPictures(services, id, signal)
  }
}

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
async function claimPictures(tx: Tx, id: number) {
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

async function findDuePictures(db: Db, now: Date, limit: number): Promise<number[]> {
  const found = await db
    .select({ id: wantedItems.id })
    .from(wantedItems)
    .where(isDue(now))
    .orderBy(wantedItems.pictureTryAt)
    .limit(limit)
  return found.map(({ id }) => id)
}
