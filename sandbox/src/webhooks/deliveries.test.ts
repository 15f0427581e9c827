// @module-tag proof

import Stripe from 'stripe'
import { expect, test } from 'vitest'
import {
  createClient,
  createOnboardedAccount,
  createPaidIntent,
  getError,
  openWorld,
  type Receiver,
  stopOnce,
  WEBHOOK_SECRET,
} from '../testing/world.ts'

const idsOf = (webhook: Receiver) => webhook.received.map(({ event }) => event.id)

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('every event is delivered with a signature', async () => {
  const world = await openWorld()
  const { stripe, webhook } = world
  const { intent, charge } = await createPaidIntent(stripe)
  await stripe.refunds.create({ charge, amount: 500 })
  const destination = await createOnboardedAccount(world)
  await stripe.transfers.create({ amount: 1_000, currency: 'usd', destination, source_transaction: charge })
  await webhook.until((received) => received.length === 10)
  expect(webhook.types().toSorted()).toEqual([
    'account.external_account.created',
    'account.updated',
    'capability.updated',
    'capability.updated',
    'charge.refunded',
    'charge.succeeded',
    'payment_intent.created',
    'payment_intent.succeeded',
    'refund.created',
    'transfer.created',
  ])

  const succeeded = webhook.received.find(({ event }) => event.type === 'payment_intent.succeeded')
  expect(succeeded?.event).toMatchObject({
    object: 'event',
    api_version: '2026-10-28.endive',
    livemode: false,
    data: { object: { id: intent.id, object: 'payment_intent', status: 'succeeded', amount: 12_000 } },
  })
  expect(succeeded?.event.request?.id).toMatch(/^req_/)
  const updated = webhook.received.find(({ event }) => event.type === 'account.updated')
  expect(updated?.event.account).toBe(destination)

  const { body = '', signature = '' } = succeeded ?? {}
  expect(Stripe.webhooks.constructEvent(body, signature, WEBHOOK_SECRET)).toMatchObject({ object: 'event' })
  expect(() => Stripe.webhooks.constructEvent(body, signature, 'whsec_another')).toThrow()
  expect(() =>
    Stripe.webhooks.constructEvent(body.replace('12000', '99999'), signature, WEBHOOK_SECRET),
  ).toThrow()
})

test('a retrieved event equals the delivered one', async () => {
  const { stripe, webhook, sandbox } = await openWorld()
  await createPaidIntent(stripe)
  await webhook.until((received) => received.length === 3)
  const [first] = webhook.received
  expect(await stripe.events.retrieve(String(first?.event.id))).toMatchObject({
    id: first?.event.id,
    type: first?.event.type,
    data: first?.event.data,
  })
  const listed = await stripe.events.list({ types: ['charge.succeeded', 'payment_intent.succeeded'] })
  expect(listed.data.map(({ type }) => type)).toEqual(['payment_intent.succeeded', 'charge.succeeded'])
  expect((await getError(stripe.events.retrieve('evt_nothing'))).code).toBe('resource_missing')
  await expect.poll(() => sandbox.waiting()).toEqual({ pending: 0, held: 0 })
  expect((await stripe.events.list()).data.map(({ pending_webhooks }) => pending_webhooks)).toEqual([0, 0, 0])
})

test('a failing webhook is retried with exponential backoff for three days', async () => {
  const world = await openWorld()
  const { webhook } = world
  webhook.answers.status = 500
  await world.stripe.paymentIntents.create({ amount: 5_000, currency: 'usd' })
  await webhook.until((received) => received.length === 1)
  const next = async () => {
    const [row] = await world.query<{ tries: number; ms: number; state: string }>(
      `select tries, state, (extract(epoch from due_at - tried_at) * 1000)::int as ms from sandbox.deliveries`,
    )
    return row
  }
  await expect.poll(next).toMatchObject({ tries: 1, ms: 1_000, state: 'pending' })
  for (const [tries, ms] of [
    [2, 2_000],
    [3, 4_000],
    [4, 8_000],
  ] as const) {
    world.advanceClock(ms / 2)
    await webhook.until((received) => received.length === tries)
    await expect.poll(next).toMatchObject({ tries, ms, state: 'pending' })
  }
  expect(new Set(idsOf(webhook)).size).toBe(1)
  expect(new Set(webhook.received.map(({ signature }) => signature)).size).toBe(4)

  world.advanceClock(4 * 86_400_000)
  await webhook.until((received) => received.length === 5)
  await expect.poll(next).toMatchObject({ tries: 5, state: 'failed' })
})

test('a delivery is retried if the webhook closes the connection', async () => {
  const world = await openWorld()
  const { webhook, sandbox } = world
  webhook.answers.status = null
  await world.stripe.paymentIntents.create({ amount: 5_000, currency: 'usd' })
  const tries = () => world.query('select tries, answer_status as status from sandbox.deliveries')
  await expect.poll(tries).toEqual([{ tries: 1, status: null }])
  webhook.answers.status = 200
  world.advanceClock(1_000)
  await webhook.until((received) => received.length === 2)
  await expect.poll(() => sandbox.waiting()).toEqual({ pending: 0, held: 0 })
})

test('deliveries that are pending when the sandbox stops are sent after the next start', async () => {
  const world = await openWorld({ webhook: { url: 'http://127.0.0.1:9', secret: WEBHOOK_SECRET } })
  const { intent } = await createPaidIntent(world.stripe)
  await stopOnce(world.sandbox)
  expect(world.webhook.received).toEqual([])
  world.advanceClock(10_000)
  const next = await world.startAnother({ webhook: { url: world.webhook.url, secret: WEBHOOK_SECRET } })
  await world.webhook.until((received) => received.length === 3)
  expect((await createClient(next).paymentIntents.retrieve(intent.id)).status).toBe('succeeded')
})

test('two sandboxes on one database deliver each event once', async () => {
  const world = await openWorld()
  const other = createClient(await world.startAnother())
  const third = createClient(await world.startAnother())
  await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      [world.stripe, other, third][at % 3]?.paymentIntents.create({ amount: 1_000 + at, currency: 'usd' }),
    ),
  )
  await world.webhook.until((received) => received.length >= 60)
  await expect.poll(() => world.sandbox.waiting()).toEqual({ pending: 0, held: 0 })
  await pause(700)
  const ids = idsOf(world.webhook)
  expect(ids).toHaveLength(60)
  expect(new Set(ids).size).toBe(60)
})

test('each process delivers to the webhook in its own options; a process without one delivers nothing', async () => {
  const world = await openWorld()
  const gone = { url: 'http://127.0.0.1:1/webhook', secret: WEBHOOK_SECRET }
  await stopOnce(await world.startAnother({ webhook: gone }))
  const withoutServer = await world.startAnother({ webhook: null })
  await createPaidIntent(createClient(withoutServer))
  await world.webhook.until((received) => received.length === 3)
})

test('several processes can start at once on an empty database', async () => {
  const world = await openWorld()
  await stopOnce(world.sandbox)
  await world.query('drop schema sandbox cascade')
  const started = await Promise.all([world.startAnother(), world.startAnother(), world.startAnother()])
  for (const sandbox of started) await createPaidIntent(createClient(sandbox))
  const steps = await world.query('select step from sandbox.steps')
  expect(steps).toEqual([{ step: 0 }, { step: 1 }, { step: 2 }, { step: 3 }])
})

test('without an endpoint, events are stored but not delivered', async () => {
  const world = await openWorld({ webhook: null })
  await createPaidIntent(world.stripe)
  expect((await world.stripe.events.list()).data).toHaveLength(3)
  await world.startAnother({ webhook: { url: world.webhook.url, secret: WEBHOOK_SECRET } })
  const { id } = await world.stripe.paymentIntents.create({ amount: 5_000, currency: 'usd' })
  await world.webhook.until((received) => received.length === 1)
  expect(world.webhook.received[0]?.event.data.object).toMatchObject({ id })
})

test('events of connected accounts are listed for their account only', async () => {
  const world = await openWorld()
  const account = await createOnboardedAccount(world)
  const { stripe } = world
  expect((await stripe.events.list({ type: 'account.updated' })).data).toEqual([])
  const theirs = (await stripe.events.list({}, { stripeAccount: account })).data
  expect(theirs.map((event) => [event.type, event.account])).toContainEqual(['account.updated', account])
  const [{ id } = { id: '' }] = theirs
  expect((await getError(stripe.events.retrieve(id))).statusCode).toBe(404)
  expect((await stripe.events.retrieve(id, {}, { stripeAccount: account })).id).toBe(id)
  await stripe.accounts.del(account)
  const refused = await getError(stripe.events.list({}, { stripeAccount: account }))
  expect(refused).toMatchObject({ statusCode: 403, code: 'account_invalid' })
})
