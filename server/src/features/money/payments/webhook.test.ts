import { createHmac, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Intent } from '../../../providers/stripe/card-provider.ts'
import { waitUntilBlocked } from '../../../testing/blocked-statements.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, openMoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import { holdIfPaid, syncCharge } from './sync-payment.ts'

/** A world whose provider sends no events. */
const openWithoutEvents = shareMoneyWorld({ webhook: 'lost' })

const succeeded = (intentId: string, id = `evt_${randomUUID()}`) =>
  JSON.stringify({
    id,
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object: { id: intentId, object: 'payment_intent', amount: 1, status: 'succeeded' } },
  })

function signature(
  world: MoneyWorld,
  body: string,
  { secret, ageSeconds = 0 }: { secret?: string; ageSeconds?: number } = {},
) {
  const time = Math.floor(world.services.clock().getTime() / 1000) - ageSeconds
  const key = secret ?? world.services.sandbox?.webhookSecret ?? ''
  return `t=${time},v1=${createHmac('sha256', key).update(`${time}.${body}`).digest('hex')}`
}

const deliver = (world: MoneyWorld, body: string, header?: string) =>
  world.app.inject({
    method: 'POST',
    url: '/api/stripe/webhook',
    body,
    headers: { 'content-type': 'application/json', ...(header && { 'stripe-signature': header }) },
  })

const eventsAbout = async ({ sql }: MoneyWorld, objectId: string) =>
  (await sql.query('select status from webhook_events where object_id = $1', [objectId])).rows

async function payWithoutWebhook(world: MoneyWorld) {
  const { clientSecret, paymentId } = await world.start(await world.agree())
  await world.enterCard(clientSecret)
  const intentId = clientSecret.split('_secret_')[0] ?? ''
  return { paymentId, intentId }
}

test('unsigned, forged, stale and altered events are refused', async () => {
  const world = await openWithoutEvents()
  const { paymentId, intentId } = await payWithoutWebhook(world)
  const body = succeeded(intentId)
  const bad = [
    undefined,
    'nonsense',
    't=1,v1=',
    signature(world, body, { secret: 'whsec_of_somebody_else' }),
    signature(world, body, { ageSeconds: 301 }),
    signature(world, `${body} `),
  ]
  for (const header of bad) {
    const reply = await deliver(world, body, header)
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'bad_signature'])
  }
  expect(await world.statusOf(paymentId)).toBe('pending')
  expect(await eventsAbout(world, intentId)).toEqual([])

  const good = await deliver(world, body, signature(world, body, { ageSeconds: 290 }))
  expect(good.statusCode).toBe(200)
  expect(await world.statusOf(paymentId)).toBe('held_in_escrow')
})

test('a signed body that is no event is refused', async () => {
  const world = await openWithoutEvents()
  const event = JSON.parse(succeeded('pi_unknown'))
  const bodies = [
    ...['{', 'null', '[]', '"event"', '{}'],
    JSON.stringify({ ...event, id: undefined }),
    JSON.stringify({ ...event, id: 'evt_\u0000' }),
    JSON.stringify({ ...event, type: 7 }),
    JSON.stringify({ ...event, data: undefined }),
    JSON.stringify({ ...event, data: { object: null } }),
    JSON.stringify({ ...event, data: { object: { id: 'pi\u0000' } } }),
  ]
  for (const body of bodies) {
    const reply = await deliver(world, body, signature(world, body))
    expect([reply.statusCode, reply.json().code], body).toEqual([400, 'malformed'])
  }
})

test('an event is valid if any of the configured secrets signed it', async () => {
  const STRIPE_WEBHOOK_SECRET = 'whsec_of_the_platform, whsec_of_connect'
  const world = await openMoneyWorld({ webhook: 'lost', env: { STRIPE_WEBHOOK_SECRET } })
  const answers = async (secret: string) => {
    const body = succeeded('pi_unknown')
    return (await deliver(world, body, signature(world, body, { secret }))).statusCode
  }
  expect(await answers('whsec_of_the_platform')).toBe(200)
  expect(await answers('whsec_of_connect')).toBe(200)
  expect(await answers('whsec_of_the_platform, whsec_of_connect')).toBe(400)
  expect(await answers('')).toBe(400)
})

test('amount and status are read from the provider, not from the event', async () => {
  const world = await openWithoutEvents()
  const { clientSecret, paymentId } = await world.start(await world.agree())
  const body = succeeded(clientSecret.split('_secret_')[0] ?? '')
  expect((await deliver(world, body, signature(world, body))).statusCode).toBe(200)
  expect(await world.statusOf(paymentId)).toBe('pending')
  expect(await world.balanceOf(`escrow:${paymentId}`)).toBe(0)
})

test('three concurrent copies of an event and one later copy hold the money once', async () => {
  const world = await openWithoutEvents()
  const { paymentId, intentId } = await payWithoutWebhook(world)
  const body = succeeded(intentId)
  const header = signature(world, body)
  const replies = await Promise.all([1, 2, 3].map(() => deliver(world, body, header)))
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
  expect((await deliver(world, body, header)).statusCode).toBe(200)
  expect(await world.balanceOf(`escrow:${paymentId}`)).toBe(12_000)
  expect(await eventsAbout(world, intentId)).toEqual([{ status: 'handled' }])
})

test('a webhook and a concurrent confirmation by the buyer hold the money once', {
  tags: ['proof'],
}, async () => {
  const world = await openWithoutEvents()
  for (let round = 0; round < 10; round++) {
    const { paymentId, intentId } = await payWithoutWebhook(world)
    const body = succeeded(intentId)
    const [, manual] = await Promise.all([
      deliver(world, body, signature(world, body)),
      world.ada.call(`POST /api/manual-delivery-confirm/${paymentId}`),
      world.runJobs('sync-pending-payments'),
    ])
    expect(manual.statusCode).toBe(200)
    expect(await world.statusOf(paymentId)).toBe('completed')
  }
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(112_620)
  await world.expectBooksRight()
})

test('a second hold of the same payment waits for the first and changes nothing', async () => {
  const world = await openWithoutEvents()
  const { cards, database } = world.services
  const { paymentId, intentId } = await payWithoutWebhook(world)
  const intent = await cards?.readIntent(intentId)
  if (!intent) throw new Error('the provider knows what was paid')
  const hold = () => database.transact((tx) => holdIfPaid(tx, intent, world.services))
  const { second } = await database.transact(async (tx) => {
    expect(await holdIfPaid(tx, intent, world.services)).toBe('held')
    const second = hold()
    await waitUntilBlocked(world.sql)
    return { second }
  })
  expect(await second).toBe('unchanged')
  expect(await world.balanceOf(`escrow:${paymentId}`)).toBe(12_000)
})

test('an uncharged card does not hold the payment', async () => {
  const world = await openWithoutEvents()
  const { cards, database } = world.services
  const { paymentId, intentId } = await payWithoutWebhook(world)
  const intent = await cards?.readIntent(intentId)
  if (!intent) throw new Error('the provider knows what was paid')
  const charged: Intent = { ...intent, status: 'processing' }
  expect(await database.transact((tx) => holdIfPaid(tx, charged, world.services))).toBe('unchanged')
  expect(await world.statusOf(paymentId)).toBe('pending')
  expect(await world.balanceOf(`escrow:${paymentId}`)).toBe(0)
})

test('a chargeback event that is processed twice adds one timeline entry', { tags: ['proof'] }, async () => {
  const world = await openMoneyWorld()
  const { services, sql } = world
  const { paymentId } = await world.payIntoEscrow()
  const { rows } = await sql.query('select stripe_payment_intent_id as id from payments')
  await world.press(`/sandbox/payments/${rows[0].id}/dispute`)
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('disputed'))
  const handled = `select id, type, object_id as "objectId" from webhook_events
                   where type = 'charge.dispute.created' and status = 'handled'`
  await eventually(async () => expect((await sql.query(handled)).rowCount).toBe(1))
  if (!services.cards) throw new Error('this world has a provider')
  await syncCharge(services, services.cards, rows[0].id)
  expect((await sql.query("select from dispute_timeline where action = 'chargeback'")).rowCount).toBe(1)
})

test('an event that arrives before its payment exists is parked and handled later', async () => {
  const world = await openWithoutEvents()
  const { paymentId, intentId } = await payWithoutWebhook(world)
  await world.sql.query('update payments set stripe_payment_intent_id = null where id = $1', [paymentId])
  const body = succeeded(intentId)
  expect((await deliver(world, body, signature(world, body))).statusCode).toBe(200)
  expect(await eventsAbout(world, intentId)).toEqual([{ status: 'parked' }])
  await world.runJobs('retry-parked-events')
  expect(await world.statusOf(paymentId)).toBe('pending')

  await world.sql.query('update payments set stripe_payment_intent_id = $1 where id = $2', [
    intentId,
    paymentId,
  ])
  await world.runJobs('retry-parked-events')
  expect(await world.statusOf(paymentId)).toBe('held_in_escrow')
  expect(await eventsAbout(world, intentId)).toEqual([{ status: 'handled' }])
})

test('events about unknown objects or of unknown types are accepted and change nothing', async () => {
  const world = await openWithoutEvents()
  const strange = [
    succeeded('pi_that_nobody_made'),
    JSON.stringify({ id: 'evt_1', object: 'event', type: 'invoice.paid', data: { object: { id: 'in_1' } } }),
    JSON.stringify({ id: 'evt_2', object: 'event', type: 'balance.available', data: { object: {} } }),
  ]
  for (const body of strange)
    expect((await deliver(world, body, signature(world, body))).statusCode).toBe(200)
  const { rows } = await world.sql.query(
    'select type, status from webhook_events where id = any($1) order by type',
    [strange.map((body) => JSON.parse(body).id)],
  )
  expect(rows).toEqual([
    { type: 'balance.available', status: 'handled' },
    { type: 'invoice.paid', status: 'handled' },
    { type: 'payment_intent.succeeded', status: 'parked' },
  ])
})

test('events about objects of another database on the same account are ignored', async () => {
  const world = await openMoneyWorld()
  const forged = JSON.stringify({
    id: 'evt_foreign',
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object: { id: 'pi_1', object: 'payment_intent', metadata: { installation: 'another' } } },
  })
  expect((await deliver(world, forged, signature(world, forged))).statusCode).toBe(200)
  expect((await world.sql.query('select from webhook_events')).rowCount).toBe(0)

  const foreign = await world.stripe<{ id: string; client_secret: string }>('POST', '/v1/payment_intents', {
    amount: '12000',
    currency: 'usd',
    'automatic_payment_methods[enabled]': 'true',
    'metadata[installation]': 'another',
    'metadata[paymentId]': '1',
  })
  await world.enterCard(foreign.client_secret)
  await world.press(`/sandbox/payments/${foreign.id}/dispute`)
  await eventually(async () => {
    const { rows } = await world.sql.query('select type, status from webhook_events order by type')
    // A dispute does not name its database, but its payment does.
    expect(rows).toEqual([
      { type: 'charge.dispute.created', status: 'handled' },
      { type: 'charge.dispute.funds_withdrawn', status: 'handled' },
    ])
  })
  await world.expectBooksRight()
})

test('an event is parked while the provider is unreachable, and handled later', async () => {
  let down = false
  const world = await openMoneyWorld({
    webhook: 'lost',
    faults: { call: () => (down ? { when: 'before', answer: 'server_error' } : undefined) },
  })
  const { paymentId, intentId } = await payWithoutWebhook(world)
  down = true
  const body = succeeded(intentId)
  expect((await deliver(world, body, signature(world, body))).statusCode).toBe(200)
  expect(await world.statusOf(paymentId)).toBe('pending')
  down = false
  await world.runJobs('retry-parked-events')
  expect(await world.statusOf(paymentId)).toBe('held_in_escrow')
})

test('duplicate, reordered and late events hold each payment once', { tags: ['proof'] }, async () => {
  const world = await openMoneyWorld({
    faults: {
      delivery: ({ type }) => ({ copies: 5, delayMs: type.startsWith('payment_intent.created') ? 400 : 0 }),
    },
  })
  const { paymentId } = await world.payIntoEscrow()
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect(await world.balanceOf(`escrow:${paymentId}`)).toBe(12_000)
  await world.expectBooksRight()
})

test('a chargeback stops the release, and a lost one refunds the buyer in full', async () => {
  const world = await openMoneyWorld()
  const { clientSecret, paymentId } = await world.start(await world.agree())
  await world.enterCard(clientSecret, '4000000000000259')
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('disputed'))
  const payment = (await world.ada.call(`GET /api/payments/${paymentId}`)).json()
  expect(payment.disputeReason).toMatch(/^Chargeback by the buyer's bank: /)
  // The timeline entry is written in a second transaction.
  await eventually(async () => {
    const { rows } = await world.sql.query(
      'select action, actor from dispute_timeline where dispute_id = $1',
      [paymentId],
    )
    expect(rows).toEqual([{ action: 'chargeback', actor: 'provider' }])
  })
  // After the end of the hold and before the bank's deadline.
  world.advanceClock(10 * 86_400_000)
  await world.runJobs('release-due')
  expect(await world.statusOf(paymentId)).toBe('disputed')
  expect(await world.balanceOf(`escrow:${paymentId}`)).toBe(12_000)

  const disputes = await world.stripe<{ data: { id: string }[] }>('GET', '/v1/disputes')
  await world.press(`/sandbox/disputes/${disputes.data[0]?.id}/lost`)
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('resolved_buyer'))
  await world.runJobs('retry-refunds')
  expect(await world.balanceOf(`escrow:${paymentId}`)).toBe(0)
  expect(await world.balanceOf(`buyer:${world.ada.id}`)).toBe(0)
  // The provider keeps its fees for the charge and for the dispute.
  expect(await world.balanceOf('fees:provider')).toBe(-378 - 1_500)
  expect(await world.balanceOf('provider')).toBe(378 + 1_500)
  expect(await world.balanceOf('losses:chargebacks')).toBe(0)
  await world.expectBooksRight()
})
