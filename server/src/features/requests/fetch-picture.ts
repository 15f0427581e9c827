import { IMAGE_MAX_BYTES } from '@sought/contract/constants'
import type { Tx } from '../../platform/database.ts'
import { DownloadFailed } from '../../platform/download.ts'
import { Refused } from '../../platform/errors.ts'
import type { FileStore } from '../../platform/files.ts'
import { enqueue } from '../../platform/jobs.ts'
import type { Services } from '../../platform/services.ts'
import { FILES_PATH, storePublicPicture } from '../../platform/stored-files.ts'
import { convertPicture } from './convert-picture.ts'
import { claimPicture, findDuePictures } from './picture-queries.ts'
import { lockItem, updateItem } from './queries.ts'

type FetchServices = Pick<Services, 'database' | 'files' | 'limits' | 'downloads' | 'clock' | 'log'>

/** Copies the picture of a request from another site, after the transaction commits (ADR 52). */
export async function enqueuePicture(tx: Tx, itemId: number, imageUrl: string | null): Promise<void> {
  if (imageUrl && !imageUrl.startsWith(FILES_PATH))
    await enqueue(tx, 'fetch-picture', { itemId }, `fetch-picture:${itemId}`)
}

/**
 * Makes one attempt. If it fails, the request has no picture until the next one. That is not an error: addresses that
 * users enter are often wrong.
 */
export async function fetchPicture(services: FetchServices, itemId: number): Promise<void> {
  const { database, files, limits, downloads, log } = services
  const item = await database.transact((tx) => claimPicture(tx, itemId))
  if (!item?.imageUrl) return
  const { imageUrl, userId } = item
  try {
    await limits.pictureFetchesByAccount.count(userId)
    const picture = await convertPicture(await downloads.get(imageUrl, IMAGE_MAX_BYTES))
    await database.transact((tx) => savePicture(tx, files, itemId, imageUrl, picture))
  } catch (error) {
    if (!(error instanceof DownloadFailed || error instanceof Refused)) throw error
    log.debug({ err: error }, 'could not copy the picture of a request')
  }
}

/** In the meantime the owner may have changed the picture or deleted the account, which removes it. */
async function savePicture(
  tx: Tx,
  files: FileStore,
  itemId: number,
  imageUrl: string,
  picture: Buffer,
): Promise<void> {
  const item = await lockItem(tx, itemId)
  if (item?.imageUrl !== imageUrl) return
  const url = await storePublicPicture(tx, files, picture, 'request_image', item.userId)
  await updateItem(tx, itemId, { imageCopyUrl: url })
}

const BATCH_SIZE = 20

/** Fetches pictures whose job was lost or failed, and those of requests from before pictures were copied. */
export async function fetchDuePictures(services: FetchServices): Promise<void> {
  const { database, clock } = services
  for (const id of await findDuePictures(database.read, clock(), BATCH_SIZE)) await fetchPicture(services, id)
}
