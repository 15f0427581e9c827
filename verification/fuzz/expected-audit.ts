import type { AuditAction } from '@sought/contract/audit'
import type { Call } from '@sought/contract/call'
import type { RefusalCode } from '@sought/contract/refusals'

/** The audit entries of a call (ADR 44). */
interface Expected {
  /** With every success, once. */
  always?: AuditAction
  /** With some successes. */
  maybe?: readonly AuditAction[]
  /** With these refusals, once. */
  refused?: Partial<Record<RefusalCode, AuditAction>>
  /** Erases the origins of the user's actions. */
  erases?: true
}

/** Calls that are not listed write nothing. */
const EXPECTED: Record<string, Expected> = {
  'POST /api/auth/signup': { always: 'signed_in' },
  'POST /api/auth/login': { maybe: ['signed_in'], refused: { wrong_credentials: 'sign_in_failed' } },
  'POST /api/auth/passkey': { always: 'signed_in' },
  'POST /api/auth/second-factor': {
    always: 'signed_in',
    maybe: ['recovery_code_used'],
    refused: { wrong_code: 'sign_in_failed', passkey_refused: 'sign_in_failed' },
  },
  'GET /api/logout': { maybe: ['signed_out'] },
  'POST /api/auth/confirm': { always: 'identity_confirmed', maybe: ['recovery_code_used'] },
  'POST /api/auth/reset-password': { always: 'password_reset' },
  'POST /api/auth/verify-email': { maybe: ['email_verified', 'email_changed'] },
  'POST /api/auth/undo-email': { always: 'email_change_undone' },
  'PUT /api/user/profile': { maybe: ['email_change_requested', 'email_change_cancelled'] },
  'POST /api/user/cancel-email-change': { maybe: ['email_change_cancelled'] },
  'POST /api/user/change-password': { always: 'password_changed' },
  'DELETE /api/user/devices/:id': { always: 'device_signed_out' },
  'POST /api/user/devices/sign-out-others': { always: 'other_devices_signed_out' },
  'POST /api/user/phone/verify': { always: 'phone_verified' },
  'POST /api/user/delete-account': { always: 'account_deleted', maybe: ['signed_out'], erases: true },
  'GET /api/user/data': { always: 'data_exported' },

  'POST /api/user/totp/enable': { always: 'totp_enabled' },
  'DELETE /api/user/totp': { maybe: ['totp_disabled'] },
  'POST /api/user/recovery-codes': { always: 'recovery_codes_replaced' },
  'POST /api/user/passkeys': { always: 'passkey_added' },
  'PATCH /api/user/passkeys/:id': { always: 'passkey_renamed' },
  'DELETE /api/user/passkeys/:id': { always: 'passkey_removed' },

  'POST /api/seller/save-bank-account': { always: 'bank_account_saved' },
  'POST /api/seller/setup-stripe-connect': { maybe: ['payout_account_created'] },
  'POST /api/seller/reset-stripe-connect': { always: 'payout_account_reset' },

  // Only if the reader is an admin.
  'GET /api/disputes/:paymentId/evidence/:id': { maybe: ['evidence_viewed'] },
  'GET /api/photos/:id': { maybe: ['photo_viewed'] },
  'GET /api/payments/:id/files/:file': { maybe: ['parcel_file_viewed'] },
  'GET /api/admin/disputes/export': { always: 'disputes_exported' },
  'GET /api/admin/disputes/:id/details': { always: 'dispute_viewed' },
  'GET /api/admin/disputes/:id/messages': { always: 'conversation_viewed' },
  'POST /api/admin/disputes/:id/resolve': { always: 'dispute_resolved' },
  'POST /api/admin/disputes/:id/evidence': { always: 'dispute_noted' },
  'POST /api/admin/disputes/bulk': { maybe: ['dispute_resolved'] },
  'POST /api/admin/disputes/:id/notes': { always: 'dispute_noted' },
  'POST /api/admin/disputes/:id/assign': { maybe: ['dispute_assigned'] },
  'POST /api/admin/replies': { always: 'reply_saved' },
  'PATCH /api/admin/replies/:id': { always: 'reply_saved' },
  'DELETE /api/admin/replies/:id': { always: 'reply_deleted' },
  'POST /api/disputes/:paymentId/appeal': { always: 'ruling_appealed' },
  'GET /api/admin/appeals': { always: 'appeals_viewed' },
  'POST /api/admin/appeals/:id/decide': { always: 'appeal_decided' },
  'POST /api/admin/disputes/:id/send-evidence': { always: 'evidence_sent' },
  'POST /api/admin/disputes/:id/dismiss-fraud-signals': { always: 'fraud_signal_dismissed' },
  'POST /api/admin/payouts/:id/bank-details': { always: 'bank_account_viewed' },
  'POST /api/admin/payouts/:id/paid': { always: 'payout_marked_paid' },
  'POST /api/admin/payouts/:id/undo': { always: 'payout_undone' },
  'POST /api/admin/payouts/:id/send-again': { always: 'payout_sent_again' },
  'POST /api/admin/refunds/:paymentId/retry': { always: 'refund_retried' },
  'POST /api/admin/provider-events/:id/dismiss': { always: 'provider_event_dismissed' },
  'POST /api/admin/refunds/:paymentId/paid': { always: 'refund_marked_paid' },
  'POST /api/admin/payments/:id/refund': { always: 'deal_refunded' },
  'POST /api/admin/debts/:id/waive': { always: 'debt_waived' },

  'GET /api/admin/lookup': { always: 'people_searched' },
  'GET /api/admin/people/:id': { always: 'person_viewed' },
  'GET /api/admin/people/:id/timeline': { always: 'person_viewed' },
  'GET /api/admin/deals/:paymentId': { always: 'deal_viewed' },
  'POST /api/admin/goodwill': { always: 'goodwill_requested' },
  'POST /api/admin/goodwill/:id/approve': { always: 'goodwill_approved' },
  'POST /api/admin/goodwill/:id/reject': { always: 'goodwill_rejected' },
  'POST /api/admin/goodwill/:id/paid': { always: 'goodwill_marked_paid' },
  'POST /api/admin/exports': { always: 'export_created' },
  'POST /api/admin/exports/:id/retry': { always: 'export_retried' },
  'GET /api/admin/exports/:id/file': { always: 'export_downloaded' },
  'POST /api/admin/policies/:policy': { always: 'policy_published' },
  'POST /api/user/policies/accept': { maybe: ['policy_accepted'] },
  'PATCH /api/admin/settings': { maybe: ['settings_changed'] },
  'POST /api/admin/doctor': { always: 'deployment_checked' },
  'PUT /api/admin/settings/logo': { always: 'settings_changed' },
  'DELETE /api/admin/settings/logo': { maybe: ['settings_changed'] },

  'POST /api/user/decisions/:id/appeal': { always: 'decision_appealed' },
  'POST /api/admin/moderation/:id/claim': { always: 'case_claimed', maybe: ['conversation_viewed'] },
  'POST /api/admin/moderation/:id/decide': { always: 'case_decided' },
  'POST /api/admin/moderation/bulk': { maybe: ['case_decided'] },

  'GET /api/admin/tickets/:id': { always: 'ticket_viewed' },
  'POST /api/admin/tickets/:id/reply': { always: 'ticket_answered' },
  'POST /api/admin/tickets/:id/notes': { always: 'ticket_noted' },
  'POST /api/admin/tickets/:id/close': { always: 'ticket_closed' },
  'POST /api/admin/tickets/:id/reopen': { always: 'ticket_reopened' },
}

export const expectedCalls = Object.keys(EXPECTED)

/** The audit entries that a reply requires, and those that it allows. */
export function expectedAudit({ method, path }: Call, refusal: string | null) {
  const { always, maybe = [], refused = {}, erases = false } = EXPECTED[`${method} ${path}`] ?? {}
  if (refusal === null) return { must: always, may: maybe, erases }
  return { must: refused[refusal as RefusalCode], may: [], erases: false }
}
