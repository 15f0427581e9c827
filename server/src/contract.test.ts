import type { Call } from '@sought/contract/call'
import { calls } from '@sought/contract/calls'
import { expect, test } from 'vitest'
import { openWorld } from './testing/world.ts'

/** Calls that clients rely on. They must stay declared. */
const promised = `
  GET /api/auth/user
  POST /api/auth/signup
  POST /api/auth/login
  POST /api/auth/passkey/options
  POST /api/auth/passkey
  POST /api/auth/second-factor
  GET /api/auth/confirm
  POST /api/auth/confirm
  GET /api/user/second-factors
  POST /api/user/totp
  POST /api/user/totp/enable
  DELETE /api/user/totp
  POST /api/user/recovery-codes
  POST /api/user/passkeys/options
  POST /api/user/passkeys
  PATCH /api/user/passkeys/:id
  DELETE /api/user/passkeys/:id
  GET /api/login
  GET /api/logout
  GET /api/auth/google
  GET /api/auth/google/callback
  GET /api/user/is-admin
  GET /api/messages
  POST /api/messages
  PATCH /api/messages/mark-read
  GET /api/conversations
  POST /api/conversations/typing
  GET /api/conversations/presence
  GET /api/user/sharing-settings
  PUT /api/user/sharing-settings
  POST /api/photos
  GET /api/photos/:id
  GET /api/wanted-items
  GET /api/wanted-items/count
  GET /api/wanted-items/:id
  GET /api/wanted-items/:id/similar
  GET /api/wanted-items/by-id
  POST /api/wanted-items
  PUT /api/wanted-items/:id
  POST /api/wanted-items/:id/close
  POST /api/wanted-items/:id/reopen
  POST /api/wanted-items/:id/renew
  GET /api/wanted-items/:id/offers
  POST /api/wanted-items/image
  GET /api/categories
  GET /api/places
  GET /api/offers
  POST /api/offers
  PATCH /api/offers/:id/accept
  PATCH /api/offers/:id/reject
  PATCH /api/offers/:id/withdraw
  POST /api/offers/:id/counter
  POST /api/create-payment-intent
  POST /api/create-escrow-payment
  GET /api/payments
  GET /api/payments/:id
  GET /api/payment/:paymentId
  POST /api/payments/:id/confirm-delivery
  POST /api/payments/:id/dispute
  POST /api/manual-delivery-confirm/:id
  POST /api/payments/:id/submit-rating
  POST /api/payments/:id/review
  POST /api/reviews/:id/reply
  POST /api/payments/:id/submitted
  POST /api/payments/:id/ship
  POST /api/payments/:id/delivered
  POST /api/payments/:id/handover
  POST /api/payments/:id/cancel
  GET /api/payments/:id/files/:file
  GET /api/seller/bank-status
  GET /api/seller/stripe-connect-status
  POST /api/seller/setup-stripe-connect
  POST /api/seller/save-bank-account
  POST /api/seller/reset-stripe-connect
  GET /api/seller/payouts
  GET /api/payments/:id/receipt
  GET /api/payments/:id/receipt/export
  GET /api/seller/statements
  GET /api/seller/statements/:month
  GET /api/seller/statements/:month/export
  GET /api/user/stats
  GET /api/user/wanted-items
  GET /api/user/requests
  GET /api/user/offers
  GET /api/user/first-steps
  POST /api/user/first-steps/dismiss
  GET /api/user/purchases
  PUT /api/user/profile
  GET /api/saved-searches
  POST /api/saved-searches
  PATCH /api/saved-searches/:id
  DELETE /api/saved-searches/:id
  PUT /api/user/selling
  GET /api/user/matches
  GET /api/user/delivery-address
  PUT /api/user/delivery-address
  DELETE /api/user/delivery-address
  POST /api/user/change-password
  POST /api/user/upload-avatar
  POST /api/auth/forgot-password
  POST /api/auth/reset-password
  GET /api/auth/verify-email
  POST /api/auth/verify-email
  GET /api/auth/undo-email
  POST /api/auth/undo-email
  POST /api/user/resend-verification
  GET /api/user/phone
  POST /api/user/phone/code
  POST /api/user/phone/verify
  POST /api/user/cancel-email-change
  GET /api/user/devices
  GET /api/user/audit-log
  DELETE /api/user/devices/:id
  POST /api/user/devices/sign-out-others
  POST /api/user/delete-account
  GET /api/user/data
  GET /api/users/:id
  GET /api/users/:id/feedback
  GET /api/users/:id/reviews
  GET /api/users/:id/wanted-items
  GET /api/notifications
  GET /api/notifications/unread
  PATCH /api/notifications/mark-read
  GET /api/user/mail-settings
  PUT /api/user/mail-settings
  GET /api/user/email-delivery
  GET /api/mail/unsubscribe
  POST /api/mail/unsubscribe
  GET /api/dev/mails
  GET /api/push/key
  POST /api/push/subscriptions
  DELETE /api/push/subscriptions
  GET /api/user/push-settings
  PUT /api/user/push-settings
  GET /api/admin/disputes
  GET /api/admin/disputes/:id/details
  POST /api/admin/disputes/:id/resolve
  POST /api/admin/disputes/bulk/preview
  POST /api/admin/disputes/bulk
  POST /api/admin/disputes/:id/notes
  POST /api/admin/disputes/:id/assign
  GET /api/admin/admins
  GET /api/admin/replies
  POST /api/admin/replies
  PATCH /api/admin/replies/:id
  DELETE /api/admin/replies/:id
  POST /api/disputes/:paymentId/appeal
  GET /api/admin/appeals
  POST /api/admin/appeals/:id/decide
  POST /api/admin/disputes/:id/evidence
  POST /api/admin/disputes/:id/send-evidence
  POST /api/admin/disputes/:id/dismiss-fraud-signals
  POST /api/initiate-dispute
  POST /api/disputes/:paymentId/upload-evidence
  POST /api/disputes/:paymentId/withdraw
  GET /api/disputes/:paymentId
  GET /api/disputes/:paymentId/evidence/:id
  POST /api/disputes/:paymentId/answer
  POST /api/disputes/:paymentId/settlement
  POST /api/disputes/:paymentId/settlement/accept
  GET /api/admin/disputes/export
  GET /api/admin/payouts
  POST /api/admin/payouts/:id/bank-details
  POST /api/admin/payouts/:id/paid
  POST /api/admin/payouts/:id/undo
  GET /api/admin/reconciliation
  GET /api/admin/settings
  PATCH /api/admin/settings
  PUT /api/admin/settings/logo
  DELETE /api/admin/settings/logo
  GET /api/admin/settings/history
  GET /api/policies/:policy
  GET /api/admin/policies
  POST /api/admin/policies/:policy
  GET /api/user/policies
  POST /api/user/policies/accept
  GET /api/admin/overview
  GET /api/admin/analytics
  GET /api/admin/audit-log
  POST /api/admin/payouts/:id/send-again
  GET /api/admin/refunds
  POST /api/admin/refunds/:paymentId/retry
  POST /api/admin/refunds/:paymentId/paid
  GET /api/admin/lookup
  GET /api/admin/people/:id
  GET /api/admin/people/:id/timeline
  GET /api/admin/deals/:paymentId
  GET /api/admin/exports
  POST /api/admin/exports
  GET /api/admin/exports/:id
  POST /api/admin/exports/:id/retry
  GET /api/admin/exports/:id/file
  GET /api/admin/goodwill
  POST /api/admin/goodwill
  POST /api/admin/goodwill/:id/approve
  POST /api/admin/goodwill/:id/reject
  POST /api/admin/goodwill/:id/paid
  GET /api/admin/disputes/:id/messages
  GET /api/admin/counts
  GET /api/admin/tickets
  GET /api/admin/tickets/:id
  POST /api/admin/tickets/:id/reply
  POST /api/admin/tickets/:id/notes
  POST /api/admin/tickets/:id/close
  POST /api/admin/tickets/:id/reopen
  GET /api/admin/moderation
  POST /api/admin/moderation/bulk
  POST /api/admin/moderation/:id/claim
  POST /api/admin/moderation/:id/decide
  GET /api/user/decisions
  POST /api/user/decisions/:id/appeal
  POST /api/reports
  GET /api/blocks
  POST /api/blocks/:userId
  DELETE /api/blocks/:userId
  POST /api/support/tickets
  GET /api/support/tickets
  GET /api/support/tickets/:id
  POST /api/support/tickets/:id/messages
  GET /api/config
  GET /api/events
`

/** Declared calls that are not implemented yet. */
const left = `
`

const lines = (list: string) => list.split(/\n\s*/).filter(Boolean).sort()
const declared = Object.values(calls).map(({ method, path }) => `${method} ${path}`)

test('exactly the expected calls are declared', () => {
  expect(declared.toSorted()).toEqual(lines(promised))
})

test('a call without a handler replies 501 to authorised users, and only these are left', async () => {
  const { signUp, appoint, visitor } = await openWorld()
  const { id, call } = await signUp('Ada')
  await appoint({ id })
  const unanswered: string[] = []
  for (const { method, path, access, ...parts } of Object.values(calls)) {
    if (parts.reply === 'redirect' || parts.reply === 'events') continue
    const address = path.replace(/:\w+/g, '1')
    if (access !== 'public') {
      expect((await visitor(`${method} ${address}`)).statusCode, path).toBe(401)
    }
    const reply = await call(`${method} ${address}`)
    if (reply.statusCode === 501) unanswered.push(`${method} ${path}`)
  }
  expect(unanswered.toSorted()).toEqual(lines(left))
})

test('the OpenAPI document and its page list every call', async () => {
  const { visitor } = await openWorld()
  const document = (await visitor('GET /api/docs/openapi.json')).json()
  expect(document.openapi).toBe('3.1.0')
  const documented = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  )
  expect(documented.sort()).toEqual(lines(promised))
  expect(document.paths['/api/offers/{id}/accept'].patch).toMatchObject({
    operationId: 'acceptOffer',
    parameters: [{ name: 'id', in: 'path', required: true }],
    security: [{ session: [] }],
    responses: { 401: {}, 403: {}, 404: {}, 409: {}, 422: {} },
  })
  const page = await visitor('GET /api/docs')
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  for (const path of new Set(Object.values(calls).map((call) => call.path))) expect(page.body).toContain(path)
})

/** Lists that need no pages, and why. */
const SHORT_LISTS: Record<string, string> = {
  'GET /api/categories': 'a market has at most 50',
  'GET /api/admin/policies': 'admins publish a few versions a year',
  'GET /api/user/policies': 'the terms and the privacy policy',
  'GET /api/admin/overview': 'at most one entry of each kind',
  'GET /api/places': 'the 8 largest places',
  'GET /api/saved-searches': 'a user has at most 50',
  'GET /api/wanted-items/:id/similar': 'the 6 most similar requests',
  'GET /api/wanted-items/by-id': 'at most 12 ids',
  'GET /api/wanted-items/:id/offers': 'the 100 lowest offers are enough to choose from',
  'GET /api/user/devices': 'at most 100 devices are shown, and sessions expire',
  'GET /api/seller/statements': 'one entry for each month with sales',
  'GET /api/admin/moderation': 'moderators work from the top of the queue',
  'GET /api/admin/admins': 'a market has few admins',
  'GET /api/admin/replies': 'there are at most 100',
  'POST /api/admin/disputes/bulk/preview': 'at most 100 ids',
  'GET /api/blocks': 'people block few others',
  'GET /api/user/decisions': 'few people have any',
  'GET /api/dev/mails': 'development only, and only the latest',
}

test('every list is paged', () => {
  const isList = ({ reply }: Call) => typeof reply !== 'string' && reply._zod.def.type === 'array'
  const unpaged = Object.values(calls)
    .filter(isList)
    .filter(({ query }) => !(query && 'limit' in query.shape && 'cursor' in query.shape))
  expect(unpaged.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
    Object.keys(SHORT_LISTS).sort(),
  )
})
