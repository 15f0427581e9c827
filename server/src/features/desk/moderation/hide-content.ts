import { IMAGES_MAX } from '@sought/contract/constants'
import { getPhoto } from '@sought/contract/photos'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import { findRow, updateRows } from '../../../database/rows.ts'
import type { StoredImage } from '../../../database/schema.ts'
import { files, reviews, users } from '../../../database/schema.ts'
import { FILES_PATH } from '../../../files/stored-files.ts'
import { announce } from '../../../http/events.ts'
import { enqueueMatching } from '../../board/requests/enqueue-matching.ts'
import { lockInbox } from '../../deals/messages/inbox-lock.ts'
import * as hideQueries from './hide-queries.ts'
import type { Case } from './queries.ts'

/** The data needed to undo a decision. */
export interface Undo {
  /** When the decision was undone. */
  undoneAt?: string
  fileIds?: string[]
  images?: { itemId: number; index: number; image: StoredImage }[]
  avatar?: { userId: string; url: string }
  /** The requests that a suspension closed. */
  closedIds?: number[]
}

type Target = Pick<Case, 'kind' | 'targetId'>

/** Hides the content of a case (ADR 79). Refuses if it is already hidden or no longer exists. */
export function hideContent(tx: Tx, { kind, targetId }: Target): Promise<Undo> {
  switch (kind) {
    case 'request':
      return hideRequest(tx, Number(targetId))
    case 'message':
      return hideMessageFromBoth(tx, Number(targetId))
    case 'review':
      return requireChange(
        updateRows(tx, reviews, { id: Number(targetId), hiddenAt: null }, { hiddenAt: tx.now }),
      )
    case 'profile':
      return hideProfileOf(tx, targetId)
    case 'picture':
      return hidePicture(tx, targetId)
  }
}

/** Shows content that `hideContent` has hidden. */
export async function restoreContent(tx: Tx, { kind, targetId }: Target, undo: Undo): Promise<void> {
  switch (kind) {
    case 'request':
      return restoreRequest(tx, Number(targetId))
    case 'message':
      await requireChange(hideQueries.showMessage(tx, Number(targetId)))
      return announceMessage(tx, Number(targetId))
    case 'review':
      await requireChange(hideQueries.showReview(tx, Number(targetId)))
      return
    case 'profile':
      await requireChange(hideQueries.showProfile(tx, targetId))
      await hideQueries.showFiles(tx, undo.fileIds ?? [])
      return
    case 'picture':
      return restorePicture(tx, undo)
  }
}

async function requireChange(changed: Promise<boolean>): Promise<Undo> {
  if (!(await changed)) throw refuse('not_hideable')
  return {}
}

/** Closes the request, so that lists, search, alerts and new deals exclude it by its status. */
async function hideRequest(tx: Tx, id: number): Promise<Undo> {
  const item = await hideQueries.lockRequest(tx, id)
  if (!item || item.hiddenAt) throw refuse('not_hideable')
  const wasOpen = item.status === 'open' || item.status === 'expired'
  await hideQueries.updateRequest(tx, id, {
    hiddenAt: tx.now,
    wasOpen,
    status: wasOpen ? 'closed' : item.status,
  })
  return {}
}

async function restoreRequest(tx: Tx, id: number): Promise<void> {
  const item = await hideQueries.lockRequest(tx, id)
  if (!item?.hiddenAt) throw refuse('not_hideable')
  const shouldReopen =
    item.wasOpen && item.status === 'closed' && !(await hideQueries.isSuspended(tx, item.userId))
  await hideQueries.updateRequest(tx, id, {
    hiddenAt: null,
    wasOpen: false,
    status: shouldReopen ? 'open' : item.status,
  })
  if (shouldReopen) await enqueueMatching(tx, id)
}

async function hideMessageFromBoth(tx: Tx, id: number): Promise<Undo> {
  const message = await hideQueries.findMessage(tx, id)
  if (!message) throw refuse('not_hideable')
  await lockInbox(tx, message.receiverId, message.wantedItemId)
  await requireChange(hideQueries.hideMessage(tx, id))
  await hideQueries.markMessageNotificationsRead(tx, message)
  await announceMessage(tx, id)
  return {}
}

async function announceMessage(tx: Tx, id: number): Promise<void> {
  const message = await hideQueries.findMessage(tx, id)
  if (message) await announce(tx, [message.senderId, message.receiverId], { about: 'messages' })
}

async function hideProfileOf(tx: Tx, userId: string): Promise<Undo> {
  await requireChange(
    updateRows(
      tx,
      users,
      { id: userId, profileHiddenAt: null, deletedAt: null },
      { profileHiddenAt: tx.now },
    ),
  )
  return { fileIds: await hideQueries.hideAvatarFiles(tx, userId) }
}

const photoIdIn = (address: string) => {
  const prefix = getPhoto.path.replace(':id', '')
  return address.startsWith(prefix) ? Number(address.slice(prefix.length)) : null
}

/** Removes a picture from the requests or the profile that show it. Its file is kept for an appeal. */
async function hidePicture(tx: Tx, address: string): Promise<Undo> {
  const photoId = photoIdIn(address)
  if (photoId !== null) {
    const fileId = await hideQueries.findPhotoFile(tx, photoId)
    return { ...(await requireChange(hideQueries.hideFile(tx, fileId ?? ''))), fileIds: [fileId ?? ''] }
  }
  const images = await takeOutOfRequests(tx, address)
  const file = await findRow(tx, files, { id: address.slice(FILES_PATH.length) })
  if (!file || file.hiddenAt) throw refuse('not_hideable')
  if (file.kind !== 'avatar' || file.ownerId === null) {
    await hideQueries.hideFile(tx, file.id)
    return { fileIds: [file.id], images }
  }
  const userId = file.ownerId
  const wasShown = await hideQueries.setAvatar(tx, userId, { from: address, to: null })
  const fileIds = await hideQueries.hideAvatarFiles(tx, userId)
  return { fileIds, images, ...(wasShown && { avatar: { userId, url: address } }) }
}

async function takeOutOfRequests(tx: Tx, url: string): Promise<NonNullable<Undo['images']>> {
  const taken: NonNullable<Undo['images']> = []
  for (const { id, images } of await hideQueries.lockRequestsWith(tx, url)) {
    for (const [index, image] of images.entries())
      if (image.pictureUrl === url) taken.push({ itemId: id, index, image })
    await hideQueries.setImages(
      tx,
      id,
      images.filter(({ pictureUrl }) => pictureUrl !== url),
    )
  }
  return taken
}

async function restorePicture(tx: Tx, { fileIds = [], images = [], avatar }: Undo): Promise<void> {
  if (!(await hideQueries.showFiles(tx, fileIds))) throw refuse('not_hideable')
  for (const { itemId, index, image } of images) {
    const item = await hideQueries.lockRequest(tx, itemId)
    if (item && item.images.length < IMAGES_MAX)
      await hideQueries.setImages(tx, itemId, item.images.toSpliced(index, 0, image))
  }
  if (avatar) await hideQueries.setAvatar(tx, avatar.userId, { from: null, to: avatar.url })
}
