import { createUnsubscribeToken } from '@sought/server/features/notifications/unsubscribe-token'
import type { World } from '@sought/server/testing/world'
import sharp from 'sharp'
import type { Given } from './fixtures.ts'
import type { Person } from './people.ts'

export interface Cast {
  owner: Person
  other: Person
  stranger: Person
  admin: Person
}

export interface File {
  field: string
  name: string
  bytes: Uint8Array
  fields?: Record<string, string | number>
}

/** What is sent, the same by everybody but for what only the sender can know. */
export interface Try {
  params?: Record<string, string | number>
  query?: Record<string, string | number>
  body?: object | ((sender: Person | null) => object)
  file?: File
  /** A stranger may do this to the owner: then what the owner has is changed, and rightly so. */
  reaches?: true
}

interface Stage {
  cast: Cast
  given: Given
  world: World
}

type Scene = (stage: Stage) => Try | Promise<Try>

const form = {
  title: 'Lamp',
  description: 'Green',
  category: 'Other',
  location: 'Ipoh',
  minBudget: 0,
  maxBudget: 200,
  urgency: 'low',
}
const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#286' } })
  .png()
  .toBuffer()

const buying = ({ owner, other }: Cast) => ({ buyer: owner, seller: other })
const selling = ({ owner, other }: Cast) => ({ buyer: other, seller: owner })

const onItem: Scene = async ({ cast, given }) => ({
  params: { id: await given.item(cast.owner) },
  body: form,
})

const onPerson: Scene = async ({ cast, given }) => {
  await given.rated(selling(cast))
  return { params: { id: cast.owner.id } }
}

const onOffer: Scene = async ({ cast, given }) => ({
  params: { id: (await given.offer(buying(cast))).offerId },
  body: { amount: 9_000 },
})

const onPayment =
  (status: string, body?: object): Scene =>
  async ({ cast, given }) => {
    const { paymentId } = await given.payment(buying(cast), status)
    return { params: { id: paymentId, paymentId }, ...(body && { body }) }
  }

const onDispute =
  (parts: Omit<Try, 'params'> = {}): Scene =>
  async ({ cast, given }) => {
    const { paymentId, evidenceId } = await given.dispute(buying(cast))
    return { params: { paymentId, id: evidenceId }, ...parts }
  }

/** The desk knows a dispute by its own id, which is the payment's. */
const onDesk =
  (body?: object): Scene =>
  async ({ cast, given }) => {
    const { paymentId } = await given.dispute(buying(cast))
    return { params: { id: paymentId }, ...(body && { body }) }
  }

const onPayout =
  (status: 'owed' | 'paid', body?: object): Scene =>
  async ({ cast, given }) => ({
    params: { id: (await given.payout(selling(cast), status)).payoutId },
    ...(body && { body }),
  })

const startingPayment: Scene = async ({ cast, given }) => {
  const { itemId, offerId, amount } = await given.offer(buying(cast), 'accepted')
  return { body: { itemId, offerId, amount } }
}

const unsubscribing: Scene = ({ cast, world }) => ({
  query: {
    token: createUnsubscribeToken(
      { userId: cast.owner.id, kind: 'message' },
      world.services.secrets.sessionSecret,
    ),
  },
  reaches: true,
})

/** People without a past: the call is about whoever sends it, and takes nothing. */
const alone: Scene = () => ({})

/** Two who have written, offered, paid, disputed and been told of it: what a list of theirs could give away. */
const lived: Scene = async ({ cast, given }) => {
  const { owner, other } = cast
  const { itemId } = await given.offer(buying(cast))
  await given.message(itemId, other, owner)
  await given.notification(owner, other, itemId)
  await given.dispute(buying(cast))
  await given.payout(selling(cast), 'owed')
  return {}
}

/** The same, and the list is asked for what is the owner's. */
const livedAndNamed =
  (name: (ids: { itemId: number; intentId: string; owner: Person }) => Try['query']): Scene =>
  async (stage) => {
    const { cast, given } = stage
    await lived(stage)
    const { itemId, intentId } = await given.payment(buying(cast), 'held_in_escrow')
    await given.message(itemId, cast.other, cast.owner)
    return { query: name({ itemId, intentId, owner: cast.owner }) ?? {} }
  }

/** How each call is tried, where it takes more than two people who have dealings with each other. */
const scenes: Record<string, Scene> = {
  'GET /api/wanted-items/:id': onItem,
  'GET /api/users/:id': onPerson,
  'GET /api/users/:id/feedback': onPerson,
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
  'POST /api/auth/forgot-password': ({ cast }) => ({ body: { email: cast.owner.email }, reaches: true }),
  'POST /api/auth/reset-password': async ({ cast, given }) => ({
    body: { token: await given.token(cast.owner, 'reset_password'), newPassword: 'another one' },
    reaches: true,
  }),
  'POST /api/auth/verify-email': async ({ cast, given }) => ({
    body: { token: await given.token(cast.owner, 'verify_email') },
    reaches: true,
  }),
  'GET /api/mail/unsubscribe': unsubscribing,
  'POST /api/mail/unsubscribe': unsubscribing,

  'GET /api/messages': livedAndNamed(({ itemId, owner }) => ({ wantedItemId: itemId, userId: owner.id })),
  'GET /api/payments': livedAndNamed(({ itemId, intentId }) => ({
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
  'PUT /api/user/mail-settings': ({ cast }) => ({ body: { off: ['message'], userId: cast.owner.id } }),
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
  'POST /api/user/resend-verification': alone,
  'POST /api/user/cancel-email-change': alone,
  'POST /api/user/devices/sign-out-others': alone,
  'POST /api/seller/reset-stripe-connect': alone,
  'POST /api/user/delete-account': ({ cast }) => ({
    body: (sender) => ({ password: sender?.password ?? 'guess', userId: cast.owner.id }),
  }),
  'POST /api/seller/setup-stripe-connect': ({ cast }) => ({ body: { country: 'US', userId: cast.owner.id } }),
  'POST /api/seller/save-bank-account': ({ cast }) => ({
    body: {
      userId: cast.owner.id,
      account_holder_name: 'Somebody',
      country: 'US',
      routing_number: '110000000',
      account_number: '000123456789',
    },
  }),
  'PATCH /api/messages/mark-read': async ({ cast, given }) => {
    const { itemId } = await given.offer(buying(cast))
    await given.message(itemId, cast.other, cast.owner)
    return { body: { wantedItemId: itemId, senderId: cast.other.id, receiverId: cast.owner.id } }
  },
  'PATCH /api/notifications/mark-read': async ({ cast, given }) => {
    const itemId = await given.item(cast.owner)
    return { body: { id: await given.notification(cast.owner, cast.other, itemId), userId: cast.owner.id } }
  },
  'DELETE /api/user/devices/:id': ({ cast, given }) => ({ params: { id: given.deviceOf(cast.owner) } }),

  'POST /api/wanted-items': ({ cast }) => ({ body: { ...form, userId: cast.owner.id } }),
  'POST /api/wanted-items/image': async () => ({
    file: { field: 'image', name: 'lamp.png', bytes: await picture },
  }),
  'PUT /api/wanted-items/:id': onItem,
  'POST /api/wanted-items/:id/close': onItem,
  'POST /api/wanted-items/:id/reopen': async ({ cast, given }) => ({
    params: { id: await given.item(cast.owner, 'closed') },
  }),

  'POST /api/messages': async ({ cast, given }) => {
    const itemId = await given.item(cast.owner)
    await given.message(itemId, cast.other, cast.owner)
    return { body: { content: 'Hello', wantedItemId: itemId, receiverId: cast.other.id } }
  },
  'POST /api/offers': async ({ cast, given }) => ({
    body: { wantedItemId: await given.item(cast.owner), receiverId: cast.owner.id, amount: 5_000 },
    reaches: true,
  }),
  'PATCH /api/offers/:id/accept': onOffer,
  'PATCH /api/offers/:id/reject': onOffer,
  'POST /api/offers/:id/counter': onOffer,
  'PATCH /api/offers/:id/withdraw': async ({ cast, given }) => ({
    params: { id: (await given.offer(selling(cast))).offerId },
  }),

  'POST /api/create-payment-intent': startingPayment,
  'POST /api/create-escrow-payment': startingPayment,
  'GET /api/payments/:id': onPayment('held_in_escrow'),
  'GET /api/payment/:paymentId': onPayment('held_in_escrow'),
  'POST /api/payments/:id/confirm-delivery': onPayment('held_in_escrow'),
  'POST /api/manual-delivery-confirm/:id': onPayment('held_in_escrow'),
  'POST /api/payments/:id/dispute': onPayment('held_in_escrow', { reason: 'It is blue' }),
  'POST /api/payments/:id/submit-rating': onPayment('completed', { rating: 5 }),

  'POST /api/initiate-dispute': async ({ cast, given }) => ({
    body: {
      paymentId: (await given.payment(buying(cast), 'held_in_escrow')).paymentId,
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
  'POST /api/disputes/:paymentId/settlement/accept': async ({ cast, given, world }) => {
    const { paymentId } = await given.dispute(buying(cast))
    const proposal = `update payments set settlement_cents = 5000, settlement_by = 'seller', settlement_at = now()`
    await world.sql.query(`${proposal} where id = $1`, [paymentId])
    return { params: { paymentId }, body: { refundAmount: 5_000 } }
  },
  'POST /api/disputes/:paymentId/withdraw': onDispute(),

  'GET /api/admin/disputes/:id/details': onDesk(),
  'POST /api/admin/disputes/:id/resolve': onDesk({ action: 'split_difference', note: 'Half each' }),
  'POST /api/admin/disputes/:id/evidence': onDesk({ type: 'call', content: 'I rang' }),
  'POST /api/admin/payouts/:id/bank-details': onPayout('owed'),
  'POST /api/admin/payouts/:id/paid': onPayout('owed', { reference: 'wire 1' }),
  'POST /api/admin/payouts/:id/undo': onPayout('paid'),
}

/** The scene of a call, set anew. */
export async function setScene(name: string, stage: Stage): Promise<Try> {
  return (scenes[name] ?? lived)(stage)
}
