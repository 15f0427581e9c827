/*
 * Who may call what, and what each is answered. It is read line by line against the rules:
 *
 *   401  nobody is signed in
 *   403  it is known to be there, and is not theirs to do
 *   404  it is not there, or not theirs to know of
 *   409  not in this state
 *
 * The roles: a visitor; a stranger, who is signed in and has no part in it; the other party of the same deal;
 * the owner, whose thing it is or whose turn it is to act; an admin, who has no part in it either. Each call is
 * tried with ids of the owner's, whoever sends it (scenes.ts).
 */

export const ROLES = ['visitor', 'stranger', 'other', 'owner', 'admin'] as const
export type Role = (typeof ROLES)[number]
export type Row = Record<Role, number>

const TABLE = `
# Open to everybody.
GET    /api/config                                   200 200 200 200 200
GET    /api/categories                               200 200 200 200 200
GET    /api/wanted-items                             200 200 200 200 200
GET    /api/wanted-items/:id                         200 200 200 200 200
GET    /api/users/:id                                200 200 200 200 200
GET    /api/users/:id/feedback                       200 200 200 200 200
GET    /api/users/:id/wanted-items                   200 200 200 200 200
# In development alone: in production there is nothing at this address.
GET    /api/dev/mails                                200 200 200 200 200

# Ways in and out. Each signs in to the owner's account with the password of their own.
POST   /api/auth/signup                              201 201 201 201 201
POST   /api/auth/login                               401 401 401 200 401
GET    /api/login                                    302 302 302 302 302
GET    /api/logout                                   302 302 302 302 302
GET    /api/auth/google                              302 302 302 302 302
GET    /api/auth/google/callback                     302 302 302 302 302
POST   /api/auth/forgot-password                     200 200 200 200 200

# Links by mail: who has the owner's link is taken for the owner, signed in or not.
POST   /api/auth/reset-password                      200 200 200 200 200
POST   /api/auth/verify-email                        200 200 200 200 200
GET    /api/mail/unsubscribe                         200 200 200 200 200
POST   /api/mail/unsubscribe                         200 200 200 200 200

# About whoever calls, and nobody else: each reads and changes their own.
GET    /api/auth/user                                401 200 200 200 200
GET    /api/user/is-admin                            401 200 200 200 200
GET    /api/user/stats                               401 200 200 200 200
GET    /api/user/purchases                           401 200 200 200 200
GET    /api/user/wanted-items                        401 200 200 200 200
GET    /api/user/data                                401 200 200 200 200
GET    /api/user/devices                             401 200 200 200 200
GET    /api/user/mail-settings                       401 200 200 200 200
GET    /api/messages                                 401 200 200 200 200
GET    /api/conversations                            401 200 200 200 200
GET    /api/offers                                   401 200 200 200 200
GET    /api/payments                                 401 200 200 200 200
GET    /api/notifications                            401 200 200 200 200
GET    /api/notifications/unread                     401 200 200 200 200
GET    /api/seller/payouts                           401 200 200 200 200
GET    /api/seller/bank-status                       401 200 200 200 200
GET    /api/seller/stripe-connect-status             401 200 200 200 200
GET    /api/events                                   401 200 200 200 200
PUT    /api/user/profile                             401 200 200 200 200
PUT    /api/user/mail-settings                       401 200 200 200 200
POST   /api/user/change-password                     401 200 200 200 200
POST   /api/user/upload-avatar                       401 200 200 200 200
POST   /api/user/resend-verification                 401 200 200 200 200
POST   /api/user/cancel-email-change                 401 200 200 200 200
POST   /api/user/devices/sign-out-others             401 200 200 200 200
POST   /api/user/delete-account                      401 200 200 200 200
POST   /api/seller/setup-stripe-connect              401 200 200 200 200
POST   /api/seller/save-bank-account                 401 200 200 200 200
POST   /api/seller/reset-stripe-connect              401 200 200 200 200
# What is named is the owner's. For others there is nothing of the kind to mark, and nothing is marked.
PATCH  /api/messages/mark-read                       401 200 200 200 200
PATCH  /api/notifications/mark-read                  401 200 200 200 200
DELETE /api/user/devices/:id                         401 404 404 200 404

# Requests are for all to see, so that what is not theirs is refused and not hidden.
POST   /api/wanted-items                             401 201 201 201 201
POST   /api/wanted-items/image                       401 201 201 201 201
PUT    /api/wanted-items/:id                         401 403 403 200 403
POST   /api/wanted-items/:id/close                   401 403 403 200 403
POST   /api/wanted-items/:id/reopen                  401 403 403 200 403

# The owner of the request writes to who has written to them; nobody else to that person about it.
POST   /api/messages                                 401 403 403 201 403
# Anyone may offer, admins too, except to themselves.
POST   /api/offers                                   401 201 201 403 201
# A seller's offer is the buyer's to answer; what is offered is for the two to know.
PATCH  /api/offers/:id/accept                        401 404 403 200 404
PATCH  /api/offers/:id/reject                        401 404 403 200 404
POST   /api/offers/:id/counter                       401 404 403 201 404
# It is the seller's to take back: the buyer is the other.
PATCH  /api/offers/:id/withdraw                      401 404 403 200 404

# Payments: the buyer is the owner, the seller the other.
# By the item alone: who has no accepted offer of their own on it hears what they would on any item.
POST   /api/create-payment-intent                    401 409 409 200 409
POST   /api/create-escrow-payment                    401 404 403 200 404
GET    /api/payments/:id                             401 404 200 200 404
GET    /api/payment/:paymentId                       401 404 200 200 404
POST   /api/payments/:id/confirm-delivery            401 404 403 200 404
POST   /api/manual-delivery-confirm/:id              401 404 403 200 404
POST   /api/payments/:id/dispute                     401 404 403 200 404
POST   /api/payments/:id/submit-rating               401 404 403 200 404

# Disputes: both parties speak; the buyer files and withdraws. Admins have calls of their own.
POST   /api/initiate-dispute                         401 404 403 200 404
GET    /api/disputes/:paymentId                      401 404 200 200 404
GET    /api/disputes/:paymentId/evidence/:id         401 404 200 200 200
POST   /api/disputes/:paymentId/upload-evidence      401 404 201 201 404
POST   /api/disputes/:paymentId/answer               401 404 201 201 404
POST   /api/disputes/:paymentId/settlement           401 404 200 200 404
# Proposed by the seller: to the seller nothing was proposed.
POST   /api/disputes/:paymentId/settlement/accept    401 404 409 200 404
POST   /api/disputes/:paymentId/withdraw             401 404 403 200 404

# The desk, for admins alone.
GET    /api/admin/disputes                           401 403 403 403 200
GET    /api/admin/disputes/export                    401 403 403 403 200
GET    /api/admin/disputes/:id/details               401 403 403 403 200
POST   /api/admin/disputes/:id/resolve               401 403 403 403 200
POST   /api/admin/disputes/:id/evidence              401 403 403 403 201
GET    /api/admin/payouts                            401 403 403 403 200
POST   /api/admin/payouts/:id/bank-details           401 403 403 403 200
POST   /api/admin/payouts/:id/paid                   401 403 403 403 200
POST   /api/admin/payouts/:id/undo                   401 403 403 403 200
`

/** By method and path. */
export const access = new Map<string, Row>(
  TABLE.split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [method, path, ...statuses] = line.split(/\s+/)
      const row = Object.fromEntries(ROLES.map((role, column) => [role, Number(statuses[column])]))
      return [`${method} ${path}`, row as Row]
    }),
)
