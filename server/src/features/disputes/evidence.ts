import { EVIDENCE_MAX_FILES } from '@sought/contract/constants'
import { partyIn } from '@sought/escrow/moves'
import type { Database, Db, Tx } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import { announce } from '../../platform/events.ts'
import type { FileStore } from '../../platform/files.ts'
import type { User } from '../../platform/session.ts'
import { storeFile } from '../../platform/stored-files.ts'
import type { UploadedFile } from '../../platform/upload.ts'
import { isAdmin } from '../accounts/actions.ts'
import { notify } from '../notifications/actions.ts'
import { evidenceAddedNotification } from '../notifications/build-notifications.ts'
import { addTimelineEntry } from '../payments/dispute-timeline.ts'
import { lockOpenDispute } from './actions.ts'
import { recognise } from './documents.ts'
import { asEvidence } from './presenters.ts'
import { countEvidence, findDispute, findEvidenceBy, findPiece, insertEvidence } from './queries.ts'

const NAME_MAX_LENGTH = 200

/** Adds one file to a dispute, for one of its parties. Whether they may is asked before the file is looked at. */
export async function upload(
  { transact }: Database,
  store: FileStore,
  paymentId: number,
  file: UploadedFile,
  description: string | undefined,
  user: User,
) {
  const name = plainName(file.name)
  await transact((tx) => lockForFile(tx, paymentId, user))
  const recognised = await recognise(file)
  return transact(async (tx) => {
    const { payment } = await lockForFile(tx, paymentId, user)
    const stored = await storeFile(tx, store, recognised, 'evidence', user.id)
    const added = await insertEvidence(tx, {
      disputeId: paymentId,
      submittedBy: user.id,
      type: recognised.type,
      fileName: name,
      fileUrl: stored,
      fileSize: recognised.bytes.length,
      mimeType: recognised.mimeType,
      description: description || null,
    })
    await addTimelineEntry(tx, paymentId, { action: 'evidence', actor: user.id, details: name })
    await announce(tx, [payment.buyerId, payment.sellerId], { about: 'payments' })
    await notify(tx, [evidenceAddedNotification(payment, user.id, tx.now)])
    return asEvidence(added)
  })
}

/** Counted under the payment's lock, so that files sent at once are not counted as if each were the last. */
async function lockForFile(tx: Tx, paymentId: number, user: User) {
  const locked = await lockOpenDispute(tx, paymentId, user)
  const { files } = await countEvidence(tx, paymentId, user.id)
  if (files >= EVIDENCE_MAX_FILES) throw refuse('too_many_files')
  return locked
}

/** A name is words to show. One that is a path, or hides what it is, was not made by somebody who means well. */
function plainName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters and direction marks are what is looked for
  if (/[/\\\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/.test(name)) {
    throw refuse('invalid', { issues: [{ path: 'file', message: 'That is not a name for a file' }] })
  }
  return name.slice(-NAME_MAX_LENGTH)
}

/** The stored file of a piece of evidence, for the two parties and admins; nobody else learns that it exists. */
export async function openEvidenceFile(db: Db, store: FileStore, paymentId: number, id: number, user: User) {
  const dispute = await findDispute(db, paymentId)
  const may = dispute && (partyIn(dispute.payment, user.id) || (await isAdmin(db, user.id)))
  const piece = may ? await findPiece(db, paymentId, id) : undefined
  const file = piece?.fileUrl ? await store.get(piece.fileUrl) : null
  if (!piece || !file) throw refuse('dispute_not_found')
  return {
    ...file,
    name: piece.fileName ?? 'evidence',
    mimeType: piece.mimeType ?? 'application/octet-stream',
  }
}

/** All that a person has brought to disputes, of whichever side. */
export async function listEvidenceBy(db: Db, { id }: Pick<User, 'id'>) {
  return (await findEvidenceBy(db, id)).map(asEvidence)
}
