// @module-tag proof

import Stripe from 'stripe'
import { expect, test } from 'vitest'
import {
  createOnboardedAccount,
  createPaidIntent,
  getError,
  openReceiver,
  openWorld,
} from '../testing/world.ts'

test('events of connected accounts go to Connect endpoints only, each signed with its own secret', async () => {
  const world = await openWorld({ webhook: null })
  const { stripe } = world
  const [platform, connect] = [await openReceiver(null), await openReceiver(null)]
  const create = (url: string, params: object = {}) =>
    stripe.webhookEndpoints.create({ url, enabled_events: ['*'], ...params })
  const own = await create(platform.url)
  const theirs = await create(connect.url, { connect: true })
  expect(own).toMatchObject({
    object: 'webhook_endpoint',
    enabled_events: ['*'],
    secret: expect.stringMatching(/^whsec_/),
    status: 'enabled',
    url: platform.url,
  })
  expect(own.secret).not.toBe(theirs.secret)
  expect([own.application, theirs.application]).toEqual([null, expect.stringMatching(/^ca_/)])

  await createOnboardedAccount(world)
  await stripe.paymentIntents.create({ amount: 5_000, currency: 'usd' })
  await platform.until((received) => received.length === 1)
  await connect.until(() => connect.types().includes('account.updated'))
  expect(platform.types()).toEqual(['payment_intent.created'])
  expect(new Set(connect.types())).toEqual(
    new Set(['account.external_account.created', 'capability.updated', 'account.updated']),
  )
  for (const [{ received }, secret] of [
    [platform, own.secret],
    [connect, theirs.secret],
  ] as const) {
    const { body = '', signature = '' } = received[0] ?? {}
    expect(Stripe.webhooks.constructEvent(body, signature, String(secret), 0)).toBeDefined()
  }
})

test('an endpoint receives only the events that it subscribed to', async () => {
  const world = await openWorld({ webhook: null })
  const receiver = await openReceiver(null)
  const { id } = await world.stripe.webhookEndpoints.create({
    url: receiver.url,
    enabled_events: ['charge.succeeded'],
  })
  await createPaidIntent(world.stripe)
  await receiver.until((received) => received.length === 1)
  await world.stripe.webhookEndpoints.update(id, { enabled_events: ['payment_intent.succeeded'] })
  await createPaidIntent(world.stripe)
  await receiver.until((received) => received.length === 2)
  expect(receiver.types()).toEqual(['charge.succeeded', 'payment_intent.succeeded'])
  await world.stripe.webhookEndpoints.update(id, { disabled: true })
  await createPaidIntent(world.stripe)
  expect(await world.sandbox.waiting()).toEqual({ pending: 0, held: 0 })
})

test('endpoints can be listed and deleted, and their secret is never shown again', async () => {
  const { stripe, webhook } = await openWorld()
  const { data } = await stripe.webhookEndpoints.list()
  // The endpoints from the options: one for the platform, one for connected accounts.
  expect(data.map(({ url, secret }) => ({ url, secret }))).toEqual([
    { url: webhook.url, secret: undefined },
    { url: webhook.url, secret: undefined },
  ])
  const { id } = await stripe.webhookEndpoints.create({
    url: 'https://example.com/webhook',
    enabled_events: ['charge.refunded', 'transfer.reversed'],
    api_version: '2026-10-28.endive',
    description: 'Test',
  })
  expect(await stripe.webhookEndpoints.retrieve(id)).toEqual(
    expect.not.objectContaining({ secret: expect.anything() }),
  )
  expect(await stripe.webhookEndpoints.del(id)).toMatchObject({ deleted: true })
  expect((await getError(stripe.webhookEndpoints.retrieve(id))).code).toBe('resource_missing')
  expect((await stripe.webhookEndpoints.list()).data).toHaveLength(2)
  for (const wrong of [
    { url: 'ftp://example.com', enabled_events: ['*'] },
    { url: 'https://example.com', enabled_events: [] },
    { url: 'https://example.com', enabled_events: ['everything!'] },
  ]) {
    const create = stripe.webhookEndpoints.create(wrong as Stripe.WebhookEndpointCreateParams)
    expect((await getError(create)).statusCode).toBe(400)
  }
})

test('pending deliveries of a deleted endpoint are not sent', async () => {
  const world = await openWorld({ webhook: null })
  const { id } = await world.stripe.webhookEndpoints.create({
    url: 'http://127.0.0.1:9',
    enabled_events: ['*'],
  })
  await world.stripe.paymentIntents.create({ amount: 5_000, currency: 'usd' })
  const states = async () =>
    (await world.query<{ state: string; tries: number }>('select state, tries from sandbox.deliveries'))[0]
  await expect.poll(states).toMatchObject({ state: 'pending', tries: 1 })
  await world.stripe.webhookEndpoints.del(id)
  world.advanceClock(2_000)
  await expect.poll(states).toEqual({ state: 'failed', tries: 1 })
})
