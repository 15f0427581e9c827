// @module-tag proof

import { expect, test } from 'vitest'
import type { CallFault, DeliveryFault, Faults } from './faults.ts'
import { createPaidIntent, getError, openWorld } from './testing/world.ts'

/** Faults that a test sets while it runs: for the next refund call, and for events by type. */
function settable() {
  const next: { refund?: CallFault | undefined; deliveries: Record<string, DeliveryFault> } = {
    deliveries: {},
  }
  const faults: Faults = {
    call({ method, path }) {
      if (method !== 'POST' || path !== '/v1/refunds') return undefined
      const fault = next.refund
      next.refund = undefined
      return fault
    },
    delivery: ({ type }) => next.deliveries[type],
  }
  return { next, faults }
}

test('a call that fails before taking effect changes nothing, and its idempotency key can be used again', async () => {
  const { next, faults } = settable()
  const { stripe } = await openWorld({ faults })
  const { charge } = await createPaidIntent(stripe)
  const refund = () => stripe.refunds.create({ charge, amount: 500 }, { idempotencyKey: 'refund-1' })
  const expected = [
    ['server_error', { statusCode: 500, type: 'StripeAPIError' }],
    ['rate_limit', { statusCode: 429, type: 'StripeRateLimitError', code: 'rate_limit' }],
    ['lock_timeout', { statusCode: 429, code: 'lock_timeout' }],
  ] as const
  for (const [answer, error] of expected) {
    next.refund = { when: 'before', answer }
    expect(await getError(refund())).toMatchObject(error)
    expect((await stripe.refunds.list({ charge })).data).toEqual([])
  }
  expect((await refund()).status).toBe('succeeded')
})

test('the SDK retries after a cut connection, and only one refund is made', async () => {
  const { next, faults } = settable()
  const { stripe } = await openWorld({ faults })
  const { charge } = await createPaidIntent(stripe)
  for (const when of ['before', 'after'] as const) {
    next.refund = { when, answer: 'cut' }
    const made = await stripe.refunds.create({ charge, amount: 500 })
    expect(made.lastResponse.headers['idempotent-replayed']).toBe(when === 'after' ? 'true' : undefined)
  }
  expect((await stripe.charges.retrieve(charge)).amount_refunded).toBe(1_000)
})

test('a 500 after the call took effect is replayed for the idempotency key, and the refund exists', async () => {
  const { next, faults } = settable()
  const { stripe } = await openWorld({ faults })
  const { charge } = await createPaidIntent(stripe)
  const refund = () => stripe.refunds.create({ charge, amount: 500 }, { idempotencyKey: 'refund-1' })
  next.refund = { when: 'after', answer: 'server_error' }
  expect((await getError(refund())).statusCode).toBe(500)
  const again = await getError(refund())
  expect(again).toMatchObject({ statusCode: 500, headers: { 'idempotent-replayed': 'true' } })
  expect((await stripe.refunds.list({ charge })).data).toMatchObject([{ amount: 500, status: 'succeeded' }])
})

test('after a 502 from a gateway, a retry with the idempotency key returns the real response', async () => {
  const { next, faults } = settable()
  const { stripe } = await openWorld({ faults })
  const { charge } = await createPaidIntent(stripe)
  const refund = () => stripe.refunds.create({ charge, amount: 500 }, { idempotencyKey: 'refund-1' })
  next.refund = { when: 'after', answer: 'bad_gateway' }
  expect((await getError(refund())).type).toBe('StripeAPIError')
  expect((await refund()).status).toBe('succeeded')
  expect((await stripe.charges.retrieve(charge)).amount_refunded).toBe(500)
})

test('a response can be delayed', async () => {
  const { next, faults } = settable()
  const { stripe } = await openWorld({ faults })
  const { charge } = await createPaidIntent(stripe)
  next.refund = { when: 'after', answer: { delayMs: 3_000 } }
  const late = await getError(stripe.refunds.create({ charge, amount: 500 }, { timeout: 500 }))
  expect(late.type).toBe('StripeConnectionError')
  await expect.poll(async () => (await stripe.charges.retrieve(charge)).amount_refunded).toBe(500)
})

test('deliveries can be held, dropped, duplicated and reordered', async () => {
  const { next, faults } = settable()
  const world = await openWorld({ faults })
  const { stripe, webhook, sandbox } = world
  next.deliveries = {
    'payment_intent.created': { mode: 'hold' },
    'charge.succeeded': { mode: 'drop' },
    'payment_intent.succeeded': { copies: 3 },
  }
  await createPaidIntent(stripe)
  await webhook.until((received) => received.length === 3)
  await expect.poll(() => sandbox.waiting()).toEqual({ pending: 0, held: 1 })
  expect(webhook.types()).toEqual(Array(3).fill('payment_intent.succeeded'))
  expect(new Set(webhook.received.map(({ event }) => event.id)).size).toBe(1)

  expect(await sandbox.releaseHeld()).toBe(1)
  await webhook.until((received) => received.length === 4)
  expect(webhook.types().at(-1)).toBe('payment_intent.created')

  webhook.received.length = 0
  next.deliveries = { 'payment_intent.created': { delayMs: 60_000 } }
  await createPaidIntent(stripe)
  await webhook.until((received) => received.length === 2)
  await expect.poll(() => sandbox.waiting()).toEqual({ pending: 1, held: 0 })
  world.advanceClock(61_000)
  await webhook.until((received) => received.length === 3)
  expect(webhook.types().at(-1)).toBe('payment_intent.created')
})
