import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { call } from './call.ts'
import { EVIDENCE_MAX_BYTES } from './constants.ts'
import { Cents, Done, Id, optionalText, PathId, Timestamp, text, UserId } from './fields.ts'
import { Payment } from './payments.ts'

export const Dispute = z.extend(Payment, {
  wantedItems: z.nullable(z.object({ title: z.string(), category: z.string() })),
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

export const DisputeTimelineEntry = z.object({
  id: Id,
  disputeId: Id,
  action: z.string(),
  actor: z.string(),
  details: z.nullable(z.string()),
  timestamp: Timestamp,
})

export const ResolutionAction = z.enum([
  'refund_full',
  'refund_partial',
  'release_seller',
  'split_difference',
  'request_more_info',
  'under_review',
])

export const initiateDispute = call({
  method: 'POST',
  path: '/api/initiate-dispute',
  access: 'user',
  says: 'The buyer files a dispute from the form',
  body: z.object({ paymentId: Id, reason: text(20_000) }),
  reply: Dispute,
  refuses: ['payment_not_found', 'not_the_buyer', 'payment_wrong_state'],
})

export const uploadEvidence = call({
  method: 'POST',
  path: '/api/disputes/:paymentId/upload-evidence',
  access: 'user',
  says: 'Adds one file to a dispute',
  params: z.object({ paymentId: PathId }),
  upload: {
    field: 'file',
    maxBytes: EVIDENCE_MAX_BYTES,
    fields: z.object({ description: z.optional(optionalText(2000)), disputeId: z.optional(PathId) }),
  },
  reply: DisputeEvidence,
  status: 201,
  refuses: [
    'dispute_not_found',
    'not_a_party',
    'dispute_resolved',
    'too_many_files',
    'too_large',
    'wrong_type',
  ],
})

export const listDisputes = call({
  method: 'GET',
  path: '/api/admin/disputes',
  access: 'admin',
  says: 'Payments in dispute',
  reply: z.array(Dispute),
})

const onDispute = { params: z.object({ id: PathId }) }

export const getDisputeDetails = call({
  ...onDispute,
  method: 'GET',
  path: '/api/admin/disputes/:id/details',
  access: 'admin',
  says: 'The parties, the evidence and the timeline of a dispute',
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
  says: 'Rules on a dispute, to the cent',
  body: z.object({
    disputeId: z.optional(Id),
    action: ResolutionAction,
    note: z.optional(optionalText(5000)),
    refundAmount: z.optional(Cents),
  }),
  reply: Dispute,
  refuses: ['dispute_not_found', 'dispute_resolved', 'refund_out_of_range', 'not_a_party'],
})

export const addAdminEvidence = call({
  ...onDispute,
  method: 'POST',
  path: '/api/admin/disputes/:id/evidence',
  access: 'admin',
  says: 'An admin adds a written piece of evidence',
  body: z.object({
    type: text(50),
    description: z.optional(optionalText(5000)),
    content: z.optional(optionalText(20_000)),
  }),
  reply: DisputeEvidence,
  status: 201,
  refuses: ['dispute_not_found'],
})

export const withdrawDispute = call({
  method: 'POST',
  path: '/api/disputes/:paymentId/withdraw',
  access: 'user',
  says: 'The buyer takes a dispute back',
  params: z.object({ paymentId: PathId }),
  reply: Done,
  refuses: ['dispute_not_found', 'not_the_buyer', 'dispute_resolved'],
})
