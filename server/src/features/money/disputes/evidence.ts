import { EVIDENCE_MAX_FILES } from '@sought/contract/constants'
import { partyIn } from '@sought/escrow/moves'
import { refuse } from '../../../core/errors.ts'
import type { Database, Db, Tx } from '../../../database/database.ts'
import type { FileStore } from '../../../files/files.ts'
import { insertFile, storeFile } from '../../../files/stored-files.ts'
import { announce } from '../../../http/events.ts'
import type { PrivateFile } from '../../../http/serve-files.ts'
import type { Actor, User } from '../../../http/session.ts'
import type { UploadedFile } from '../../../http/upload.ts'
import type { Services } from '../../../services.ts'
import { isAdmin, needsSecondFactor } from '../../identity/accounts/actions.ts'
import { notify } from '../../notifications/actions.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { addTimelineEntry } from '../dispute-records/dispute-records.ts'
import { lockOpenDispute } from './actions.ts'
import { checkFile } from './check-file.ts'
import { evidenceAdded } from './notifications.ts'
import { asEvidence } from './presenters.ts'
import * as queries from './queries.ts'

const NAME_MAX_LENGTH = 200

/** Adds a party's file to a dispute. Checks permission before decoding the file, and again when saving it. */
export async function addFile(
  { transact }: Database,
  store: FileStore,
  paymentId: number,
  file: UploadedFile,
  description: string | undefined,
  user: User,
) {
  const name = checkFileName(file.name)
  await transact((tx) => lockForFile(tx, paymentId, user))
  const checked = await checkFile(file, user.id)
  const { type, ...newFile } = checked
  return storeFile(store, newFile, (stored) =>
    transact(async (tx) => {
      const { payment } = await lockForFile(tx, paymentId, user)
      await insertFile(tx, { ...stored, kind: 'evidence', ownerId: user.id })
      const added = await queries.insertEvidence(tx, {
        disputeId: paymentId,
        submittedBy: user.id,
        type,
        fileName: name,
        fileUrl: stored.id,
        fileSize: stored.sizeBytes,
        mimeType: stored.mimeType,
        description: description || null,
      })
      await addTimelineEntry(tx, paymentId, { action: 'evidence', actor: user.id, details: name })
      await announce(tx, [payment.buyerId, payment.sellerId], { about: 'payments' })
      await notify(tx, evidenceAdded(payment, user.id, tx.now))
      return asEvidence(added)
    }),
  )
}

/** Counts under the payment's lock, so that concurrent uploads cannot exceed the limit. */
async function lockForFile(tx: Tx, paymentId: number, user: User) {
  const locked = await lockOpenDispute(tx, paymentId, user)
  const { files } = await queries.countEvidence(tx, paymentId, user.id)
  if (files >= EVIDENCE_MAX_FILES) throw refuse('too_many_files')
  return locked
}

/** Refuses paths, control characters and characters that reverse the text direction. */
function checkFileName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters and direction marks
  if (/[/\\\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/.test(name)) {
    throw refuse('invalid', {
      issues: [{ path: 'file', message: 'The file name contains characters that are not allowed' }],
    })
  }
  return name.slice(-NAME_MAX_LENGTH)
}

/** Finds an evidence file for the two parties and admins, and records that an admin reads it. For everyone else it does not exist. */
export async function findReadableEvidence(
  tx: Tx,
  config: Services['config'],
  { paymentId, id }: { paymentId: number; id: number },
  user: Actor,
): Promise<PrivateFile> {
  const dispute = await queries.findDeskDispute(tx, paymentId)
  const isParty = dispute !== undefined && partyIn(dispute.payment, user.id) !== null
  const canRead = dispute && (isParty || (await isAdmin(tx, user.id)))
  if (canRead && !isParty && (await needsSecondFactor(tx, config, user.id)))
    throw refuse('second_factor_required')
  const evidence = canRead ? await queries.findEvidenceById(tx, paymentId, id) : undefined
  if (!evidence?.fileUrl) throw refuse('dispute_not_found')
  if (!isParty)
    await recordAudit(tx, {
      action: 'evidence_viewed',
      ...by(user),
      subjectId: evidence.submittedBy,
      details: { paymentId, evidenceId: id },
    })
  return {
    fileId: evidence.fileUrl,
    name: evidence.fileName ?? 'evidence',
    mimeType: evidence.mimeType ?? 'application/octet-stream',
  }
}

/** All evidence that a user has submitted, in any dispute. */
export async function listEvidenceBy(db: Db, { id }: Pick<User, 'id'>) {
  return (await queries.findEvidenceBy(db, id)).map(asEvidence)
}
