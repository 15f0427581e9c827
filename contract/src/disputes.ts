import { DISPUTE_STATUSES } from '@sought/escrow/payment-status'
import { PAYOUT_STATUSES } from '@sought/escrow/payout-status'
import { CHARGEBACK_OUTCOMES, FRAUD_SIGNAL_KINDS } from '@sought/escrow/provider-facts'
import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { EVIDENCE_MAX_BYTES } from './constants.ts'
import {
  Amount,
  Done,
  Id,
  INTEGER_MAX,
  optionalText,
  PathId,
  pageLimit,
  Timestamp,
  text,
  UserId,
} from './fields.ts'
import { Message } from './messages.ts'
import { Payment, parcelRecord } from './payments.ts'
import { AgreedItem } from './requests.ts'

const call = callsOf({ subjects: ['payments'], fresh: 'on open' })
const deskCall = callsOf({ subjects: ['disputes'], fresh: 'on open' })

export const Party = z.enum(['buyer', 'seller'])

/** A settlement that one party proposes: `refundAmount` to the buyer, the rest to the seller. */
export const Settlement = z.object({
  refundAmount: Amount,
  proposedBy: Party,
  proposedAt: Timestamp,
})
export type Settlement = z.output<typeof Settlement>

export const DisputeStatus = z.enum(DISPUTE_STATUSES)
export type DisputeStatus = z.output<typeof DisputeStatus>

export const Dispute = z.extend(Payment, {
  wantedItems: z.nullable(AgreedItem),
  buyer: PublicUser,
  seller: PublicUser,
  disputedAt: z.nullable(Timestamp),
  /** The refund that the ruling or settlement decided, and when the provider made it. */
  refundCents: z.nullable(z.int()),
  refundedAt: z.nullable(Timestamp),
  settlement: z.nullable(Settlement),
  /** When our first answer is due or, after that, our ruling. Null after the end, and while a bank decides. */
  dueAt: z.nullable(Timestamp),
  ...parcelRecord,
})
export type Dispute = z.output<typeof Dispute>

/** A case of the buyer's bank: the bank asks about a payment, or takes the money back. */
export const Chargeback = z.object({
  id: z.string(),
  amountCents: Amount,
  /** The status as the provider calls it. */
  status: z.string(),
  outcome: z.enum(CHARGEBACK_OUTCOMES),
  reason: z.string(),
  /** The bank's deadline for evidence. */
  deadline: z.nullable(Timestamp),
  evidenceSentAt: z.nullable(Timestamp),
  openedAt: Timestamp,
  closedAt: z.nullable(Timestamp),
})
export type Chargeback = z.output<typeof Chargeback>

/** A sign that the payment may be fraud. Open until the provider closes it or an admin dismisses it. */
const FraudSignal = z.object({
  id: z.string(),
  kind: z.enum(FRAUD_SIGNAL_KINDS),
  reason: z.string(),
  openedAt: Timestamp,
  closedAt: z.nullable(Timestamp),
  dismissedAt: z.nullable(Timestamp),
})

/** The provider's records about a payment, for admins. */
const bankRecords = {
  bankDecides: z.boolean(),
  /** The bank's deadline for evidence. Null unless a bank decides. */
  bankDeadline: z.nullable(Timestamp),
  chargebacks: z.array(Chargeback),
  /** The seller's payout. `reversedCents` were taken back after it was paid. */
  payout: z.nullable(
    z.object({
      status: z.enum(PAYOUT_STATUSES),
      amountCents: Amount,
      reversedCents: z.int(),
      paidAt: z.nullable(Timestamp),
    }),
  ),
  fraudSignals: z.array(FraudSignal),
  /** When admins were notified that the money has been in escrow for too long. */
  escalatedAt: z.nullable(Timestamp),
}

/** A payment on the desk: disputed, being reviewed by a bank, possibly fraud, or in escrow for too long. */
export const DeskDispute = z.extend(Dispute, {
  ...bankRecords,
  /**
   * The status under which the desk lists the payment. It differs from `status` if the buyer did not dispute the
   * payment.
   */
  deskStatus: DisputeStatus,
  /** The assigned admin. Null after the end. */
  assignee: z.nullable(PublicUser),
})
export type DeskDispute = z.output<typeof DeskDispute>

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

/** An admin's note about a dispute, for other admins. */
export const DisputeNote = z.object({ id: Id, author: PublicUser, text: z.string(), createdAt: Timestamp })
export type DisputeNote = z.output<typeof DisputeNote>

export const AppealDecision = z.enum(['uphold', 'overturn'])

/** A party's appeal against a ruling, as both parties see it. */
export const Appeal = z.object({
  id: Id,
  by: Party,
  reason: z.string(),
  createdAt: Timestamp,
  decision: z.nullable(AppealDecision),
  /** The reason for the decision. */
  note: z.nullable(z.string()),
  decidedAt: z.nullable(Timestamp),
})
export type Appeal = z.output<typeof Appeal>

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
  allowedIfSuspended: true,
  summary: 'Files a dispute as the buyer, from the dispute form',
  body: z.object({ paymentId: Id, reason: text(20_000) }),
  reply: Dispute,
  refuses: ['payment_not_found', 'not_the_buyer', 'payment_not_paid', 'payment_wrong_state', 'too_many'],
})

export const uploadEvidence = call({
  method: 'POST',
  path: '/api/disputes/:paymentId/upload-evidence',
  access: 'user',
  allowedIfSuspended: true,
  summary: 'Adds a file to a dispute as evidence',
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
    'dispute_resolved',
    'too_many_files',
    'too_large',
    'file_infected',
    'wrong_type',
    'too_many',
  ],
})

/** `overdue`: a promised answer or ruling is late. `bank_deadline`: a chargeback needs evidence. */
export const DeskStatus = z.enum([...DISPUTE_STATUSES, 'overdue', 'bank_deadline'])
export type DeskStatus = z.output<typeof DeskStatus>

export const DisputeView = z.enum(['mine', 'unassigned'])
export type DisputeView = z.output<typeof DisputeView>

/** `due`: the earliest promised time first. Disputes without one come last. */
export const DisputeSort = z.enum(['newest', 'due'])
export type DisputeSort = z.output<typeof DisputeSort>

/** The id of the last dispute of a page. In a list sorted by due time, its `dueAt` and a slash come first. */
const DisputeCursor = z.string().check(
  z.regex(/^([2-9]\d{3}-[01]\d-[0-3]\dT[0-2]\d(:[0-5]\d){2}\.\d{3}Z\/)?[1-9]\d{0,9}$/),
  z.refine((cursor) => {
    const { id, dueAt } = parseDisputeCursor(cursor)
    return id <= INTEGER_MAX && !Number.isNaN(dueAt?.getTime())
  }, 'Must be the cursor of a page'),
)

export const disputeCursor = ({ id, dueAt }: { id: number; dueAt: string | null }, sort: DisputeSort) =>
  sort === 'due' && dueAt !== null ? `${dueAt}/${id}` : String(id)

export function parseDisputeCursor(cursor: string): { id: number; dueAt: Date | null } {
  const [id = '', dueAt] = cursor.split('/').reverse()
  return { id: Number(id), dueAt: dueAt === undefined ? null : new Date(dueAt) }
}

const DisputeFilter = z.object({
  /** Matches the item title, the reason, and the ids of buyer and seller. */
  search: z.optional(optionalText(200)),
  status: z.optional(DeskStatus),
  /** Only open disputes that are assigned to the caller, or to nobody. */
  show: z.optional(DisputeView),
  sort: z._default(DisputeSort, 'newest'),
  limit: pageLimit(50, 100),
  cursor: z.optional(DisputeCursor),
})

export const listDisputes = deskCall({
  method: 'GET',
  path: '/api/admin/disputes',
  access: 'admin',
  summary:
    'Lists disputes and other payments that need an admin, open and resolved, newest or most urgent first',
  query: DisputeFilter,
  reply: z.array(DeskDispute),
})

export const exportDisputes = deskCall({
  method: 'GET',
  path: '/api/admin/disputes/export',
  access: 'admin',
  confirmed: true,
  summary: 'Exports the disputes of a search as CSV',
  query: z.pick(DisputeFilter, { search: true, status: true, show: true }),
  reply: 'file',
})

const onDispute = { params: z.object({ id: PathId }) }

export const getDisputeDetails = deskCall({
  ...onDispute,
  method: 'GET',
  path: '/api/admin/disputes/:id/details',
  access: 'admin',
  summary: 'Gets the parties, evidence, timeline and chargebacks of a dispute',
  reply: z.object({
    ...bankRecords,
    buyerInfo: PublicUser,
    sellerInfo: PublicUser,
    evidence: z.array(DisputeEvidence),
    timeline: z.array(DisputeTimelineEntry),
    assignee: z.nullable(PublicUser),
    /** The deadline for appeals. Null unless an admin has ruled. */
    appealUntil: z.nullable(Timestamp),
    /** Oldest first. Empty for an admin who is a party. */
    notes: z.array(DisputeNote),
  }),
  refuses: ['dispute_not_found'],
})

export const listDisputeMessages = deskCall({
  ...onDispute,
  method: 'GET',
  path: '/api/admin/disputes/:id/messages',
  access: 'admin',
  // Each reading is recorded.
  about: [],
  summary: 'Lists what the buyer and the seller of a dispute wrote to each other, newest first',
  query: z.object({ limit: pageLimit(50, 100), cursor: z.optional(PathId) }),
  reply: z.array(Message),
  refuses: ['dispute_not_found'],
})

export const resolveDispute = deskCall({
  ...onDispute,
  method: 'POST',
  path: '/api/admin/disputes/:id/resolve',
  access: 'admin',
  confirmed: true,
  summary: 'Rules on a dispute or requests more information',
  body: z.object({
    disputeId: z.optional(Id),
    action: ResolutionAction,
    note: z.optional(optionalText(5000)),
    refundAmount: z.optional(Amount),
  }),
  reply: DeskDispute,
  refuses: [
    'provider_failed',
    'bank_decides',
    'dispute_not_found',
    'dispute_resolved',
    'payment_needs_check',
    'refund_out_of_range',
    'not_impartial',
  ],
})

/** The texts that are sent to the bank about a chargeback. */
export const BANK_EVIDENCE_TEXTS = [
  'customerName',
  'customerEmail',
  'purchaseIp',
  'productDescription',
  'shippingCarrier',
  'shippingTrackingNumber',
  'shippingDate',
  'shippingAddress',
  'serviceDate',
  'refundPolicy',
  'cancellationPolicy',
  'cancellationRebuttal',
  'text',
] as const
export type BankEvidenceText = (typeof BANK_EVIDENCE_TEXTS)[number]

export const previewBankEvidence = deskCall({
  ...onDispute,
  method: 'GET',
  path: '/api/admin/disputes/:id/bank-evidence',
  access: 'admin',
  uncompressed: true,
  // Each reading is recorded.
  about: [],
  summary: 'Shows what would be sent to the bank that reviews a payment',
  reply: z.object({
    texts: z.array(z.object({ name: z.enum(BANK_EVIDENCE_TEXTS), value: z.string() })),
    /** The names of the PDF files. */
    files: z.array(z.string()),
  }),
  refuses: ['dispute_not_found', 'no_open_chargeback', 'not_impartial'],
})

export const sendBankEvidence = deskCall({
  ...onDispute,
  method: 'POST',
  path: '/api/admin/disputes/:id/send-evidence',
  access: 'admin',
  summary: 'Sends the messages, files and dates of a payment to the bank that reviews it, once',
  reply: z.object({ evidenceSentAt: Timestamp }),
  refuses: [
    'provider_failed',
    'dispute_not_found',
    'no_open_chargeback',
    'bank_deadline_passed',
    'not_impartial',
  ],
})

export const dismissFraudSignals = deskCall({
  ...onDispute,
  method: 'POST',
  path: '/api/admin/disputes/:id/dismiss-fraud-signals',
  access: 'admin',
  confirmed: true,
  summary: 'Dismisses the fraud signals of a payment, so that it continues',
  reply: Done,
  refuses: ['dispute_not_found', 'nothing_to_check', 'not_impartial'],
})

export const addAdminEvidence = deskCall({
  ...onDispute,
  method: 'POST',
  path: '/api/admin/disputes/:id/evidence',
  access: 'admin',
  summary: 'Adds written evidence as an admin',
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
  summary: 'Gets a dispute with its evidence and timeline, for the buyer and the seller',
  reply: z.object({
    dispute: Dispute,
    evidence: z.array(DisputeEvidence),
    timeline: z.array(DisputeTimelineEntry),
    /** The deadline for appeals. Null unless an admin has ruled. */
    appealUntil: z.nullable(Timestamp),
    appeals: z.array(Appeal),
  }),
  refuses: ['dispute_not_found'],
})

export const getEvidenceFile = call({
  method: 'GET',
  path: '/api/disputes/:paymentId/evidence/:id',
  access: 'user',
  summary: 'Downloads an evidence file, for the buyer, the seller and admins',
  params: z.object({ paymentId: PathId, id: PathId }),
  reply: 'file',
  refuses: ['dispute_not_found', 'second_factor_required', 'file_held'],
})

export const answerDispute = call({
  ...onOwnDispute,
  method: 'POST',
  path: '/api/disputes/:paymentId/answer',
  access: 'user',
  allowedIfSuspended: true,
  summary: 'Adds a written statement as the buyer or the seller',
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
  allowedIfSuspended: true,
  summary: 'Withdraws a dispute as the buyer',
  reply: Done,
  refuses: ['dispute_not_found', 'bank_decides', 'not_the_buyer', 'dispute_resolved'],
})

export const proposeSettlement = call({
  ...onOwnDispute,
  method: 'POST',
  path: '/api/disputes/:paymentId/settlement',
  access: 'user',
  allowedIfSuspended: true,
  summary: 'Proposes a refund amount to the other party',
  body: z.object({ refundAmount: Amount }),
  reply: Done,
  refuses: ['dispute_not_found', 'dispute_resolved', 'refund_out_of_range', 'too_many'],
})

export const acceptSettlement = call({
  ...onOwnDispute,
  method: 'POST',
  path: '/api/disputes/:paymentId/settlement/accept',
  access: 'user',
  allowedIfSuspended: true,
  summary: 'Accepts the settlement that the other party proposed',
  /** The amount that the user saw. It must match, because the proposal may have changed since. */
  body: z.object({ refundAmount: Amount }),
  reply: Done,
  refuses: [
    'provider_failed',
    'dispute_not_found',
    'bank_decides',
    'payment_needs_check',
    'dispute_resolved',
    'settlement_changed',
    'too_many',
  ],
})
