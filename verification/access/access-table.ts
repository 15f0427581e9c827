/*
 * The status that each role gets from each call:
 *
 *   401  not signed in
 *   403  visible to the role, but not allowed
 *   404  missing, or hidden from the role
 *   409  not in this state
 *
 * The roles: a visitor; a stranger, who is signed in and has no part in the deal; the other party of the deal; the owner,
 * whose object it is or whose turn it is to act; an admin, a moderator and a member of finance,
 * who have no part in the deal either. The last two columns may be left out: they are then a stranger’s. Every role sends the ids
 * of the owner (call-fixtures.ts).
 */

export const ROLES = ['visitor', 'stranger', 'other', 'owner', 'admin', 'moderator', 'finance'] as const
export type Role = (typeof ROLES)[number]
export type Row = Record<Role, number>

const TABLE = `
# Public.
GET    /api/config                                   200 200 200 200 200
POST   /api/browser-errors                           200 200 200 200 200
GET    /api/categories                               200 200 200 200 200
GET    /api/policies/:policy                         200 200 200 200 200
GET    /api/places                                   200 200 200 200 200
GET    /api/push/key                                 200 200 200 200 200
GET    /api/wanted-items                             200 200 200 200 200
GET    /api/wanted-items/count                       200 200 200 200 200
GET    /api/wanted-items/:id                         200 200 200 200 200
GET    /api/wanted-items/:id/similar                 200 200 200 200 200
GET    /api/wanted-items/by-id                       200 200 200 200 200
GET    /api/users/:id                                200 200 200 200 200
GET    /api/users/:id/feedback                       200 200 200 200 200
GET    /api/users/:id/reviews                        200 200 200 200 200
GET    /api/users/:id/wanted-items                   200 200 200 200 200
# In development only: not registered in production.
GET    /api/dev/mails                                200 200 200 200 200

# Signing in and out. Every role tries to sign in as the owner with a password of its own.
POST   /api/auth/signup                              201 201 201 201 201
POST   /api/auth/login                               401 401 401 200 401
GET    /api/login                                    302 302 302 302 302
GET    /api/logout                                   302 302 302 302 302
GET    /api/auth/google                              302 302 302 302 302
GET    /api/auth/google/callback                     302 302 302 302 302
POST   /api/auth/forgot-password                     200 200 200 200 200

# Nobody has a passkey that answers the challenge, or a sign-in that waits for a second factor.
POST   /api/auth/passkey/options                     200 200 200 200 200
POST   /api/auth/passkey                             403 403 403 403 403
POST   /api/auth/second-factor                       401 401 401 401 401

# Links in emails: the owner's link works for everyone who has it, signed in or not.
POST   /api/auth/reset-password                      200 200 200 200 200
GET    /api/auth/verify-email                        200 200 200 200 200
POST   /api/auth/verify-email                        200 200 200 200 200
GET    /api/auth/undo-email                          200 200 200 200 200
POST   /api/auth/undo-email                          200 200 200 200 200
GET    /api/mail/unsubscribe                         200 200 200 200 200
POST   /api/mail/unsubscribe                         200 200 200 200 200

# About the caller: every user reads and changes their own data.
GET    /api/auth/user                                401 200 200 200 200
GET    /api/user/is-admin                            401 200 200 200 200
GET    /api/user/stats                               401 200 200 200 200
GET    /api/user/purchases                           401 200 200 200 200
GET    /api/user/wanted-items                        401 200 200 200 200
GET    /api/user/requests                            401 200 200 200 200
GET    /api/user/offers                              401 200 200 200 200
GET    /api/user/matches                             401 200 200 200 200
GET    /api/user/first-steps                         401 200 200 200 200
POST   /api/user/first-steps/dismiss                 401 200 200 200 200
GET    /api/user/data                                401 200 200 200 200
GET    /api/user/devices                             401 200 200 200 200
GET    /api/user/audit-log                           401 200 200 200 200
GET    /api/user/mail-settings                       401 200 200 200 200
GET    /api/user/email-delivery                      401 200 200 200 200
GET    /api/user/push-settings                       401 200 200 200 200
GET    /api/user/sharing-settings                    401 200 200 200 200
GET    /api/user/delivery-address                    401 200 200 200 200
GET    /api/messages                                 401 200 200 200 200
GET    /api/conversations                            401 200 200 200 200
GET    /api/offers                                   401 200 200 200 200
GET    /api/payments                                 401 200 200 200 200
GET    /api/notifications                            401 200 200 200 200
GET    /api/notifications/unread                     401 200 200 200 200
GET    /api/seller/payouts                           401 200 200 200 200
GET    /api/user/debts                               401 200 200 200 200
GET    /api/seller/statements                        401 200 200 200 200
GET    /api/seller/bank-status                       401 200 200 200 200
GET    /api/seller/stripe-connect-status             401 200 200 200 200
GET    /api/events                                   401 200 200 200 200
PUT    /api/user/profile                             401 200 200 200 200
PUT    /api/user/selling                             401 200 200 200 200
PUT    /api/user/mail-settings                       401 200 200 200 200
GET    /api/user/policies                            401 200 200 200 200
POST   /api/user/policies/accept                     401 409 409 409 409
PUT    /api/user/push-settings                       401 200 200 200 200
POST   /api/push/subscriptions                       401 200 200 200 200
DELETE /api/push/subscriptions                       401 200 200 200 200
PUT    /api/user/sharing-settings                    401 200 200 200 200
PUT    /api/user/delivery-address                    401 200 200 200 200
DELETE /api/user/delivery-address                    401 200 200 200 200
POST   /api/user/change-password                     401 200 200 200 200
POST   /api/user/upload-avatar                       401 200 200 200 200
POST   /api/user/resend-verification                 401 200 200 200 200
GET    /api/user/phone                               401 200 200 200 200
POST   /api/user/phone/code                          401 200 200 200 200
POST   /api/user/phone/verify                        401 403 403 403 403
POST   /api/user/cancel-email-change                 401 200 200 200 200
POST   /api/user/devices/sign-out-others             401 200 200 200 200
POST   /api/user/delete-account                      401 200 200 200 200
GET    /api/auth/confirm                             401 200 200 200 200
POST   /api/auth/confirm                             401 200 200 200 200
GET    /api/user/second-factors                      401 200 200 200 200
POST   /api/user/totp                                401 200 200 200 200
DELETE /api/user/totp                                401 200 200 200 200
POST   /api/user/passkeys/options                    401 200 200 200 200
# Nobody has started the setup.
POST   /api/user/totp/enable                         401 409 409 409 409
# Only the owner has a passkey, and the challenge for a second one.
POST   /api/user/recovery-codes                      401 409 409 200 409
POST   /api/user/passkeys                            401 403 403 201 403
PATCH  /api/user/passkeys/:id                        401 404 404 200 404
DELETE /api/user/passkeys/:id                        401 404 404 200 404
POST   /api/seller/setup-stripe-connect              401 200 200 200 200
POST   /api/seller/save-bank-account                 401 200 200 200 200
POST   /api/seller/reset-stripe-connect              401 200 200 200 200
# Names an object of the owner. For others nothing is marked.
PATCH  /api/messages/mark-read                       401 200 200 200 200
PATCH  /api/notifications/mark-read                  401 200 200 200 200
DELETE /api/user/devices/:id                         401 404 404 200 404

# Saved searches are private.
GET    /api/saved-searches                           401 200 200 200 200
POST   /api/saved-searches                           401 201 201 201 201
PATCH  /api/saved-searches/:id                       401 404 404 200 404
DELETE /api/saved-searches/:id                       401 404 404 200 404

# Requests are public: changing another's request is refused with 403, not hidden.
POST   /api/wanted-items                             401 201 201 201 201
POST   /api/wanted-items/image                       401 201 201 201 201
POST   /api/photos                                   401 201 201 201 201
PUT    /api/wanted-items/:id                         401 403 403 200 403
POST   /api/wanted-items/:id/close                   401 403 403 200 403
POST   /api/wanted-items/:id/reopen                  401 403 403 200 403
POST   /api/wanted-items/:id/renew                   401 403 403 200 403
GET    /api/wanted-items/:id/offers                  401 403 403 200 403
# Nobody else has made an offer.
GET    /api/wanted-items/:id/versions                401 404 404 200 200 200 200

# Who has no conversation with the other person announces nothing and learns nothing.
POST   /api/conversations/typing                     401 200 200 200 200
GET    /api/conversations/presence                   401 200 200 200 200
# The two people of the conversation, and admins because of the dispute between them.
GET    /api/photos/:id                               401 404 200 200 200

# Only the owner of the request may write to a user who wrote about it.
POST   /api/messages                                 401 403 403 201 403
# Everyone except the owner may make an offer, admins too.
POST   /api/offers                                   401 201 201 403 201
# The buyer answers the seller's offer; others cannot see it.
PATCH  /api/offers/:id/accept                        401 404 403 200 404
PATCH  /api/offers/:id/reject                        401 404 403 200 404
POST   /api/offers/:id/counter                       401 404 403 201 404
# Only the seller withdraws or keeps it: here the buyer is the other party.
PATCH  /api/offers/:id/withdraw                      401 404 403 200 404
PATCH  /api/offers/:id/keep                          401 404 403 200 404

# A message of the other party to the owner. Who cannot read it cannot report it.
POST   /api/reports                                  401 404 422 201 404
# Everyone may block the owner, except the owner.
GET    /api/blocks                                   401 200 200 200 200
POST   /api/blocks/:userId                           401 200 200 422 200
DELETE /api/blocks/:userId                           401 200 200 422 200

# Decisions of moderators about the owner, who can appeal once.
GET    /api/user/decisions                           401 200 200 200 200
POST   /api/user/decisions/:id/appeal                401 404 404 201 404

# Payments: the buyer is the owner, the seller the other party.
# By item: the same refusal for everyone without an accepted offer on it.
POST   /api/create-payment-intent                    401 409 409 200 409
POST   /api/create-escrow-payment                    401 404 403 200 404
GET    /api/payments/:id                             401 404 200 200 404
GET    /api/payment/:paymentId                       401 404 200 200 404
POST   /api/payments/:id/submitted                   401 404 403 200 404
POST   /api/payments/:id/stop-waiting                401 404 403 409 404
POST   /api/payments/:id/confirm-delivery            401 404 403 200 404
POST   /api/manual-delivery-confirm/:id              401 404 403 200 404
POST   /api/payments/:id/dispute                     401 404 403 200 404
POST   /api/payments/:id/submit-rating               401 404 403 200 404
POST   /api/payments/:id/review                      401 404 201 201 404
# The owner is the person reviewed.
POST   /api/reviews/:id/reply                        401 404 404 201 404
# A cancellation by the buyer is a wish, by the seller the end of the deal.
POST   /api/payments/:id/cancel                      401 404 200 200 404
# The parcel: here the seller is the owner.
POST   /api/payments/:id/ship                        401 404 403 200 404
POST   /api/payments/:id/delivered                   401 404 403 200 404
POST   /api/payments/:id/handover                    401 404 403 200 404
POST   /api/payments/:id/refund                      401 404 403 200 404
# Both parties, and admins because of the dispute.
GET    /api/payments/:id/files/:file                 401 404 200 200 200

# Documents: only the buyer has a receipt, and only the seller, here the owner, a statement.
GET    /api/payments/:id/receipt                     401 404 404 200 404
GET    /api/payments/:id/receipt/export              401 404 404 200 404
GET    /api/seller/statements/:month                 401 404 404 200 404
GET    /api/seller/statements/:month/export          401 404 404 200 404

# Disputes: both parties answer; the buyer files and withdraws. Admins have calls of their own.
POST   /api/initiate-dispute                         401 404 403 200 404
GET    /api/disputes/:paymentId                      401 404 200 200 404
GET    /api/disputes/:paymentId/evidence/:id         401 404 200 200 200
POST   /api/disputes/:paymentId/upload-evidence      401 404 201 201 404
POST   /api/disputes/:paymentId/answer               401 404 201 201 404
POST   /api/disputes/:paymentId/settlement           401 404 200 200 404
# Proposed by the seller, who cannot accept it.
POST   /api/disputes/:paymentId/settlement/accept    401 404 409 200 404
POST   /api/disputes/:paymentId/withdraw             401 404 403 200 404
POST   /api/disputes/:paymentId/appeal               401 404 201 201 404

# Support: everyone may ask. Only the person who asked reads and adds to the conversation; a visitor needs the link.
POST   /api/support/tickets                          201 201 201 201 201
GET    /api/support/tickets                          401 200 200 200 200
GET    /api/support/tickets/:id                      404 404 404 200 404
POST   /api/support/tickets/:id/messages             404 404 404 201 404

# The desk. Moderators and finance reach only their part.
GET    /api/admin/counts                             401 403 403 403 200
GET    /api/admin/tickets                            401 403 403 403 200
GET    /api/admin/tickets/:id                        401 403 403 403 200
POST   /api/admin/tickets/:id/reply                  401 403 403 403 201
POST   /api/admin/tickets/:id/notes                  401 403 403 403 201
POST   /api/admin/tickets/:id/close                  401 403 403 403 200
# The ticket is not closed.
POST   /api/admin/tickets/:id/reopen                 401 403 403 403 409
GET    /api/admin/disputes/:id/messages              401 403 403 403 200
GET    /api/admin/disputes                           401 403 403 403 200
GET    /api/admin/disputes/export                    401 403 403 403 200
GET    /api/admin/disputes/:id/details               401 403 403 403 200
POST   /api/admin/disputes/:id/resolve               401 403 403 403 200
POST   /api/admin/disputes/:id/evidence              401 403 403 403 201
POST   /api/admin/disputes/bulk/preview              401 403 403 403 200
POST   /api/admin/disputes/bulk                      401 403 403 403 200
POST   /api/admin/disputes/:id/notes                 401 403 403 403 201
POST   /api/admin/disputes/:id/assign                401 403 403 403 200
GET    /api/admin/admins                             401 403 403 403 200
GET    /api/admin/replies                            401 403 403 403 200
POST   /api/admin/replies                            401 403 403 403 201
PATCH  /api/admin/replies/:id                        401 403 403 403 200
DELETE /api/admin/replies/:id                        401 403 403 403 200
GET    /api/admin/appeals                            401 403 403 403 200
POST   /api/admin/appeals/:id/decide                 401 403 403 403 200
# No bank reviews the payment.
POST   /api/admin/disputes/:id/send-evidence         401 403 403 403 409
GET    /api/admin/disputes/:id/bank-evidence         401 403 403 403 409
POST   /api/admin/disputes/:id/dismiss-fraud-signals 401 403 403 403 200
GET    /api/admin/payouts                            401 403 403 403 200 403 200
POST   /api/admin/payouts/:id/bank-details           401 403 403 403 200 403 200
POST   /api/admin/payouts/:id/paid                   401 403 403 403 200 403 200
POST   /api/admin/payouts/:id/undo                   401 403 403 403 200 403 200
GET    /api/admin/moderation                         401 403 403 403 200 200 403
POST   /api/admin/moderation/:id/claim               401 403 403 403 200 200 403
POST   /api/admin/moderation/:id/decide              401 403 403 403 200 200 403
POST   /api/admin/moderation/bulk                    401 403 403 403 200 200 403
GET    /api/admin/audit-log                          401 403 403 403 200
GET    /api/admin/settings                           401 403 403 403 200
PATCH  /api/admin/settings                           401 403 403 403 200
PUT    /api/admin/settings/logo                      401 403 403 403 200
DELETE /api/admin/settings/logo                      401 403 403 403 200
GET    /api/admin/settings/history                   401 403 403 403 200
GET    /api/admin/policies                           401 403 403 403 200
POST   /api/admin/policies/:policy                   401 403 403 403 201
GET    /api/admin/reconciliation                     401 403 403 403 200
GET    /api/admin/doctor                             401 403 403 403 200
POST   /api/admin/doctor                             401 403 403 403 200
GET    /api/admin/overview                           401 403 403 403 200
GET    /api/admin/analytics                          401 403 403 403 200
POST   /api/admin/payouts/:id/send-again             401 403 403 403 200 403 200
GET    /api/admin/refunds                            401 403 403 403 200 403 200
POST   /api/admin/provider-events/:id/dismiss        401 403 403 403 404
POST   /api/admin/refunds/:paymentId/retry           401 403 403 403 200 403 200
POST   /api/admin/refunds/:paymentId/paid            401 403 403 403 200 403 200
POST   /api/admin/payments/:id/refund                401 403 403 403 200 403 200
GET    /api/admin/debts                              401 403 403 403 200 403 200
POST   /api/admin/debts/:id/waive                    401 403 403 403 200 403 200
GET    /api/admin/lookup                             401 403 403 403 200
GET    /api/admin/people/:id                         401 403 403 403 200
GET    /api/admin/people/:id/timeline                401 403 403 403 200
GET    /api/admin/deals/:paymentId                   401 403 403 403 200
GET    /api/admin/exports                            401 403 403 403 200
POST   /api/admin/exports                            401 403 403 403 201
GET    /api/admin/exports/:id                        401 403 403 403 200
# The export has not failed, and it is not ready.
POST   /api/admin/exports/:id/retry                  401 403 403 403 409
GET    /api/admin/exports/:id/file                   401 403 403 403 409
GET    /api/admin/goodwill                           401 403 403 403 200 403 200
POST   /api/admin/goodwill                           401 403 403 403 201
POST   /api/admin/goodwill/:id/approve               401 403 403 403 200
POST   /api/admin/goodwill/:id/reject                401 403 403 403 200
POST   /api/admin/goodwill/:id/paid                  401 403 403 403 200 403 200
`

const STRANGER = ROLES.indexOf('stranger')

/** By method and path. */
export const access = new Map<string, Row>(
  TABLE.split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [method, path, ...statuses] = line.split(/\s+/)
      const row = Object.fromEntries(
        ROLES.map((role, column) => [role, Number(statuses[column] ?? statuses[STRANGER])]),
      )
      return [`${method} ${path}`, row as Row]
    }),
)
