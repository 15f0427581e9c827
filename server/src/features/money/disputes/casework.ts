import type { BodyOf } from '@sought/contract/call'
import type { saveReply } from '@sought/contract/casework'
import { isInDispute, partyIn } from '@sought/escrow/moves'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { deleteRows, insertRow } from '../../../database/rows.ts'
import { savedReplies } from '../../../database/schema.ts'
import type { Actor } from '../../../http/session.ts'
import { notify } from '../../notifications/actions.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { asPublicUser } from '../../users/public-user.ts'
import { findOpenCase, updateCase } from '../dispute-records/dispute-records.ts'
import { lockPayment, type Payment } from '../payments/stored-payment.ts'
import * as caseworkQueries from './casework-queries.ts'
import { findAdminPeople, findNotes, insertNote } from './casework-queries.ts'
import { disputeAssigned } from './notifications.ts'
import * as queries from './queries.ts'

interface NoteRow {
  note: Awaited<ReturnType<typeof insertNote>>
  author: Parameters<typeof asPublicUser>[0]
}

function asNote({ note: { id, text, createdAt }, author }: NoteRow) {
  return { id, text, createdAt, author: asPublicUser(author) }
}

/** Admins who are a party to the deal cannot read notes, because parties never see them. */
export async function notesFor(db: Db, payment: Pick<Payment, 'id' | 'buyerId' | 'sellerId'>, admin: Actor) {
  return partyIn(payment, admin.id) ? [] : (await findNotes(db, payment.id)).map(asNote)
}

export async function addNote(tx: Tx, paymentId: number, text: string, admin: Actor) {
  const dispute = await queries.findDeskDispute(tx, paymentId)
  if (!dispute) throw refuse('dispute_not_found')
  if (partyIn(dispute.payment, admin.id)) throw refuse('not_impartial')
  const note = await insertNote(tx, { paymentId, authorId: admin.id, text })
  await recordAudit(tx, {
    action: 'dispute_noted',
    ...by(admin),
    subjectId: null,
    details: { paymentId, noteId: note.id },
  })
  return asNote({ note, author: admin })
}

/** Assigns an open dispute to an admin who is not a party to it, or to nobody. */
export async function assign(tx: Tx, paymentId: number, adminId: string | null, admin: Actor) {
  const payment = await lockPayment(tx, paymentId)
  if (!payment?.deskStatus) throw refuse('dispute_not_found')
  if (!isInDispute(payment.status))
    throw refuse(payment.deskStatus.startsWith('resolved') ? 'dispute_resolved' : 'dispute_not_found')
  const assignee = adminId === null ? null : (await findAdminPeople(tx)).find(({ id }) => id === adminId)
  if (assignee === undefined) throw refuse('person_not_found')
  if (partyIn(payment, admin.id) || (assignee && partyIn(payment, assignee.id))) throw refuse('not_impartial')
  const open = await findOpenCase(tx, paymentId)
  if (open.assignedTo !== adminId) {
    await updateCase(tx, open.id, { assignedTo: adminId })
    await recordAudit(tx, {
      action: 'dispute_assigned',
      ...by(admin),
      subjectId: adminId,
      details: { paymentId },
    })
    if (assignee && assignee.id !== admin.id)
      await notify(tx, disputeAssigned(payment, assignee.id, admin.id, tx.now))
  }
  return { assignee: assignee && asPublicUser(assignee) }
}

export async function listAdminPeople(db: Db) {
  return (await findAdminPeople(db)).map(asPublicUser)
}

const REPLIES_MAX = 100

type ReplyForm = BodyOf<typeof saveReply>

export const readReplies = caseworkQueries.findReplies

/** Keeps the list short. Two concurrent admins may exceed the maximum by one. */
export async function addReply(tx: Tx, form: ReplyForm, admin: Actor) {
  if ((await caseworkQueries.countReplies(tx)) >= REPLIES_MAX) throw refuse('too_many_replies')
  const saved = await insertRow(tx, savedReplies, { ...form, createdBy: admin.id, createdAt: tx.now })
  await recordReply(tx, 'reply_saved', saved.id, admin)
  return saved
}

export async function changeReply(tx: Tx, id: number, form: ReplyForm, admin: Actor) {
  const saved = await caseworkQueries.updateSavedReply(tx, id, form)
  if (!saved) throw refuse('reply_not_found')
  await recordReply(tx, 'reply_saved', id, admin)
  return saved
}

export async function removeReply(tx: Tx, id: number, admin: Actor) {
  if (!(await deleteRows(tx, savedReplies, { id }))) throw refuse('reply_not_found')
  await recordReply(tx, 'reply_deleted', id, admin)
  return { ok: true as const }
}

function recordReply(tx: Tx, action: 'reply_saved' | 'reply_deleted', replyId: number, admin: Actor) {
  return recordAudit(tx, { action, ...by(admin), subjectId: null, details: { replyId } })
}
