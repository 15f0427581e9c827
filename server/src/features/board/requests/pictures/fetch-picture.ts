import { IMAGE_MAX_BYTES } from '@sought/contract/constants'
import { Refused, refuse } from '../../../../core/errors.ts'
import type { Tx } from '../../../../database/database.ts'
import type { StoredImage } from '../../../../database/schema.ts'
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
import { claimPictures, findDuePictures } from './picture-queries.ts'

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
      const picture = pictureFile(await convertPicture(await downloads.get(url, IMAGE_MAX_BYTES)))
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
