import type { BodyOf } from '@sought/contract/call'
import type { saveReply } from '@sought/contract/casework'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import type { Actor } from '../../../http/session.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import * as caseworkQueries from './casework-queries.ts'

const REPLIES_MAX = 100

type ReplyForm = BodyOf<typeof saveReply>

export const readReplies = caseworkQueries.findReplies

/** Keeps the list short. Two concurrent admins may exceed the maximum by one. */
export async function addReply(tx: Tx, form: ReplyForm, admin: Actor) {
  if ((await caseworkQueries.countReplies(tx)) >= REPLIES_MAX) throw refuse('too_many_replies')
  const saved = await caseworkQueries.insertReply(tx, { ...form, createdBy: admin.id })
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
  if (!(await caseworkQueries.deleteSavedReply(tx, id))) throw refuse('reply_not_found')
  await recordReply(tx, 'reply_deleted', id, admin)
  return { ok: true as const }
}

function recordReply(tx: Tx, action: 'reply_saved' | 'reply_deleted', replyId: number, admin: Actor) {
  return recordAudit(tx, { action, ...by(admin), subjectId: null, details: { replyId } })
}
