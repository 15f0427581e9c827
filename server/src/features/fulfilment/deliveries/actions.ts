import type { BodyOf, FieldsOf } from '@sought/contract/call'
import type { cancelPayment, PARCEL_FILES, shipItem } from '@sought/contract/deliveries'
import { decideCancellation } from '@sought/escrow/delivery'
import { partyIn } from '@sought/escrow/moves'
import { fileTypeFromBuffer } from 'file-type'
import { Refused, refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import { findRow } from '../../../database/rows.ts'
import { payments } from '../../../database/schema.ts'
import { type FileStore, removeFiles } from '../../../files/files.ts'
import { reencode } from '../../../files/images.ts'
import {
  deleteFile,
  insertFile,
  type NewFile,
  type StoredFile,
  storeFile,
} from '../../../files/stored-files.ts'
import type { PrivateFile } from '../../../http/serve-files.ts'
import type { Actor, User } from '../../../http/session.ts'
import type { UploadedFile } from '../../../http/upload.ts'
import type { Services } from '../../../services.ts'
import { isAdmin, needsSecondFactor } from '../../identity/accounts/actions.ts'
import { applyMove, checkMove } from '../../money/payments/apply-move.ts'
import { readDetails } from '../../money/payments/read-details.ts'
import { lockOwnPayment, savePayment } from '../../money/payments/stored-payment.ts'
import { notify } from '../../notifications/actions.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { cancelRequested } from './notifications.ts'
import * as queries from './queries.ts'
import { startTracking, stopTracking } from './track-parcels.ts'

export { readDetails }

/** Permission is checked before a file is decoded, and again when it is saved. */
async function lockForMove(tx: Tx, id: number, name: 'ship' | 'deliver', user: User) {
  const { payment, party } = await lockOwnPayment(tx, id, user)
  checkMove(payment, { name, actor: party }, tx.now)
  return { payment, party }
}

/** Reports the shipment, or corrects it. */
export async function ship(
  { database, files, tracking }: Services,
  id: number,
  { carrier, trackingNumber, note }: FieldsOf<typeof shipItem>,
  file: UploadedFile | undefined,
  seller: User,
): Promise<void> {
  await database.transact((tx) => lockForMove(tx, id, 'ship', seller))
  const picture = file && (await checkPhoto(file, seller.id))
  const number = trackingNumber || null
  const save = async (tx: Tx, stored: StoredFile | null) => {
    const { payment, party } = await lockForMove(tx, id, 'ship', seller)
    const photo = stored && (await insertParcelFile(tx, stored, seller))
    const shipment = { carrier, trackingNumber: number, note: note || null, photo }
    await applyMove(tx, payment, { name: 'ship', actor: party, shipment })
    if (!number) await stopTracking(tx, id)
    else if (carrier !== payment.carrier || number !== payment.trackingNumber)
      await startTracking(tx, tracking, { paymentId: id, carrier, number })
    if (!photo || !payment.shipmentPhoto) return []
    await deleteFile(tx, payment.shipmentPhoto)
    return [payment.shipmentPhoto]
  }
  const replaced = await storeIfGiven(files, picture, (stored) => database.transact((tx) => save(tx, stored)))
  await removeFiles(files, replaced)
}

const storeIfGiven = <Saved>(
  store: FileStore,
  file: NewFile | undefined,
  save: (stored: StoredFile | null) => Promise<Saved>,
): Promise<Saved> => (file ? storeFile(store, file, save) : save(null))

async function insertParcelFile(tx: Tx, stored: StoredFile, { id: ownerId }: User): Promise<string> {
  await insertFile(tx, { ...stored, kind: 'parcel', ownerId })
  return stored.id
}

/** Reports the arrival, which a tracking number or a file must prove. */
export async function deliver(
  { database, files }: Services,
  id: number,
  file: UploadedFile | undefined,
  seller: User,
): Promise<void> {
  const { payment: before } = await database.transact((tx) => lockForMove(tx, id, 'deliver', seller))
  if (!file && !before.trackingNumber) {
    throw refuse('invalid', {
      issues: [
        { path: 'proof', message: 'Please add a proof of delivery, since there is no tracking number' },
      ],
    })
  }
  const checked = file && (await checkProof(file, seller.id))
  await storeIfGiven(files, checked, (stored) =>
    database.transact(async (tx) => {
      const { payment, party } = await lockForMove(tx, id, 'deliver', seller)
      const proof = stored && (await insertParcelFile(tx, stored, seller))
      await applyMove(tx, payment, { name: 'deliver', actor: party, proof })
    }),
  )
}

/** Ends the deal, or asks the seller to do so if the buyer cannot end it alone. */
export async function cancel(
  tx: Tx,
  id: number,
  { reason }: BodyOf<typeof cancelPayment>,
  user: User,
): Promise<void> {
  const { payment, party } = await lockOwnPayment(tx, id, user)
  if (decideCancellation(payment, party, tx.now) !== 'ask_seller') {
    await applyMove(tx, payment, { name: 'cancel', actor: party, reason })
    return
  }
  const isRepeated = payment.cancelRequestedAt !== null
  const cancelRequestedAt = payment.cancelRequestedAt ?? tx.now
  await savePayment(tx, payment, { cancelRequestedAt, cancelReason: reason })
  if (!isRepeated) await notify(tx, cancelRequested(payment, tx.now))
}

/** Finds a file for the two parties and admins, and records that an admin reads it. For everyone else it does not exist. */
export async function findReadableParcelFile(
  tx: Tx,
  config: Services['config'],
  { id, file: name }: { id: number; file: (typeof PARCEL_FILES)[number] },
  user: Actor,
): Promise<PrivateFile> {
  const payment = await findRow(tx, payments, { id }, [
    'buyerId',
    'sellerId',
    'deskStatus',
    'shipmentPhoto',
    'deliveryProof',
  ])
  const isParty = payment !== undefined && partyIn(payment, user.id) !== null
  const isOnDesk = payment !== undefined && payment.deskStatus !== null
  const canRead = isParty || (isOnDesk && (await isAdmin(tx, user.id)))
  if (!canRead) throw refuse('payment_not_found')
  if (!isParty && (await needsSecondFactor(tx, config, user.id))) throw refuse('second_factor_required')
  const fileId = name === 'shipment-photo' ? payment.shipmentPhoto : payment.deliveryProof
  const mimeType = fileId && (await queries.findFileType(tx, fileId))
  if (!fileId || !mimeType) throw refuse('payment_not_found')
  if (!isParty)
    await recordAudit(tx, {
      action: 'parcel_file_viewed',
      ...by(user),
      subjectId: payment.sellerId,
      details: { paymentId: id, file: name },
    })
  return { fileId, mimeType, name: `${name}.${mimeType === 'application/pdf' ? 'pdf' : 'webp'}` }
}

const SIDE_PIXELS = 2400

/** A photo of the parcel as it will be stored. */
async function checkPhoto({ bytes }: UploadedFile, ownerId: string): Promise<NewFile> {
  return { bytes: await reencode(bytes, SIDE_PIXELS, ownerId), extension: 'webp', mimeType: 'image/webp' }
}

/** A picture or a PDF, such as the carrier's receipt. Its type is detected from the content. */
async function checkProof(file: UploadedFile, ownerId: string): Promise<NewFile> {
  const found = await fileTypeFromBuffer(file.bytes)
  if (found?.mime === 'application/pdf')
    return { bytes: file.bytes, extension: 'pdf', mimeType: 'application/pdf' }
  return checkPhoto(file, ownerId).catch((error) => {
    throw error instanceof Refused && error.code === 'not_an_image'
      ? refuse('wrong_type', { reason: error.reason })
      : error
  })
}
