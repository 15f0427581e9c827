import { initiateDispute } from '@sought/contract/disputes'
import type { PaymentStatus } from '@sought/escrow/payment-status'
import { createUnsubscribeToken } from '@sought/server/features/notifications/unsubscribe-token'
import { createAuthenticator } from '@sought/server/testing/authenticator'
import type { World } from '@sought/server/testing/world'
import sharp from 'sharp'
import type { Fixtures } from './fixtures.ts'
import type { Person } from './people.ts'

export interface Cast {
  owner: Person
  other: Person
  stranger: Person
  admin: Person
  moderator: Person
  finance: Person
}

export interface File {
  field: string
  name: string
  bytes: Uint8Array
  fields?: Record<string, string>
}

/** The input of a call: the same for every role, except for data that only the sender knows. */
export interface CallInput {
  params?: Record<string, string | number>
  query?: Record<string, string | number>
  body?: object | ((sender: Person | null) => object)
  file?: File
  /** A stranger may change data of the owner with this call. */
  affectsOwner?: true
}

interface FixtureContext {
  cast: Cast
  fixtures: Fixtures
  world: World
}

type CallFixture = (prepare: FixtureContext) => CallInput | Promise<CallInput>

const form = {
  title: 'Lamp',
  description: 'Green',
  category: 'Other',
  location: 'Ipoh',
  minBudget: 0,
  maxBudget: 200,
  urgency: 'low',
}
const deliveryAddress = {
  name: 'Ada Tester',
  line1: '7 Jalan Besar',
  city: 'Ipoh',
  postalCode: '30000',
  country: 'MY',
}
const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#286' } })
  .png()
  .toBuffer()

const ownerAsBuyer = ({ owner, other }: Cast) => ({ buyer: owner, seller: other })
const ownerAsSeller = ({ owner, other }: Cast) => ({ buyer: other, seller: owner })

const onItem: CallFixture = async ({ cast, fixtures }) => ({
  params: { id: await fixtures.item(cast.owner) },
  body: form,
})

const onPerson: CallFixture = async ({ cast, fixtures }) => {
  await fixtures.review(ownerAsSeller(cast))
  return { params: { id: cast.owner.id } }
}

const onCase: CallFixture = async ({ cast, fixtures }) => ({
  params: { id: await fixtures.moderationCase(cast.owner) },
  body: { action: 'warn', reason: 'Be polite' },
})

const onOffer: CallFixture = async ({ cast, fixtures }) => ({
  params: { id: (await fixtures.offer(ownerAsBuyer(cast))).offerId },
  body: { amount: 9_000 },
})

const onPayment =
  (status: PaymentStatus, body?: object): CallFixture =>
  async ({ cast, fixtures }) => {
    const { paymentId } = await fixtures.payment(ownerAsBuyer(cast), status)
    return { params: { id: paymentId, paymentId }, ...(body && { body }) }
  }

/** The receipt is issued beforehand, because its first read assigns a number. */
const onReceipt: CallFixture = async ({ cast, fixtures }) => {
  const { paymentId } = await fixtures.payment(ownerAsBuyer(cast), 'held_in_escrow')
  await cast.owner.call(`GET /api/payments/${paymentId}/receipt`)
  return { params: { id: paymentId } }
}

const onStatement: CallFixture = async ({ cast, fixtures, world }) => {
  await fixtures.payment(ownerAsSeller(cast), 'completed')
  return { params: { month: world.services.clock().toISOString().slice(0, 7) } }
}

const onDispute =
  (parts: Omit<CallInput, 'params'> = {}): CallFixture =>
  async ({ cast, fixtures }) => {
    const { paymentId, evidenceId } = await fixtures.dispute(ownerAsBuyer(cast))
    return { params: { paymentId, id: evidenceId }, ...parts }
  }

const onAdminDispute =
  (body?: object): CallFixture =>
  async ({ cast, fixtures }) => {
    const { paymentId } = await fixtures.dispute(ownerAsBuyer(cast))
    return { params: { id: paymentId }, ...(body && { body }) }
  }

const aReply = { title: 'Photos', text: 'Dear {buyer}' }

const onReply =
  (body?: object): CallFixture =>
  async ({ fixtures, world }) => ({
    params: { id: await fixtures.savedReply(await world.signUp('Root')) },
    ...(body && { body }),
  })

const onPayout =
  (status: 'owed' | 'paid' | 'reversed', body?: object): CallFixture =>
  async ({ cast, fixtures }) => ({
    params: { id: (await fixtures.payout(ownerAsSeller(cast), status)).payoutId },
    ...(body && { body }),
  })

const onFailedRefund =
  (body?: object): CallFixture =>
  async ({ cast, fixtures }) => ({
    params: { paymentId: (await fixtures.failedRefund(ownerAsBuyer(cast))).paymentId },
    ...(body && { body }),
  })

/** A released deal whose seller is the owner. */
const onReleased: CallFixture = async ({ cast, fixtures }) => ({
  params: { id: (await fixtures.payment(ownerAsSeller(cast), 'completed')).paymentId },
  body: { amount: 1_000, reason: 'A part is missing' },
})

const onExport: CallFixture = async ({ cast, fixtures }) => ({
  params: { id: await fixtures.exportJob(cast.admin) },
})

const onGoodwill =
  (status: 'waiting' | 'done', body?: object): CallFixture =>
  async ({ cast, fixtures, world }) => ({
    params: { id: await fixtures.goodwill(ownerAsBuyer(cast), status, await world.signUp('Root')) },
    ...(body && { body }),
  })

const onTicket =
  (body?: object): CallFixture =>
  async ({ cast, fixtures }) => ({
    params: { id: await fixtures.ticket(cast.owner) },
    ...(body && { body }),
  })

const onSearch: CallFixture = async ({ cast, fixtures }) => ({
  params: { id: await fixtures.savedSearch(cast.owner) },
  body: { name: 'Lamps', alerts: 'off' },
})

const startPayment: CallFixture = async ({ cast, fixtures }) => {
  const { itemId, offerId, amount } = await fixtures.offer(ownerAsBuyer(cast), 'accepted')
  return { body: { itemId, offerId, amount } }
}

const unsubscribe: CallFixture = ({ cast, world }) => ({
  query: {
    token: createUnsubscribeToken(
      { userId: cast.owner.id, kind: 'message' },
      world.services.secrets.sessionKeys,
    ),
  },
  affectsOwner: true,
})

/** Only the owner has a passkey. */
const onPasskey: CallFixture = async ({ cast, world }) => {
  const id = `passkey-${cast.owner.id}`
  await world.sql.query(
    "insert into passkeys (id, user_id, public_key, counter, transports, name) values ($1, $2, 'a', 0, '{}', 'Phone')",
    [id, cast.owner.id],
  )
  return { params: { id }, body: { name: 'Laptop' } }
}

/** The call has no input and is about its sender. */
const withoutInput: CallFixture = () => ({})

/** Two users with messages, offers, a dispute, a payout and a failed refund, which a list could reveal. */
const withHistory: CallFixture = async ({ cast, fixtures }) => {
  const { owner, other } = cast
  const { itemId } = await fixtures.offer(ownerAsBuyer(cast))
  await fixtures.message(itemId, other, owner)
  await fixtures.notification(owner, other, itemId)
  await fixtures.dispute(ownerAsBuyer(cast))
  await fixtures.payout(ownerAsSeller(cast), 'owed')
  await fixtures.failedRefund(ownerAsBuyer(cast))
  await fixtures.ticket(owner)
  return {}
}

/** The same, with a query for the owner's data. */
const withHistoryAndQuery =
  (name: (ids: { itemId: number; intentId: string; owner: Person }) => CallInput['query']): CallFixture =>
  async (prepare) => {
    const { cast, fixtures } = prepare
    await withHistory(prepare)
    const { itemId, intentId } = await fixtures.payment(ownerAsBuyer(cast), 'held_in_escrow')
    await fixtures.message(itemId, cast.other, cast.owner)
    return { query: name({ itemId, intentId, owner: cast.owner }) ?? {} }
  }

/** The input of each call that needs more than withHistory. */
const fixturesByCall: Record<string, CallFixture> = {
  'GET /api/wanted-items/:id': onItem,
  'GET /api/wanted-items/:id/similar': onItem,
  'POST /api/browser-errors': async () => ({ body: () => ({ kind: 'error', message: 'TypeError' }) }),
  'GET /api/places': async () => ({ query: { search: 'Paris' } }),
  'GET /api/wanted-items/by-id': async ({ cast, fixtures }) => ({
    query: { ids: String(await fixtures.item(cast.owner)) },
  }),
  'GET /api/users/:id': onPerson,
  'GET /api/users/:id/feedback': onPerson,
  'GET /api/users/:id/reviews': onPerson,
  'GET /api/users/:id/wanted-items': onPerson,

  'POST /api/auth/signup': ({ cast }) => ({
    body: (sender) => ({
      email: `new-${sender?.id ?? 'visitor'}-${cast.owner.id}@example.com`,
      password: 'a new one',
      firstName: 'New',
      lastName: 'Comer',
    }),
  }),
  'POST /api/auth/login': ({ cast }) => ({
    body: (sender) => ({ email: cast.owner.email, password: sender?.password ?? 'guess' }),
  }),
  'POST /api/auth/forgot-password': ({ cast }) => ({ body: { email: cast.owner.email }, affectsOwner: true }),
  'POST /api/auth/reset-password': async ({ cast, fixtures }) => ({
    body: { token: await fixtures.token(cast.owner, 'reset_password'), newPassword: 'another one' },
    affectsOwner: true,
  }),
  'POST /api/auth/verify-email': async ({ cast, fixtures }) => ({
    body: { token: await fixtures.token(cast.owner, 'verify_email') },
    affectsOwner: true,
  }),
  'GET /api/auth/verify-email': async ({ cast, fixtures }) => ({
    query: { token: await fixtures.token(cast.owner, 'verify_email') },
  }),
  'GET /api/auth/undo-email': async ({ cast, fixtures }) => ({
    query: { token: await fixtures.undoToken(cast.owner) },
  }),
  'POST /api/auth/undo-email': async ({ cast, fixtures }) => ({
    body: { token: await fixtures.undoToken(cast.owner) },
    affectsOwner: true,
  }),
  'GET /api/mail/unsubscribe': unsubscribe,
  'POST /api/mail/unsubscribe': unsubscribe,

  'GET /api/messages': withHistoryAndQuery(({ itemId, owner }) => ({
    wantedItemId: itemId,
    userId: owner.id,
  })),
  'GET /api/payments': withHistoryAndQuery(({ itemId, intentId }) => ({
    wantedItemId: itemId,
    paymentIntent: intentId,
  })),
  'PUT /api/user/profile': ({ cast }) => ({
    body: (sender) => ({
      id: cast.owner.id,
      userId: cast.owner.id,
      firstName: 'Renamed',
      lastName: 'Tester',
      email: sender?.email ?? cast.owner.email,
    }),
  }),
  'POST /api/user/first-steps/dismiss': ({ cast }) => ({ body: { list: 'buyer', userId: cast.owner.id } }),
  'GET /api/user/delivery-address': async ({ cast }) => {
    await cast.owner.call('PUT /api/user/delivery-address', deliveryAddress)
    return {}
  },
  'PUT /api/user/delivery-address': ({ cast }) => ({ body: { ...deliveryAddress, userId: cast.owner.id } }),
  'DELETE /api/user/delivery-address': withoutInput,
  'PUT /api/user/selling': ({ cast }) => ({
    body: { keywords: ['lamp'], categories: ['Music'], userId: cast.owner.id },
  }),
  'PUT /api/user/mail-settings': ({ cast }) => ({ body: { off: ['message'], userId: cast.owner.id } }),
  'PUT /api/user/push-settings': ({ cast }) => ({ body: { off: ['messages'], userId: cast.owner.id } }),
  'POST /api/push/subscriptions': ({ cast }) => ({
    body: {
      endpoint: 'https://push.example/owner',
      keys: { p256dh: 'B'.padEnd(87, 'a'), auth: 'a'.repeat(22) },
      userId: cast.owner.id,
    },
  }),
  'DELETE /api/push/subscriptions': async ({ cast, fixtures }) => {
    await fixtures.pushSubscription(cast.owner)
    return {}
  },
  'PUT /api/user/sharing-settings': ({ cast }) => ({
    body: { typing: false, presence: true, readReceipts: true, userId: cast.owner.id },
  }),
  'POST /api/user/change-password': () => ({
    body: (sender) => ({
      currentPassword: sender?.password ?? 'guess',
      newPassword: 'another one',
      confirmPassword: 'another one',
    }),
  }),
  'POST /api/user/upload-avatar': async () => ({
    file: { field: 'avatar', name: 'me.png', bytes: await picture },
  }),
  'POST /api/auth/passkey/options': () => ({ body: { purpose: 'sign_in' } }),
  'POST /api/auth/passkey': () => ({
    body: { passkey: createAuthenticator().use({ challenge: 'bm90IG91cnM', rpId: 'localhost' }) },
  }),
  'POST /api/auth/second-factor': () => ({ body: { code: '123456' } }),
  'POST /api/auth/confirm': () => ({ body: (sender) => ({ password: sender?.password ?? 'guess' }) }),
  'POST /api/user/totp': withoutInput,
  'DELETE /api/user/totp': withoutInput,
  'POST /api/user/totp/enable': () => ({ body: { code: '123456' } }),
  'POST /api/user/recovery-codes': onPasskey,
  'POST /api/user/passkeys/options': withoutInput,
  'POST /api/user/passkeys': async ({ cast }) => {
    const options = await cast.owner.call('POST /api/user/passkeys/options')
    return { body: { passkey: createAuthenticator().create(options.json()) } }
  },
  'PATCH /api/user/passkeys/:id': onPasskey,
  'DELETE /api/user/passkeys/:id': onPasskey,
  'POST /api/user/resend-verification': withoutInput,
  'GET /api/user/phone': withoutInput,
  'POST /api/user/phone/code': () => ({ body: { phone: '+60 12-345 6789' } }),
  'POST /api/user/phone/verify': () => ({ body: { code: '123456' } }),
  'POST /api/user/cancel-email-change': withoutInput,
  'POST /api/user/devices/sign-out-others': withoutInput,
  'POST /api/seller/reset-stripe-connect': withoutInput,
  'POST /api/user/delete-account': ({ cast }) => ({
    body: (sender) => ({ password: sender?.password ?? 'guess', userId: cast.owner.id }),
  }),
  'POST /api/seller/setup-stripe-connect': ({ cast }) => ({ body: { country: 'US', userId: cast.owner.id } }),
  'POST /api/seller/save-bank-account': ({ cast }) => ({
    body: {
      userId: cast.owner.id,
      account_holder_name: 'Person',
      country: 'US',
      routing_number: '110000000',
      account_number: '000123456789',
    },
  }),
  'PATCH /api/messages/mark-read': async ({ cast, fixtures }) => {
    const { itemId } = await fixtures.offer(ownerAsBuyer(cast))
    await fixtures.message(itemId, cast.other, cast.owner)
    return { body: { wantedItemId: itemId, senderId: cast.other.id, receiverId: cast.owner.id } }
  },
  'PATCH /api/notifications/mark-read': async ({ cast, fixtures }) => {
    const itemId = await fixtures.item(cast.owner)
    return {
      body: { id: await fixtures.notification(cast.owner, cast.other, itemId), userId: cast.owner.id },
    }
  },
  'DELETE /api/user/devices/:id': ({ cast, fixtures }) => ({ params: { id: fixtures.deviceOf(cast.owner) } }),

  'GET /api/saved-searches': onSearch,
  'POST /api/saved-searches': ({ cast }) => ({
    body: { filters: { search: 'lamp' }, alerts: 'daily', userId: cast.owner.id },
  }),
  'PATCH /api/saved-searches/:id': onSearch,
  'DELETE /api/saved-searches/:id': onSearch,
  'POST /api/wanted-items': ({ cast }) => ({ body: { ...form, userId: cast.owner.id } }),
  'POST /api/wanted-items/image': async () => ({
    file: { field: 'image', name: 'lamp.png', bytes: await picture },
  }),
  'POST /api/photos': async () => ({
    file: { field: 'photo', name: 'lamp.png', bytes: await picture },
  }),
  'PUT /api/wanted-items/:id': onItem,
  'POST /api/wanted-items/:id/close': onItem,
  'POST /api/wanted-items/:id/reopen': async ({ cast, fixtures }) => ({
    params: { id: await fixtures.item(cast.owner, 'closed') },
  }),
  'POST /api/wanted-items/:id/renew': onItem,
  'GET /api/wanted-items/:id/offers': onItem,
  'GET /api/wanted-items/:id/versions': onItem,

  'POST /api/messages': async ({ cast, fixtures }) => {
    const itemId = await fixtures.item(cast.owner)
    await fixtures.message(itemId, cast.other, cast.owner)
    return { body: { content: 'Hello', wantedItemId: itemId, receiverId: cast.other.id } }
  },
  'POST /api/conversations/typing': async ({ cast, fixtures }) => {
    const itemId = await fixtures.item(cast.owner)
    await fixtures.message(itemId, cast.other, cast.owner)
    return { body: { wantedItemId: itemId, receiverId: cast.other.id, userId: cast.owner.id } }
  },
  'GET /api/conversations/presence': async ({ cast, fixtures }) => {
    await fixtures.message(await fixtures.item(cast.owner), cast.other, cast.owner)
    return { query: { userId: cast.other.id } }
  },
  'GET /api/photos/:id': async ({ cast, fixtures }) => {
    const { itemId } = await fixtures.dispute(ownerAsBuyer(cast))
    return { params: { id: await fixtures.photo(itemId, cast.owner, cast.other, await picture) } }
  },
  'POST /api/offers': async ({ cast, fixtures }) => ({
    body: { wantedItemId: await fixtures.item(cast.owner), receiverId: cast.owner.id, amount: 5_000 },
    affectsOwner: true,
  }),
  'PATCH /api/offers/:id/accept': onOffer,
  'PATCH /api/offers/:id/reject': onOffer,
  'POST /api/offers/:id/counter': onOffer,
  'PATCH /api/offers/:id/withdraw': async ({ cast, fixtures }) => ({
    params: { id: (await fixtures.offer(ownerAsSeller(cast))).offerId },
  }),
  'PATCH /api/offers/:id/keep': async ({ cast, fixtures }) => ({
    params: { id: (await fixtures.offer(ownerAsSeller(cast))).offerId },
    body: { requestVersion: 1 },
  }),

  'POST /api/reports': async ({ cast, fixtures }) => {
    const id = await fixtures.message(await fixtures.item(cast.owner), cast.other, cast.owner)
    return { body: { kind: 'message', id, reason: 'spam' } }
  },
  'GET /api/blocks': async ({ cast, fixtures }) => {
    await fixtures.block(cast.owner, cast.other)
    return {}
  },
  'POST /api/blocks/:userId': ({ cast }) => ({ params: { userId: cast.owner.id }, affectsOwner: true }),
  'DELETE /api/blocks/:userId': ({ cast }) => ({ params: { userId: cast.owner.id }, affectsOwner: true }),

  'GET /api/user/decisions': async ({ cast, fixtures }) => {
    await fixtures.decision(cast.owner, cast.moderator)
    return {}
  },
  'POST /api/user/decisions/:id/appeal': async ({ cast, fixtures }) => ({
    params: { id: await fixtures.decision(cast.owner, cast.moderator) },
    body: { text: 'It was a joke' },
  }),
  'GET /api/admin/moderation': async ({ cast, fixtures }) => {
    await fixtures.moderationCase(cast.owner)
    return {}
  },
  'POST /api/admin/moderation/:id/claim': onCase,
  'POST /api/admin/moderation/:id/decide': onCase,
  'GET /api/policies/:policy': () => ({ params: { policy: 'refund_policy' } }),
  'POST /api/admin/policies/:policy': () => ({
    params: { policy: 'refund_policy' },
    body: { text: 'We refund what never arrived.' },
  }),
  // Only the built-in text exists.
  'POST /api/user/policies/accept': () => ({ body: { policy: 'terms_of_service', version: 1 } }),
  'PUT /api/admin/settings/logo': async () => ({
    file: { field: 'logo', name: 'logo.png', bytes: await picture },
  }),
  'DELETE /api/admin/settings/logo': async ({ world }) => {
    const logo = JSON.stringify({ logoUrl: '/files/logo.webp' })
    await world.sql.query('insert into market_settings (settings) values ($1)', [logo])
    return {}
  },
  'PATCH /api/admin/settings': () => ({ body: { goodwillApprovalCents: 50_00 } }),
  'POST /api/admin/moderation/bulk': async ({ cast, fixtures }) => ({
    body: { ids: [await fixtures.moderationCase(cast.owner)], action: 'warn', reason: 'Be polite' },
  }),

  'POST /api/create-payment-intent': startPayment,
  'POST /api/create-escrow-payment': startPayment,
  'GET /api/payments/:id': onPayment('held_in_escrow'),
  'GET /api/payment/:paymentId': onPayment('held_in_escrow'),
  'POST /api/payments/:id/submitted': onPayment('held_in_escrow'),
  'POST /api/payments/:id/stop-waiting': onPayment('held_in_escrow'),
  'POST /api/payments/:id/confirm-delivery': onPayment('held_in_escrow'),
  'POST /api/manual-delivery-confirm/:id': onPayment('held_in_escrow'),
  'POST /api/payments/:id/dispute': onPayment('held_in_escrow', { reason: 'It is blue' }),
  'POST /api/payments/:id/submit-rating': onPayment('completed', { rating: 5 }),
  'POST /api/payments/:id/review': onPayment('completed', { rating: 5 }),
  'POST /api/reviews/:id/reply': async ({ cast, fixtures }) => ({
    params: { id: (await fixtures.review(ownerAsSeller(cast))).reviewId },
    body: { text: 'Thank you' },
  }),

  'POST /api/payments/:id/cancel': onPayment('held_in_escrow', { reason: 'Sold' }),
  'POST /api/payments/:id/refund': onReleased,
  'POST /api/payments/:id/ship': async ({ cast, fixtures }) => ({
    params: { id: (await fixtures.payment(ownerAsSeller(cast), 'held_in_escrow')).paymentId },
    body: { carrier: 'dhl', trackingNumber: 'PARCEL1' },
  }),
  'POST /api/payments/:id/delivered': async ({ cast, fixtures }) => ({
    params: { id: (await fixtures.parcel(ownerAsSeller(cast))).paymentId },
    body: {},
  }),
  'POST /api/payments/:id/handover': async ({ cast, fixtures }) => ({
    params: { id: (await fixtures.handover(ownerAsSeller(cast), '123456')).paymentId },
    body: { code: '123456' },
  }),
  'GET /api/payments/:id/files/:file': async ({ cast, fixtures }) => {
    const { paymentId } = await fixtures.parcel(ownerAsSeller(cast))
    await cast.other.send(initiateDispute, { body: { paymentId, reason: 'Not green' } })
    return { params: { id: paymentId, file: 'shipment-photo' } }
  },

  'GET /api/payments/:id/receipt': onReceipt,
  'GET /api/payments/:id/receipt/export': onReceipt,
  'GET /api/seller/statements': async (prepare) => {
    await onStatement(prepare)
    return {}
  },
  'GET /api/seller/statements/:month': onStatement,
  'GET /api/seller/statements/:month/export': onStatement,

  'POST /api/initiate-dispute': async ({ cast, fixtures }) => ({
    body: {
      paymentId: (await fixtures.payment(ownerAsBuyer(cast), 'held_in_escrow')).paymentId,
      reason: 'It is blue',
    },
  }),
  'GET /api/disputes/:paymentId': onDispute(),
  'GET /api/disputes/:paymentId/evidence/:id': onDispute(),
  'POST /api/disputes/:paymentId/upload-evidence': onDispute({
    file: { field: 'file', name: 'note.txt', bytes: Buffer.from('It came on Monday.') },
  }),
  'POST /api/disputes/:paymentId/answer': onDispute({ body: { content: 'It was green' } }),
  'POST /api/disputes/:paymentId/settlement': onDispute({ body: { refundAmount: 5_000 } }),
  'POST /api/disputes/:paymentId/settlement/accept': async ({ cast, fixtures, world }) => {
    const { paymentId } = await fixtures.dispute(ownerAsBuyer(cast))
    const proposal = `update payments set settlement_cents = 5000, settlement_by = 'seller', settlement_at = now()`
    await world.sql.query(`${proposal} where id = $1`, [paymentId])
    return { params: { paymentId }, body: { refundAmount: 5_000 } }
  },
  'POST /api/disputes/:paymentId/withdraw': onDispute(),
  'POST /api/disputes/:paymentId/appeal': async ({ cast, fixtures }) => {
    const paymentId = await fixtures.ruling(ownerAsBuyer(cast))
    return { params: { paymentId }, body: { reason: 'It never arrived' } }
  },

  'POST /api/support/tickets': ({ cast }) => ({
    body: {
      topic: 'other',
      subject: 'A question',
      message: 'How does it work?',
      email: `visitor-${cast.owner.id}@example.com`,
    },
  }),
  'GET /api/support/tickets/:id': onTicket(),
  'POST /api/support/tickets/:id/messages': onTicket({ content: 'One more thing' }),
  'GET /api/admin/tickets/:id': onTicket(),
  'POST /api/admin/tickets/:id/reply': onTicket({ content: 'Like this' }),
  'POST /api/admin/tickets/:id/notes': onTicket({ content: 'Asked before' }),
  'POST /api/admin/tickets/:id/close': onTicket(),
  'POST /api/admin/tickets/:id/reopen': onTicket(),

  'GET /api/admin/disputes/:id/details': onAdminDispute(),
  'GET /api/admin/disputes/:id/messages': onAdminDispute(),
  'POST /api/admin/disputes/:id/resolve': onAdminDispute({ action: 'split_difference', note: 'Half each' }),
  'POST /api/admin/disputes/:id/evidence': onAdminDispute({ type: 'call', content: 'I rang' }),
  'POST /api/admin/disputes/:id/send-evidence': onAdminDispute(),
  'GET /api/admin/disputes/:id/bank-evidence': onAdminDispute(),
  'POST /api/admin/disputes/bulk/preview': async ({ cast, fixtures }) => {
    const { paymentId } = await fixtures.dispute(ownerAsBuyer(cast))
    return { body: { ids: [paymentId], action: 'refund_full' } }
  },
  'POST /api/admin/disputes/bulk': async ({ cast, fixtures }) => {
    const { paymentId } = await fixtures.dispute(ownerAsBuyer(cast))
    return { body: { ids: [paymentId], action: 'refund_full', note: 'It is lost' } }
  },
  'POST /api/admin/disputes/:id/notes': onAdminDispute({ text: 'Ask the carrier' }),
  'POST /api/admin/disputes/:id/assign': async ({ cast, fixtures, world }) => {
    const { paymentId } = await fixtures.dispute(ownerAsBuyer(cast))
    const assigned = 'update dispute_cases set assigned_to = $2 where payment_id = $1'
    await world.sql.query(assigned, [paymentId, (await world.signUp('Root')).id])
    return { params: { id: paymentId }, body: { adminId: null } }
  },
  'POST /api/admin/replies': () => ({ body: aReply }),
  'PATCH /api/admin/replies/:id': onReply(aReply),
  'DELETE /api/admin/replies/:id': onReply(),
  'POST /api/admin/appeals/:id/decide': async ({ cast, fixtures }) => ({
    params: { id: await fixtures.appeal(ownerAsBuyer(cast)) },
    body: { decision: 'uphold', note: 'It was delivered' },
  }),
  'POST /api/admin/disputes/:id/dismiss-fraud-signals': async ({ cast, fixtures, world }) => {
    const { paymentId } = await fixtures.dispute(ownerAsBuyer(cast))
    await world.sql.query('update payments set needs_check = true where id = $1', [paymentId])
    return { params: { id: paymentId } }
  },
  'POST /api/admin/payouts/:id/bank-details': onPayout('owed'),
  'POST /api/admin/payouts/:id/paid': onPayout('owed', { reference: 'W-1' }),
  'POST /api/admin/payouts/:id/undo': onPayout('paid'),
  'POST /api/admin/payouts/:id/send-again': onPayout('reversed'),
  'POST /api/admin/refunds/:paymentId/retry': onFailedRefund(),
  'POST /api/admin/refunds/:paymentId/paid': onFailedRefund({ reference: 'W-1' }),
  'POST /api/admin/payments/:id/refund': onReleased,
  'POST /api/admin/debts/:id/waive': async ({ cast, fixtures }) => ({
    params: { id: await fixtures.debt(ownerAsSeller(cast)) },
    body: { reason: 'It was our mistake' },
  }),
  'GET /api/admin/analytics': () => ({ query: { from: '2026-11-01', to: '2026-11-30', by: 'day' } }),
  'POST /api/admin/exports': () => ({ body: { kind: 'fees', year: 2026 } }),
  'GET /api/admin/exports/:id': onExport,
  'POST /api/admin/exports/:id/retry': onExport,
  'GET /api/admin/exports/:id/file': onExport,
  'GET /api/admin/lookup': withHistoryAndQuery(({ owner }) => ({ q: owner.id })),
  'GET /api/admin/people/:id': onPerson,
  'GET /api/admin/people/:id/timeline': onPerson,
  'GET /api/admin/deals/:paymentId': async ({ cast, fixtures }) => ({
    params: { paymentId: (await fixtures.payment(ownerAsBuyer(cast), 'held_in_escrow')).paymentId },
  }),
  'POST /api/admin/goodwill': async ({ cast, fixtures }) => {
    const { paymentId } = await fixtures.payment(ownerAsBuyer(cast), 'held_in_escrow')
    return { body: { paymentId, to: 'buyer', amount: 500, reason: 'It was late' } }
  },
  'POST /api/admin/goodwill/:id/approve': onGoodwill('waiting'),
  'POST /api/admin/goodwill/:id/reject': onGoodwill('waiting', { note: 'No' }),
  'POST /api/admin/goodwill/:id/paid': onGoodwill('done', { reference: 'W-1' }),
}

/** Whether the call has no input and needs only people with a history. */
export const needsOnlyHistory = (name: string): boolean => !(name in fixturesByCall)

/** Creates a fresh fixture for a call. */
export async function createCallFixture(name: string, prepare: FixtureContext): Promise<CallInput> {
  return (fixturesByCall[name] ?? withHistory)(prepare)
}
