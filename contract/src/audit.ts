import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { PathId, pageLimit, Timestamp, UserId } from './fields.ts'

const call = callsOf({ subjects: ['account', 'security'], fresh: 'on open' })

/** The actions in the audit log. Entries never change, so a name must never be reused for another action. */
export const AUDIT_ACTIONS = [
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'device_signed_out',
  'other_devices_signed_out',
  'password_changed',
  'password_reset',
  'email_change_requested',
  'email_change_cancelled',
  'email_changed',
  'email_change_undone',
  'email_verified',
  'google_linked',
  'identity_confirmed',
  'totp_enabled',
  'totp_disabled',
  'passkey_added',
  'passkey_renamed',
  'passkey_removed',
  'recovery_codes_replaced',
  'recovery_code_used',
  'bank_account_saved',
  'payout_account_created',
  'payout_account_reset',
  'data_exported',
  'account_deleted',
  'admin_granted',
  'admin_revoked',
  'bank_account_viewed',
  'payout_marked_paid',
  'payout_undone',
  'payout_sent_again',
  'refund_retried',
  'refund_marked_paid',
  'provider_event_dismissed',
  'deal_refunded',
  'debt_waived',
  'dispute_viewed',
  'dispute_resolved',
  'dispute_noted',
  'evidence_viewed',
  'parcel_file_viewed',
  'photo_viewed',
  'evidence_sent',
  'fraud_signal_dismissed',
  'disputes_exported',
  'conversation_viewed',
  'ticket_viewed',
  'ticket_answered',
  'ticket_noted',
  'ticket_closed',
  'ticket_reopened',
  'phone_verified',
  'case_claimed',
  'case_decided',
  'decision_appealed',
  'people_searched',
  'person_viewed',
  'deal_viewed',
  'dispute_assigned',
  'reply_saved',
  'reply_deleted',
  'ruling_appealed',
  'appeals_viewed',
  'appeal_decided',
  'goodwill_requested',
  'goodwill_approved',
  'goodwill_rejected',
  'goodwill_marked_paid',
  'settings_changed',
  'deployment_checked',
  'policy_published',
  'policy_accepted',
  'export_created',
  'export_retried',
  'export_downloaded',
  'infected_file_deleted',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

const AuditEntry = z.object({
  id: z.int(),
  action: z.enum(AUDIT_ACTIONS),
  /** Such as 'Firefox on Linux'. */
  device: z.nullable(z.string()),
  ip: z.nullable(z.string()),
  createdAt: Timestamp,
})

/** A user's own audit entries: with a shortened address, and without the admin who acted. */
export const OwnAuditEntry = z.object({
  ...AuditEntry.shape,
  by: z.enum(['you', 'team', 'unknown']),
})
export type OwnAuditEntry = z.output<typeof OwnAuditEntry>

export const AdminAuditEntry = z.object({
  ...AuditEntry.shape,
  /** Null for visitors and the command line. */
  actor: z.nullable(PublicUser),
  /** The user whose account or data was affected. */
  subject: z.nullable(PublicUser),
  /** Ids of the changed or read objects, such as `paymentId`. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
})
export type AdminAuditEntry = z.output<typeof AdminAuditEntry>

const paged = { limit: pageLimit(50, 100), cursor: z.optional(PathId) }

export const listOwnAuditLog = call({
  method: 'GET',
  path: '/api/user/audit-log',
  access: 'user',
  summary: 'Lists what happened to the account, from where and when, newest first',
  query: z.object(paged),
  reply: z.array(OwnAuditEntry),
})

export const listAuditLog = call({
  method: 'GET',
  path: '/api/admin/audit-log',
  access: 'admin',
  summary:
    'Lists what all users and admins did, newest first, by action or by a user who acted or was affected',
  query: z.object({
    action: z.optional(z.enum(AUDIT_ACTIONS)),
    userId: z.optional(UserId),
    ...paged,
  }),
  reply: z.array(AdminAuditEntry),
})
