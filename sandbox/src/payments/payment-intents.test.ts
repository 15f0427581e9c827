// @module-tag proof

import { expect, test } from 'vitest'
import {
  confirmInBrowser,
  createClient,
  createPaidIntent,
  getError,
  openWorld,
  PUBLISHABLE_KEY,
  type World,
} from '../testing/world.ts'

const browserCall = (
  { sandbox }: World,
  path: string,
  options: RequestInit & { key?: string } = {},
): Promise<Response> =>
  fetch(sandbox.url + path, {
    ...options,
    headers: { authorization: `Bearer ${options.key ?? PUBLISHABLE_KEY}`, ...options.headers },
  })

test('the SDK can create, confirm and retrieve a payment', async () => {
  const { stripe } = await openWorld()
  const customer = await stripe.customers.create({ email: 'ada@example.com', metadata: { user: 'u1' } })
  const intent = await stripe.paymentIntents.create({
    amount: 12_000,
    currency: 'usd',
    customer: customer.id,
    automatic_payment_methods: { enabled: true },
    metadata: { payment: '17', offer: '3' },
    transfer_group: 'payment_17',
  })
  expect(intent).toMatchObject({
    object: 'payment_intent',
    amount: 12_000,
    amount_received: 0,
    currency: 'usd',
    customer: customer.id,
    livemode: false,
    metadata: { payment: '17', offer: '3' },
    status: 'requires_payment_method',
    transfer_group: 'payment_17',
    latest_charge: null,
  })
  expect(intent.id).toMatch(/^pi_\w{24}$/)
  expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_\\w{25}$`))
  expect(intent.lastResponse.requestId).toMatch(/^req_/)
  expect(intent.lastResponse.apiVersion).toBe('2026-10-28.endive')

  const done = await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })
  expect(done).toMatchObject({ status: 'succeeded', amount_received: 12_000, next_action: null })
  const charge = await stripe.charges.retrieve(String(done.latest_charge))
  expect(charge).toMatchObject({
    amount: 12_000,
    captured: true,
    metadata: { payment: '17', offer: '3' },
    paid: true,
    payment_intent: intent.id,
    payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242' } },
    status: 'succeeded',
    transfer_group: 'payment_17',
  })
  expect((await stripe.customers.retrieve(customer.id)).id).toBe(customer.id)
})

test('concurrent confirmations charge the card once', async () => {
  const world = await openWorld()
  const intent = await world.stripe.paymentIntents.create({ amount: 12_000, currency: 'usd' })
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => confirmInBrowser(world, intent, '4242424242424242')),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400, 400, 400, 400])
  const invalidState = answers.find(({ status }) => status === 400)
  expect(invalidState?.body.error).toMatchObject({
    code: 'payment_intent_unexpected_state',
    payment_intent: { id: intent.id, status: 'succeeded' },
  })
  expect((await world.stripe.charges.list({ payment_intent: intent.id })).data).toHaveLength(1)
  expect((await world.stripe.balance.retrieve()).pending).toMatchObject([{ amount: 11_622 }])
})

test('a canceled payment cannot be paid, and a paid one cannot be canceled', async () => {
  const world = await openWorld()
  const intent = await world.stripe.paymentIntents.create({ amount: 12_000, currency: 'usd' })
  const canceled = await world.stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'abandoned' })
  expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' })
  expect((await confirmInBrowser(world, intent, '4242424242424242')).body.error?.code).toBe(
    'payment_intent_unexpected_state',
  )
  const { intent: done } = await createPaidIntent(world.stripe)
  const invalidState = await getError(world.stripe.paymentIntents.cancel(done.id))
  expect(invalidState).toMatchObject({ code: 'payment_intent_unexpected_state', statusCode: 400 })
  expect(invalidState.payment_intent?.status).toBe('succeeded')
  await world.webhook.until(() => world.webhook.types().includes('payment_intent.canceled'))
})

test('a publishable key can only retrieve and confirm a payment, with its client secret', async () => {
  const world = await openWorld()
  const intent = await world.stripe.paymentIntents.create({
    amount: 12_000,
    currency: 'usd',
    metadata: { private: 'yes' },
  })
  const path = `/v1/payment_intents/${intent.id}`
  const shown = await browserCall(world, `${path}?client_secret=${intent.client_secret}`)
  expect(shown.status).toBe(200)
  const body = (await shown.json()) as object
  expect(body).toMatchObject({ id: intent.id, amount: 12_000, status: 'requires_payment_method' })
  expect(Object.keys(body)).not.toContain('metadata')
  expect(Object.keys(body)).not.toContain('latest_charge')

  const parameter = await fetch(
    `${world.sandbox.url}${path}?client_secret=${intent.client_secret}&key=${PUBLISHABLE_KEY}`,
  )
  expect(parameter.status).toBe(200)

  const secretless = await browserCall(world, path)
  expect(secretless.status).toBe(401)
  expect((await browserCall(world, `${path}?client_secret=${intent.id}_secret_guess`)).status).toBe(400)
  const browser = createClient(world.sandbox, PUBLISHABLE_KEY)
  for (const call of [
    browser.paymentIntents.list(),
    browser.paymentIntents.cancel(intent.id),
    browser.refunds.create({ payment_intent: intent.id }),
    browser.customers.create({}),
    browser.events.list(),
  ]) {
    expect(await getError(call)).toMatchObject({ statusCode: 401, code: 'secret_key_required' })
  }
})

test('calls with a wrong key or without a key are refused', async () => {
  const world = await openWorld()
  const wrong = await getError(createClient(world.sandbox, 'sk_test_wrong0000000000000').balance.retrieve())
  expect(wrong).toMatchObject({ statusCode: 401, type: 'StripeAuthenticationError' })
  expect(wrong.message).toBe('Invalid API Key provided: sk_test_****0000')
  const none = await fetch(`${world.sandbox.url}/v1/balance`)
  expect(none.status).toBe(401)
  const basic = await fetch(`${world.sandbox.url}/v1/balance`, {
    headers: { authorization: `Basic ${Buffer.from('sk_test_sandbox0secret0key:').toString('base64')}` },
  })
  expect(basic.status).toBe(200)
})

test('CORS allows browsers to call payment routes only', async () => {
  const world = await openWorld()
  const intent = await world.stripe.paymentIntents.create({ amount: 12_000, currency: 'usd' })
  const asked = await fetch(`${world.sandbox.url}/v1/payment_intents/${intent.id}/confirm`, {
    method: 'OPTIONS',
    headers: {
      origin: 'http://shop.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    },
  })
  expect(asked.status).toBe(200)
  expect(asked.headers.get('access-control-allow-origin')).toBe('*')
  expect(asked.headers.get('access-control-allow-methods')).toContain('POST')
  expect(asked.headers.get('access-control-allow-headers')).toContain('Authorization')
  const confirmed = await confirmInBrowser(world, intent, '4000000000000002')
  expect(confirmed.headers.get('access-control-allow-origin')).toBe('*')
  const refunds = await fetch(`${world.sandbox.url}/v1/refunds`, { method: 'OPTIONS' })
  expect(refunds.headers.get('access-control-allow-origin')).toBeNull()
})

test('lists are newest first, paginated and filtered by time', async () => {
  const world = await openWorld()
  const { stripe } = world
  const ids: string[] = []
  for (let at = 0; at < 5; at++) {
    ids.unshift((await stripe.paymentIntents.create({ amount: 1_000 + at, currency: 'usd' })).id)
  }
  const first = await stripe.paymentIntents.list({ limit: 2 })
  expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  expect(first.has_more).toBe(true)
  const next = await stripe.paymentIntents.list({ limit: 3, starting_after: String(ids[1]) })
  expect(next.data.map(({ id }) => id)).toEqual(ids.slice(2))
  expect(next.has_more).toBe(false)
  const before = await stripe.paymentIntents.list({ limit: 2, ending_before: String(ids[4]) })
  expect(before.data.map(({ id }) => id)).toEqual(ids.slice(2, 4))
  const walked: string[] = []
  for await (const { id } of stripe.paymentIntents.list({ limit: 2 })) walked.push(id)
  expect(walked).toEqual(ids)

  world.advanceClock(3_600_000)
  const late = await stripe.paymentIntents.create({ amount: 9_000, currency: 'usd' })
  const since = await stripe.paymentIntents.list({ created: { gte: late.created } })
  expect(since.data.map(({ id }) => id)).toEqual([late.id])
  const until = await stripe.paymentIntents.list({ created: { lt: late.created } })
  expect(until.data.map(({ id }) => id)).toEqual(ids)
})

test('expand returns whole objects', async () => {
  const { stripe } = await openWorld()
  const { intent } = await createPaidIntent(stripe)
  const one = await stripe.paymentIntents.retrieve(intent.id, {
    expand: ['latest_charge.balance_transaction', 'payment_method'],
  })
  expect(one.latest_charge).toMatchObject({
    object: 'charge',
    balance_transaction: { net: 11_622, fee: 378 },
  })
  expect(one.payment_method).toMatchObject({ object: 'payment_method', card: { last4: '4242' } })
  const many = await stripe.paymentIntents.list({ expand: ['data.latest_charge'] })
  expect(many.data[0]?.latest_charge).toMatchObject({ object: 'charge', amount: 12_000 })
  expect(await getError(stripe.paymentIntents.retrieve(intent.id, { expand: ['nonsense'] }))).toMatchObject({
    statusCode: 400,
    param: 'expand',
  })
})

test('metadata keys can be added and removed', async () => {
  const { stripe } = await openWorld()
  const { id } = await stripe.paymentIntents.create({
    amount: 900,
    currency: 'usd',
    metadata: { a: '1', 7: 'x' },
  })
  const changed = await stripe.paymentIntents.update(id, { metadata: { a: '', b: '2' }, amount: 950 })
  expect(changed).toMatchObject({ amount: 950, metadata: { 7: 'x', b: '2' } })
  expect(changed.metadata).not.toHaveProperty('a')
  expect((await stripe.paymentIntents.update(id, { metadata: '' })).metadata).toEqual({})
})
