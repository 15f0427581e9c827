import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { Id, PathId, pageLimit, Timestamp, text } from './fields.ts'
import { ReportKind, ReportReason } from './reports.ts'

const call = callsOf({ subjects: ['moderation'], fresh: 'on open' })

/** How long a case stays claimed by a moderator. */
export const CLAIM_MINUTES = 15
export const DECISION_REASON_MAX_LENGTH = 1000
export const APPEAL_MAX_LENGTH = 2000
export const BULK_CASES_MAX = 100

/** What related accounts can have in common (ADR 80). */
export const SHARED_DETAILS = ['card', 'bank_account', 'device', 'address'] as const

/**
 * Moderators' decisions. `restrict`: no new requests, offers and conversations. `suspend`: only reading, open
 * deals, payouts and the data export. Without `until`, both are permanent.
 */
export const MODERATION_ACTIONS = ['hide', 'restore', 'warn', 'restrict', 'suspend', 'dismiss'] as const
export const ModerationAction = z.enum(MODERATION_ACTIONS, 'Please choose an action')
export type ModerationAction = z.output<typeof ModerationAction>

const CaseReport = z.object({
  reason: ReportReason,
  note: z.nullable(z.string()),
  /** Null for a report by an automatic check. */
  by: z.nullable(PublicUser),
  createdAt: Timestamp,
})

/** The current state of the reported content. */
const CaseContent = z.object({
  title: z.nullable(z.string()),
  text: z.nullable(z.string()),
  pictures: z.array(z.string()),
  /** The page that shows the content. Null if moderators have none. */
  path: z.nullable(z.string()),
  isHidden: z.boolean(),
  /** The messages around a reported one, oldest first. */
  context: z.array(
    z.object({ by: PublicUser, text: z.string(), isReported: z.boolean(), createdAt: Timestamp }),
  ),
})

export const PastDecision = z.object({
  id: Id,
  action: ModerationAction,
  kind: ReportKind,
  reason: z.string(),
  until: z.nullable(Timestamp),
  createdAt: Timestamp,
})

const PersonRecord = z.object({
  user: PublicUser,
  memberSince: Timestamp,
  completedDeals: z.int(),
  lostDisputes: z.int(),
  reports: z.int(),
  decisions: z.array(PastDecision),
  isRestricted: z.boolean(),
  isSuspended: z.boolean(),
  /** Other accounts with the same card, bank account or device. */
  related: z.array(z.object({ user: PublicUser, shares: z.array(z.enum(SHARED_DETAILS)) })),
})

export const ModerationCase = z.object({
  id: Id,
  kind: ReportKind,
  targetId: z.string(),
  /** 1 (low) to 3 (high). */
  severity: z.int(),
  status: z.enum(['open', 'decided']),
  /** The appeal against an earlier decision, if this case is one. */
  appeal: z.nullable(z.object({ decisionId: Id, text: z.string(), createdAt: Timestamp })),
  reports: z.array(CaseReport),
  content: z.nullable(CaseContent),
  person: z.nullable(PersonRecord),
  claim: z.nullable(z.object({ by: PublicUser, isMine: z.boolean(), until: Timestamp })),
  createdAt: Timestamp,
})
export type ModerationCase = z.output<typeof ModerationCase>

const onCase = { params: z.object({ id: PathId }) }

export const listModerationCases = call({
  method: 'GET',
  path: '/api/admin/moderation',
  access: 'moderator',
  summary: 'Lists the open cases of reports, flags and appeals, the most severe and then the oldest first',
  query: z.object({ kind: z.optional(ReportKind), limit: pageLimit(50, 100) }),
  uncompressed: true,
  reply: z.array(ModerationCase),
})

export const claimCase = call({
  ...onCase,
  method: 'POST',
  path: '/api/admin/moderation/:id/claim',
  access: 'moderator',
  summary: 'Claims a case for 15 minutes, so that no other moderator works on it',
  uncompressed: true,
  reply: ModerationCase,
  refuses: ['case_not_found', 'case_claimed', 'case_decided', 'not_impartial'],
})

export const Decision = z.object({
  action: ModerationAction,
  /** Sent to the person concerned. */
  reason: text(DECISION_REASON_MAX_LENGTH, 'Please write a reason'),
  /** The end of a restriction or suspension. */
  until: z.optional(Timestamp),
})

export const decideCase = call({
  ...onCase,
  method: 'POST',
  path: '/api/admin/moderation/:id/decide',
  access: 'moderator',
  summary: 'Decides a case. The person concerned is told the reason and may appeal once',
  body: Decision,
  uncompressed: true,
  reply: ModerationCase,
  refuses: [
    'case_not_found',
    'case_claimed',
    'case_decided',
    'until_not_allowed',
    'until_past',
    'not_hideable',
    'not_impartial',
    'team_member',
    'appeal_action',
  ],
})

export const decideCases = call({
  method: 'POST',
  path: '/api/admin/moderation/bulk',
  access: 'moderator',
  confirmed: true,
  summary: 'Decides several cases in the same way. Those that cannot be decided are listed',
  body: z.extend(Decision, { ids: z.array(Id).check(z.minLength(1), z.maxLength(BULK_CASES_MAX)) }),
  reply: z.object({
    decided: z.array(Id),
    refused: z.array(z.object({ id: Id, code: z.string() })),
  }),
})

/** A decision about the signed-in user or their content. */
export const OwnDecision = z.object({
  ...PastDecision.shape,
  /** The title of the request in question, if any. */
  about: z.nullable(z.string()),
  /** Whether moderators have undone it, with or without an appeal. */
  isUndone: z.boolean(),
  /** Null unless the user has appealed. */
  appeal: z.nullable(
    z.object({
      text: z.string(),
      createdAt: Timestamp,
      outcome: z.enum(['open', 'granted', 'rejected']),
      answer: z.nullable(z.string()),
    }),
  ),
})
export type OwnDecision = z.output<typeof OwnDecision>

export const listOwnDecisions = call({
  method: 'GET',
  path: '/api/user/decisions',
  access: 'user',
  summary: 'Lists the moderation decisions about the signed-in user, with their reasons, latest first',
  reply: z.array(OwnDecision),
})

export const DecisionAppeal = z.object({ text: text(APPEAL_MAX_LENGTH, 'Please say why') })

export const appealDecision = call({
  method: 'POST',
  path: '/api/user/decisions/:id/appeal',
  access: 'user',
  allowedIfSuspended: true,
  summary: 'Appeals against a decision, once. Another moderator reviews it',
  params: z.object({ id: PathId }),
  body: DecisionAppeal,
  reply: OwnDecision,
  status: 201,
  refuses: ['decision_not_found', 'already_appealed', 'not_appealable'],
})
