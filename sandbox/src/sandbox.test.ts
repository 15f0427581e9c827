// @module-tag proof

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { expect, onTestFinished, test } from 'vitest'
import { createClient, createPaidIntent, openWorld, SECRET_KEY, stopOnce } from './testing/world.ts'

test('another server can mount the sandbox under a path', async () => {
  const { sandbox } = await openWorld()
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/sandbox')) return void response.writeHead(404).end()
    request.url = request.url.slice('/sandbox'.length) || '/'
    sandbox.handle(request, response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const page = await fetch(`http://127.0.0.1:${port}/sandbox`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Payment sandbox')])
  const made = await fetch(`http://127.0.0.1:${port}/sandbox/v1/customers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET_KEY}` },
    body: new URLSearchParams({ email: 'ada@example.com' }),
  })
  const { id } = (await made.json()) as Stripe.Customer
  const { hostname: host, port: own } = new URL(sandbox.url)
  const stripe = new Stripe(SECRET_KEY, { host, port: own, protocol: 'http' })
  expect(await stripe.customers.retrieve(id)).toMatchObject({ email: 'ada@example.com' })
})

test('a database of an earlier version continues', async () => {
  const world = await openWorld()
  const { charge } = await createPaidIntent(world.stripe)
  await stopOnce(world.sandbox)
  await world.query('drop table sandbox.exchange_rates')
  await world.query('alter table sandbox.movements drop column source_type')
  await world.query('delete from sandbox.steps where step >= 2')
  await world.query(`delete from sandbox.objects where kind = 'payment_method_configuration'`)
  await world.query(
    `update sandbox.objects set hidden = (hidden::jsonb - 'settled')::json where kind = 'charge'`,
  )
  const stripe = createClient(await world.startAnother())
  expect((await stripe.refunds.create({ charge })).status).toBe('succeeded')
  expect(
    (await stripe.paymentIntents.create({ amount: 500, currency: 'usd' })).payment_method_types,
  ).toContain('klarna')
  expect((await stripe.accounts.retrieveCurrent()).capabilities).toHaveProperty('klarna_payments', 'active')
})
