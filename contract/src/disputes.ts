import { DISPUTE_STATUSES } from '@sought/escrow/payment-status'
import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { call } from './call.ts'
import { EVIDENCE_MAX_BYTES } from './constants.ts'
import { Cents, Done, Id, optionalText, PathId, pageLimit, Timestamp, text, UserId } from './fields.ts'
import { Payment } from './payments.ts'

/** What one party proposes to the other: so much back to the buyer, the rest to the seller. */
export const Settlement = z.object({
  refundAmount: Cents,
  proposedBy: z.enum(['buyer', 'seller']),
  proposedAt: Timestamp,
})
export type Settlement = z.output<typeof Settlement>

export const Dispute = z.extend(Payment, {
  wantedItems: z.nullable(z.object({ title: z.string(), category: z.string() })),
  buyer: PublicUser,
  seller: PublicUser,
  disputedAt: z.nullable(Timestamp),
  /** What was ruled to go back to the buyer, and when the provider had done so. */
  refundCents: z.nullable(z.int()),
  refundedAt: z.nullable(Timestamp),
  settlement: z.nullable(Settlement),
})
export type Dispute = z.output<typeof Dispute>

export const DisputeEvidence = z.object({
  id: Id,
  disputeId: Id,
  submittedBy: UserId,
  type: z.string(),
  fileName: z.nullable(z.string()),
  fileUrl: z.nullable(z.string()),
  fileSize: z.nullable(z.int()),
  mimeType: z.nullable(z.string()),
  description: z.nullable(z.string()),
  content: z.nullable(z.string()),
  createdAt: Timestamp,
})

export type DisputeEvidence = z.output<typeof DisputeEvidence>

export const DisputeTimelineEntry = z.object({
  id: Id,
  disputeId: Id,
  action: z.string(),
  actor: z.string(),
  details: z.nullable(z.string()),
  timestamp: Timestamp,
})

export type DisputeTimelineEntry = z.output<typeof DisputeTimelineEntry>

export const ResolutionAction = z.enum([
  'refund_full',
  'refund_partial',
  'release_seller',
  'split_difference',
  'request_more_info',
  'under_review',
])

export const DisputeStatus = z.enum(DISPUTE_STATUSES)
export type DisputeStatus = z.output<typeof DisputeStatus>

export const initiateDispute = call({
  method: 'POST',
  path: '/api/initiate-dispute',
  access: 'user',
  summary: 'The buyer files a dispute from the form',
  body: z.object({ paymentId: Id, reason: text(20_000) }),
  reply: Dispute,
  refuses: ['payment_not_found', 'not_the_buyer', 'payment_wrong_state'],
})

export const uploadEvidence = call({
  method: 'POST',
  path: '/api/disputes/:paymentId/upload-evidence',
  access: 'user',
  summary: 'Adds one file to a dispute',
  params: z.object({ paymentId: PathId }),
  upload: {
    field: 'file',
    maxBytes: EVIDENCE_MAX_BYTES,
    fields: z.object({ description: z.optional(optionalText(2000)), disputeId: z.optional(PathId) }),
  },
  reply: DisputeEvidence,
  status: 201,
  refuses: ['dispute_not_found', 'dispute_resolved', 'too_many_files', 'too_large', 'wrong_type'],
})

const DisputeFilter = z.object({
  /** Looked for in the item's title, the reason and the two people's ids. */
  search: z.optional(optionalText(200)),
  status: z.optional(DisputeStatus),
  limit: pageLimit(50, 100),
  cursor: z.optional(PathId),
})

export const listDisputes = call({
  method: 'GET',
  path: '/api/admin/disputes',
  access: 'admin',
  summary: 'Payments in dispute or out of it, the latest first',
  query: DisputeFilter,
  reply: z.array(Dispute),
})

export const exportDisputes = call({
  method: 'GET',
  path: '/api/admin/disputes/export',
  access: 'admin',
  summary: 'All disputes of a search, as CSV',
  query: z.pick(DisputeFilter, { search: true, status: true }),
  reply: 'file',
})

/** A dispute with everything that was said and shown. */
const DisputeFile = z.object({
  dispute: Dispute,
  evidence: z.array(DisputeEvidence),
  timeline: z.array(DisputeTimelineEntry),
})

const onDispute = { params: z.object({ id: PathId }) }

export const getDisputeDetails = call({
  ...onDispute,
  method: 'GET',
  path: '/api/admin/disputes/:id/details',
  access: 'admin',
  summary: 'The parties, the evidence and the timeline of a dispute',
  reply: z.object({
    buyerInfo: PublicUser,
    sellerInfo: PublicUser,
    evidence: z.array(DisputeEvidence),
    timeline: z.array(DisputeTimelineEntry),
  }),
  refuses: ['dispute_not_found'],
})

export const resolveDispute = call({
  ...onDispute,
  method: 'POST',
  path: '/api/admin/disputes/:id/resolve',
  access: 'admin',
  summary: 'Rules on a dispute, to the cent',
  body: z.object({
    disputeId: z.optional(Id),
    action: ResolutionAction,
    note: z.optional(optionalText(5000)),
    refundAmount: z.optional(Cents),
  }),
  reply: Dispute,
  refuses: ['dispute_not_found', 'dispute_resolved', 'refund_out_of_range', 'not_impartial'],
})

export const addAdminEvidence = call({
  ...onDispute,
  method: 'POST',
  path: '/api/admin/disputes/:id/evidence',
  access: 'admin',
  summary: 'An admin adds a written piece of evidence',
  body: z.object({
    type: text(50),
    description: z.optional(optionalText(5000)),
    content: z.optional(optionalText(20_000)),
  }),
  reply: DisputeEvidence,
  status: 201,
  refuses: ['dispute_not_found', 'dispute_resolved', 'not_impartial'],
})

const onOwnDispute = { params: z.object({ paymentId: PathId }) }

export const getDispute = call({
  ...onOwnDispute,
  method: 'GET',
  path: '/api/disputes/:paymentId',
  access: 'user',
  summary: 'A dispute with its evidence and timeline, for its two parties',
  reply: DisputeFile,
  refuses: ['dispute_not_found'],
})

export const getEvidenceFile = call({
  method: 'GET',
  path: '/api/disputes/:paymentId/evidence/:id',
  access: 'user',
  summary: 'The file of a piece of evidence, for the two parties and admins',
  params: z.object({ paymentId: PathId, id: PathId }),
  reply: 'file',
  refuses: ['dispute_not_found'],
})

export const answerDispute = call({
  ...onOwnDispute,
  method: 'POST',
  path: '/api/disputes/:paymentId/answer',
  access: 'user',
  summary: 'A party says their side',
  body: z.object({ content: text(10_000) }),
  reply: DisputeEvidence,
  status: 201,
  refuses: ['dispute_not_found', 'dispute_resolved', 'too_many_answers'],
})

export const withdrawDispute = call({
  ...onOwnDispute,
  method: 'POST',
  path: '/api/disputes/:paymentId/withdraw',
  access: 'user',
  summary: 'The buyer takes a dispute back',
  reply: Done,
  refuses: ['dispute_not_found', 'bank_decides', 'not_the_buyer', 'dispute_resolved'],
})

export const proposeSettlement = call({
  ...onOwnDispute,
  method: 'POST',
  path: '/api/disputes/:paymentId/settlement',
  access: 'user',
  summary: 'A party proposes how much goes back to the buyer',
  body: z.object({ refundAmount: Cents }),
  reply: Done,
  refuses: ['dispute_not_found', 'dispute_resolved', 'refund_out_of_range'],
})

export const acceptSettlement = call({
  ...onOwnDispute,
  method: 'POST',
  path: '/api/disputes/:paymentId/settlement/accept',
  access: 'user',
  summary: 'The other party accepts what was proposed, and it is done',
  /** The amount that was read, so that nobody accepts one that was changed a moment ago. */
  body: z.object({ refundAmount: Cents }),
  reply: Done,
  refuses: ['dispute_not_found', 'bank_decides', 'dispute_resolved', 'settlement_changed'],
})
