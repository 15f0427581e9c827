import { fillPath } from '@sought/contract/call'
import { getPhoto } from '@sought/contract/photos'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { photoNames, smallPhotoName, type WrittenPhoto } from '../../../files/photo-files.ts'
import { insertFile } from '../../../files/stored-files.ts'
import type { PrivateFile } from '../../../http/serve-files.ts'
import type { Actor, User } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import { findStaffRole, needsSecondFactor } from '../../identity/accounts/actions.ts'
import { lockActiveUser } from '../../identity/accounts/active-users.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import type { PhotoPlace } from './queries.ts'
import * as queries from './queries.ts'

type Row = Awaited<ReturnType<typeof queries.insertPhoto>>

const asPhoto = ({ id, width, height }: Row) => ({
  id,
  url: fillPath(getPhoto.path, { id }),
  width,
  height,
})
type Photo = ReturnType<typeof asPhoto>

/** Saves a photo whose files were already written. Only its owner sees it until it is sent. */
export async function savePhoto(
  tx: Tx,
  { fileId, sizeBytes, width, height }: WrittenPhoto,
  { id: ownerId }: Pick<User, 'id'>,
): Promise<Photo> {
  await lockActiveUser(tx, ownerId)
  await insertFile(tx, { id: fileId, ownerId, kind: 'photo', mimeType: 'image/webp', sizeBytes })
  return asPhoto(await queries.insertPhoto(tx, { ownerId, fileId, width, height }))
}

/** Sends photos with a message or an offer. A photo is sent once, by the user who uploaded it. */
export async function sendPhotos(
  tx: Tx,
  ids: number[],
  place: PhotoPlace,
  { id: ownerId }: Pick<User, 'id'>,
): Promise<void> {
  if (ids.length === 0) return
  const unsent = await queries.lockUnsentPhotos(tx, ownerId, ids)
  if (unsent.length < ids.length) throw refuse('photo_not_available')
  await queries.setPlace(tx, ids, place)
}

export async function photosOfMessages(db: Db, ids: number[]): Promise<Map<number | null, Photo[]>> {
  const found = ids.length > 0 ? await queries.findPhotosOfMessages(db, ids) : []
  return mapPhotos(found, ({ messageId }) => messageId)
}

export async function photosOfOffers(db: Db, ids: number[]): Promise<Map<number | null, Photo[]>> {
  const found = ids.length > 0 ? await queries.findPhotosOfOffers(db, ids) : []
  return mapPhotos(found, ({ offerId }) => offerId)
}

function mapPhotos(rows: Row[], placeOf: (row: Row) => number | null): Map<number | null, Photo[]> {
  const groups = Map.groupBy(rows, placeOf)
  return new Map([...groups].map(([place, found]) => [place, found.map(asPhoto)]))
}

type Viewer = Pick<Actor, 'id' | 'origin'>

/**
 * Finds a photo for the two people of its conversation, for admins while the desk lists a payment between
 * them, and for moderators who have claimed its case. Access by admins and moderators is recorded. For
 * everyone else it does not exist. The two people cannot see a hidden photo either.
 */
export async function findReadablePhoto(
  tx: Tx,
  config: Services['config'],
  id: number,
  size: 'small' | undefined,
  user: Viewer,
): Promise<PrivateFile> {
  const photo = await queries.findPhoto(tx, id)
  if (!photo) throw refuse('photo_not_found')
  const isOwn = [photo.ownerId, photo.one, photo.other].includes(user.id) && !photo.isHidden
  if (!isOwn) await authoriseTeam(tx, config, id, photo, user)
  const fileId = size === 'small' ? smallPhotoName(photo.fileId) : photo.fileId
  return { fileId, name: `photo-${id}.webp`, mimeType: 'image/webp' }
}

type FoundPhoto = NonNullable<Awaited<ReturnType<typeof queries.findPhoto>>>

async function authoriseTeam(
  tx: Tx,
  config: Services['config'],
  id: number,
  photo: FoundPhoto,
  user: Viewer,
): Promise<void> {
  const details = await findDeskDetails(tx, id, photo, user)
  if (!details) throw refuse('photo_not_found')
  if (await needsSecondFactor(tx, config, user.id)) throw refuse('second_factor_required')
  await recordAudit(tx, {
    action: 'photo_viewed',
    ...by(user),
    subjectId: photo.ownerId,
    details: { ...details, photoId: id },
  })
}

/** The payment on the desk or the case that lets this person see the photo, for the audit log. */
async function findDeskDetails(
  tx: Tx,
  id: number,
  { wantedItemId, one, other, messageId }: FoundPhoto,
  user: Viewer,
): Promise<{ paymentId: number } | { caseId: number } | null> {
  const role = await findStaffRole(tx, user.id)
  if (role === 'admin' && wantedItemId && one && other) {
    const payment = await queries.findDeskPayment(tx, wantedItemId, one, other)
    if (payment) return { paymentId: payment.id }
  }
  if (role !== 'admin' && role !== 'moderator') return null
  const path = fillPath(getPhoto.path, { id })
  const claimed = await queries.findClaimedCase(tx, user.id, { path, messageId })
  return claimed ? { caseId: claimed.id } : null
}

/** Deletes a user's unsent photos. Returns the file names to remove after the commit. */
export async function deleteUnsentPhotos(tx: Tx, userId: string): Promise<string[]> {
  return (await queries.deleteUnsentPhotosOf(tx, userId)).flatMap(photoNames)
}
