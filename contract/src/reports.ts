import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { Done, mustBeStorable, optionalText, Timestamp, UserId } from './fields.ts'

const call = callsOf({ subjects: ['blocks'], fresh: 'on open' })

/** What can be reported and moderated. A picture's id is its address. */
export const REPORT_KINDS = ['request', 'message', 'profile', 'review', 'picture'] as const
export const ReportKind = z.enum(REPORT_KINDS)
export type ReportKind = z.output<typeof ReportKind>

export const REPORT_REASONS = [
  'spam',
  'scam',
  'offensive',
  'prohibited',
  'counterfeit',
  'private_data',
  'other',
] as const
export const ReportReason = z.enum(REPORT_REASONS, 'Please choose a reason')
export type ReportReason = z.output<typeof ReportReason>

export const REPORT_NOTE_MAX_LENGTH = 1000

export const NewReport = z.object({
  kind: ReportKind,
  /** Any id is accepted here. An unknown or malformed id is answered with 404. */
  id: z.union([z.number(), z.string().check(mustBeStorable, z.minLength(1), z.maxLength(500))]),
  reason: ReportReason,
  note: z.optional(optionalText(REPORT_NOTE_MAX_LENGTH)),
})

export const report = call({
  method: 'POST',
  path: '/api/reports',
  access: 'user',
  changes: [],
  summary: 'Reports a request, message, profile, review or picture. Repeated reports are joined to one case',
  body: NewReport,
  reply: Done,
  status: 201,
  refuses: ['content_not_found', 'own_content', 'too_many'],
})

const onPerson = { params: z.object({ userId: UserId }) }

export const listBlocks = call({
  method: 'GET',
  path: '/api/blocks',
  access: 'user',
  summary: 'Lists the people whom the signed-in user has blocked, latest first',
  reply: z.array(z.object({ user: PublicUser, createdAt: Timestamp })),
})

export const block = call({
  ...onPerson,
  method: 'POST',
  path: '/api/blocks/:userId',
  access: 'user',
  summary: 'Blocks a person: no messages, offers or notifications between the two. Open deals continue',
  reply: Done,
  refuses: ['person_not_found', 'block_oneself'],
})

export const unblock = call({
  ...onPerson,
  method: 'DELETE',
  path: '/api/blocks/:userId',
  access: 'user',
  summary: 'Ends a block',
  reply: Done,
  refuses: ['person_not_found', 'block_oneself'],
})
