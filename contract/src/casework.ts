import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { Currency } from './currency-code.ts'
import { Appeal, AppealDecision, DisputeNote, ResolutionAction } from './disputes.ts'
import { Done, Id, PathId, pageLimit, Rank, RankCursor, Timestamp, text, UserId } from './fields.ts'
import { findUnknownPlaceholders } from './reply-placeholders.ts'

const call = callsOf({ subjects: ['disputes'], fresh: 'on open' })

const onDispute = { params: z.object({ id: PathId }) }

/** Rulings that admins can make on many disputes at once. A partial refund needs its own amount for each. */
export const BULK_ACTIONS = ['refund_full', 'release_seller', 'split_difference'] as const
const BulkAction = z.enum(BULK_ACTIONS, 'Please select a resolution action')
export type BulkAction = z.output<typeof BulkAction>

export const BULK_MAX = 100

const DisputeIds = z.array(Id).check(
  z.minLength(1, 'Choose at least one dispute'),
  z.maxLength(BULK_MAX, `Choose at most ${BULK_MAX} disputes`),
  z.refine((ids) => new Set(ids).size === ids.length, 'Each dispute can only be chosen once'),
)

/** How a ruling divides the money of a dispute, in cents. */
const RulingPreview = z.object({ id: Id, refund: z.int(), seller: z.int(), fees: z.int() })
export type RulingPreview = z.output<typeof RulingPreview>

export const previewBulkRuling = call({
  method: 'POST',
  path: '/api/admin/disputes/bulk/preview',
  access: 'admin',
  changes: [],
  summary: 'Calculates a ruling for many disputes. Disputes that cannot be ruled on now are left out',
  body: z.object({ ids: DisputeIds, action: BulkAction }),
  reply: z.array(RulingPreview),
})

export const RULING_NOTE_MAX_LENGTH = 5000

export const BulkRuling = z.object({
  action: BulkAction,
  note: text(RULING_NOTE_MAX_LENGTH, 'Please give a reason'),
})

export const ruleInBulk = call({
  method: 'POST',
  path: '/api/admin/disputes/bulk',
  access: 'admin',
  confirmed: true,
  summary: 'Rules on many disputes, each in its own transaction, and lists those that could not be ruled on',
  body: z.object({
    ids: DisputeIds,
    ...BulkRuling.shape,
    /** The amounts that the admin saw. A dispute whose amounts have changed since then is skipped. */
    preview: z.optional(z.array(RulingPreview).check(z.maxLength(BULK_MAX))),
  }),
  reply: z.object({
    ruled: z.array(Id),
    changed: z.array(z.object({ id: Id, code: z.string() })),
  }),
})

export const DISPUTE_NOTE_MAX_LENGTH = 5000

export const NewDisputeNote = z.object({ text: text(DISPUTE_NOTE_MAX_LENGTH, 'Please write a note') })

export const noteDispute = call({
  ...onDispute,
  method: 'POST',
  path: '/api/admin/disputes/:id/notes',
  access: 'admin',
  summary: 'Adds a note about a dispute that only admins read',
  body: NewDisputeNote,
  reply: DisputeNote,
  status: 201,
  refuses: ['dispute_not_found', 'not_impartial'],
})

export const assignDispute = call({
  ...onDispute,
  method: 'POST',
  path: '/api/admin/disputes/:id/assign',
  access: 'admin',
  summary: 'Assigns an open dispute to an admin, or to nobody',
  body: z.object({ adminId: z.nullable(UserId) }),
  reply: z.object({ assignee: z.nullable(PublicUser) }),
  refuses: ['dispute_not_found', 'dispute_resolved', 'person_not_found', 'not_impartial'],
})

export const listAdmins = call({
  method: 'GET',
  path: '/api/admin/admins',
  access: 'admin',
  summary: 'Lists the admins that a dispute can be assigned to',
  reply: z.array(PublicUser),
})

export const REPLY_TITLE_MAX_LENGTH = 100
export const REPLY_MAX_LENGTH = 5000

const onReply = { params: z.object({ id: PathId }) }

export const SavedReplyForm = z.object({
  title: text(REPLY_TITLE_MAX_LENGTH, 'Please enter a title'),
  text: text(REPLY_MAX_LENGTH, 'Please enter a text').check(
    z.superRefine((written, context) => {
      const unknown = findUnknownPlaceholders(written).map((name) => `{${name}}`)
      if (unknown.length === 0) return
      context.addIssue({
        code: 'custom',
        message: `There is no placeholder ${unknown.join(', ')}`,
        input: written,
      })
    }),
  ),
})

export const SavedReply = z.object({ id: Id, title: z.string(), text: z.string(), createdAt: Timestamp })
export type SavedReply = z.output<typeof SavedReply>

export const listReplies = call({
  method: 'GET',
  path: '/api/admin/replies',
  access: 'admin',
  about: ['replies'],
  summary: 'Lists the saved replies, by title',
  reply: z.array(SavedReply),
})

export const saveReply = call({
  method: 'POST',
  path: '/api/admin/replies',
  access: 'admin',
  changes: ['replies'],
  summary: 'Saves a reply with placeholders for all admins',
  body: SavedReplyForm,
  reply: SavedReply,
  status: 201,
  refuses: ['too_many_replies'],
})

export const updateReply = call({
  ...onReply,
  method: 'PATCH',
  path: '/api/admin/replies/:id',
  access: 'admin',
  changes: ['replies'],
  summary: 'Changes a saved reply',
  body: SavedReplyForm,
  reply: SavedReply,
  refuses: ['reply_not_found'],
})

export const deleteReply = call({
  ...onReply,
  method: 'DELETE',
  path: '/api/admin/replies/:id',
  access: 'admin',
  changes: ['replies'],
  summary: 'Deletes a saved reply',
  reply: Done,
  refuses: ['reply_not_found'],
})

/** An appeal with the ruling, for admins. */
export const AdminAppeal = z.extend(Appeal, {
  rank: Rank,
  paymentId: Id,
  title: z.string(),
  transactionNumber: z.string(),
  currency: Currency,
  buyer: PublicUser,
  seller: PublicUser,
  ruledAt: Timestamp,
  ruledBy: z.nullable(PublicUser),
  /** Null if an earlier release did not record it. */
  ruling: z.nullable(ResolutionAction),
  rulingNote: z.nullable(z.string()),
  /** In cents: the amount in escrow, and what each party got by the ruling. */
  amount: z.int(),
  refund: z.int(),
  payout: z.int(),
  /** In cents: what the appellant gets from the platform if the ruling is overturned, or already got. */
  stake: z.int(),
  decidedBy: z.nullable(PublicUser),
})
export type AdminAppeal = z.output<typeof AdminAppeal>

export const APPEAL_MAX_LENGTH = 5000

export const RulingAppeal = z.object({ reason: text(APPEAL_MAX_LENGTH, 'Please say why') })

export const appealRuling = call({
  method: 'POST',
  path: '/api/disputes/:paymentId/appeal',
  access: 'user',
  changes: ['payments'],
  allowedIfSuspended: true,
  summary: 'Appeals against an admin’s ruling as the buyer or the seller, within 7 days',
  params: z.object({ paymentId: PathId }),
  body: RulingAppeal,
  reply: Appeal,
  status: 201,
  refuses: ['dispute_not_found', 'not_ruled', 'already_appealed', 'appeal_too_late'],
})

export const listAppeals = call({
  method: 'GET',
  path: '/api/admin/appeals',
  access: 'admin',
  summary: 'Lists appeals against rulings: open ones first, then the latest decided',
  query: z.object({ limit: pageLimit(50, 100), cursor: z.optional(RankCursor) }),
  reply: z.array(AdminAppeal),
})

export const AppealAnswer = z.object({ note: text(RULING_NOTE_MAX_LENGTH, 'Please give a reason') })

export const decideAppeal = call({
  method: 'POST',
  path: '/api/admin/appeals/:id/decide',
  access: 'admin',
  confirmed: true,
  summary: 'Upholds or overturns a ruling. The platform pays what an overturned ruling cost the appellant',
  params: z.object({ id: PathId }),
  body: z.extend(AppealAnswer, { decision: AppealDecision }),
  reply: AdminAppeal,
  refuses: [
    'provider_failed',
    'bank_decides',
    'appeal_not_found',
    'appeal_decided',
    'ruling_overturned',
    'same_admin',
    'not_impartial',
    'recipient_deleted',
  ],
})
