// @module-tag proof

import { expect, test } from 'vitest'
import { createOnboardedAccount, createPaidIntent, openWorld, type World } from '../testing/world.ts'

const show = async ({ sandbox }: World, path: string) => {
  const answer = await fetch(`${sandbox.url}/sandbox${path}`)
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

const press = ({ sandbox }: World, path: string, form = {}, headers: Record<string, string> = {}) =>
  fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams(form),
  })

const usual = { mode: 'send', delay_seconds: '0', copies: '1' }

test('the dashboard shows payments, refunds, transfers, accounts and events', async () => {
  const world = await openWorld()
  const destination = await createOnboardedAccount(world)
  const { intent, charge } = await createPaidIntent(world.stripe, 12_000)
  const refund = await world.stripe.refunds.create({ charge, amount: 2_000 })
  const transfer = await world.stripe.transfers.create({
    amount: 3_000,
    currency: 'usd',
    destination,
    source_transaction: charge,
  })
  const overview = await show(world, '')
  expect(overview.text).toContain('<strong>Test mode</strong>')
  // 120.00 less the fee of 3.78, the refund and the transfer.
  expect(overview.text).toContain('$66.22')
  expect(overview.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(overview.text).not.toContain('<script')
  expect((await show(world, '/payments')).text).toContain(`href="/sandbox/payments/${intent.id}"`)
  const payment = (await show(world, `/payments/${intent.id}`)).text
  for (const part of [charge, refund.id, transfer.id, '$120.00', 'visa ···· 4242'])
    expect(payment).toContain(part)
  expect((await show(world, '/refunds')).text).toContain(refund.id)
  expect((await show(world, '/transfers')).text).toContain(transfer.id)
  expect((await show(world, '/accounts')).text).toContain(`href="/sandbox/accounts/${destination}"`)
  expect((await show(world, `/accounts/${destination}`)).text).toContain('$30.00')
  const balance = (await show(world, '/balance')).text
  for (const part of ['$66.22', 'charge', 'refund', 'transfer', '$3.78']) expect(balance).toContain(part)
  expect((await show(world, '/webhooks')).text).toContain(world.webhook.url)
  expect((await show(world, '/payouts')).text).toContain('No payouts.')
  expect((await show(world, '/disputes')).text).toContain('No disputes.')
  const events = (await show(world, '/events')).text
  expect(events).toContain('payment_intent.succeeded')
  expect((await show(world, '/style.css')).headers.get('content-type')).toContain('text/css')
  expect(await show(world, '/payments/pi_nothing')).toMatchObject({ status: 404 })
})

test('user text is escaped', async () => {
  const world = await openWorld()
  const { id } = await world.stripe.paymentIntents.create({
    amount: 900,
    currency: 'usd',
    metadata: { title: '<img src=x onerror=alert(1)>"' },
  })
  const { text } = await show(world, `/payments/${id}`)
  expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;')
  expect(text).not.toContain('<img')
})

test('an event can be resent', async () => {
  const world = await openWorld()
  await world.stripe.paymentIntents.create({ amount: 900, currency: 'usd' })
  await world.webhook.until((received) => received.length === 1)
  const id = String(world.webhook.received[0]?.event.id)
  const answer = await press(world, `/events/${id}/resend`)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/sandbox/events/${id}`])
  await world.webhook.until((received) => received.length === 2)
  expect(world.webhook.received[1]?.event.id).toBe(id)
  await expect.poll(async () => (await show(world, `/events/${id}`)).text).toContain('answered 200')
  expect((await press(world, '/events/evt_nothing/resend')).status).toBe(404)
})

test('a payment can be refunded in part, and a transfer reversed', async () => {
  const world = await openWorld()
  const destination = await createOnboardedAccount(world)
  const { intent, charge } = await createPaidIntent(world.stripe, 5_000)
  const { id } = await world.stripe.transfers.create({
    amount: 3_000,
    currency: 'usd',
    destination,
    source_transaction: charge,
  })
  expect((await press(world, `/payments/${intent.id}/refund`, { amount: '1000' })).status).toBe(303)
  expect((await press(world, `/payments/${intent.id}/refund`, { amount: '4001' })).status).toBe(400)
  expect((await press(world, `/payments/${intent.id}/refund`, { amount: '' })).status).toBe(303)
  expect(await world.stripe.charges.retrieve(charge)).toMatchObject({ refunded: true })
  expect((await press(world, `/transfers/${id}/reverse`, { amount: '500' })).status).toBe(303)
  expect((await press(world, `/transfers/${id}/reverse`)).status).toBe(303)
  expect(await world.stripe.transfers.retrieve(id)).toMatchObject({ reversed: true })
  await world.webhook.until(
    () => world.webhook.types().filter((type) => type === 'transfer.reversed').length === 2,
  )
})

test('a dispute can be opened, won and lost', async () => {
  const world = await openWorld()
  for (const decision of ['won', 'lost'] as const) {
    const { intent } = await createPaidIntent(world.stripe, 5_000)
    expect((await press(world, `/payments/${intent.id}/dispute`)).status).toBe(303)
    const { data } = await world.stripe.disputes.list({ payment_intent: intent.id })
    expect(data).toMatchObject([{ status: 'needs_response', amount: 5_000, reason: 'fraudulent' }])
    const page = (await show(world, `/payments/${intent.id}`)).text
    for (const part of [String(data[0]?.id), '$15.00', 'Decide for the cardholder'])
      expect(page).toContain(part)
    expect((await press(world, `/payments/${intent.id}/dispute`)).status).toBe(400)
    expect((await press(world, `/disputes/${data[0]?.id}/${decision}`)).status).toBe(303)
    expect((await world.stripe.disputes.retrieve(String(data[0]?.id))).status).toBe(decision)
  }
  await world.webhook.until(
    () => world.webhook.types().filter((type) => type === 'charge.dispute.closed').length === 2,
  )
})

test('evidence can be submitted, and an unpaid payment cancelled', async () => {
  const world = await openWorld()
  const { intent, charge } = await createPaidIntent(world.stripe, 5_000, 'pm_card_createDispute')
  const [dispute] = (await world.stripe.disputes.list({ charge })).data
  expect((await show(world, `/payments/${intent.id}`)).text).toContain('Submit to the bank')
  const evidence = { uncategorized_text: 'It was delivered.' }
  expect((await press(world, `/disputes/${dispute?.id}/evidence`, evidence)).status).toBe(303)
  expect(await world.stripe.disputes.retrieve(String(dispute?.id))).toMatchObject({
    evidence,
    status: 'under_review',
  })
  const unpaid = await world.stripe.paymentIntents.create({ amount: 900, currency: 'usd' })
  expect((await press(world, `/payments/${unpaid.id}/cancel`)).status).toBe(303)
  expect((await world.stripe.paymentIntents.retrieve(unpaid.id)).status).toBe('canceled')
  expect((await press(world, `/payments/${intent.id}/cancel`)).status).toBe(400)
})

test('a review can be approved', async () => {
  const world = await openWorld()
  const { intent } = await createPaidIntent(world.stripe, 5_000, 'pm_card_riskLevelElevated')
  const [review] = (await world.stripe.reviews.list()).data
  expect((await show(world, `/payments/${intent.id}`)).text).toContain('Approve')
  expect((await press(world, `/reviews/${review?.id}/approve`)).status).toBe(303)
  expect((await world.stripe.reviews.list()).data).toEqual([])
})

test('the payout schedule can be changed, and a manual payout made', async () => {
  const world = await openWorld()
  await createPaidIntent(world.stripe, 5_000, 'pm_card_bypassPending')
  expect((await press(world, '/payout-schedule', { interval: 'weekly' })).status).toBe(303)
  expect((await world.stripe.balanceSettings.retrieve()).payments.payouts?.schedule?.interval).toBe('weekly')
  expect((await press(world, '/payouts', { amount: '5000' })).status).toBe(400)
  expect((await press(world, '/payouts', { amount: '4000' })).status).toBe(303)
  expect((await show(world, '/payouts')).text).toContain('$40.00')
})

test('an account can be restricted and restored', async () => {
  const world = await openWorld()
  const id = await createOnboardedAccount(world)
  await press(world, `/accounts/${id}/restrict`)
  expect(await world.stripe.accounts.retrieve(id)).toMatchObject({
    payouts_enabled: false,
    capabilities: { transfers: 'inactive' },
  })
  await press(world, `/accounts/${id}/restore`)
  expect(await world.stripe.accounts.retrieve(id)).toMatchObject({
    payouts_enabled: true,
    capabilities: { transfers: 'active' },
  })
})

test('deliveries can be held, released, dropped, duplicated and delayed', async () => {
  const world = await openWorld()
  const { webhook, sandbox, stripe } = world
  const make = () => stripe.paymentIntents.create({ amount: 900, currency: 'usd' })
  await press(world, '/delivery-settings', { ...usual, mode: 'hold' })
  await make()
  expect(await sandbox.waiting()).toEqual({ pending: 0, held: 1 })
  expect((await show(world, '')).text).toContain('Send 1 held now')
  await press(world, '/deliveries/release')
  await webhook.until((received) => received.length === 1)

  await press(world, '/delivery-settings', { ...usual, mode: 'drop' })
  await make()
  await expect.poll(() => sandbox.waiting()).toEqual({ pending: 0, held: 0 })
  expect((await show(world, '/events')).text).toContain('dropped')

  await press(world, '/delivery-settings', { ...usual, copies: '3' })
  await make()
  await webhook.until((received) => received.length === 4)

  await press(world, '/delivery-settings', { ...usual, delay_seconds: '600' })
  await make()
  expect(await sandbox.waiting()).toEqual({ pending: 1, held: 0 })
  world.advanceClock(601_000)
  await webhook.until((received) => received.length === 5)

  for (const wrong of [{ copies: '11' }, { copies: '0' }, { delay_seconds: '-1' }, { mode: 'explode' }]) {
    expect((await press(world, '/delivery-settings', { ...usual, ...wrong })).status).toBe(400)
  }
})

test('events can be delivered newest first', async () => {
  const world = await openWorld()
  await press(world, '/delivery-settings', { ...usual, delay_seconds: '60', newest_first: 'on' })
  const ids: string[] = []
  for (let at = 0; at < 4; at++) {
    ids.push((await world.stripe.paymentIntents.create({ amount: 900, currency: 'usd' })).id)
  }
  world.advanceClock(120_000)
  const received = await world.webhook.until((received) => received.length === 4)
  const order = received.map(({ event }) => (event.data.object as { id: string }).id)
  expect(order).toEqual(ids.toReversed())
})

test('forms from another site are refused, and the pages do not exist if the dashboard is off', async () => {
  const world = await openWorld()
  const elsewhere: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://evil.example' },
  ]
  for (const headers of elsewhere) {
    expect((await press(world, '/delivery-settings', { ...usual, mode: 'drop' }, headers)).status).toBe(403)
  }
  await world.stripe.paymentIntents.create({ amount: 900, currency: 'usd' })
  await world.webhook.until((received) => received.length === 1)

  const closed = await world.startAnother({ dashboard: false })
  for (const path of ['/', '/payments', '/events']) {
    expect((await fetch(closed.url + path)).status).toBe(404)
  }
  expect((await fetch(`${closed.url}/delivery-settings`, { method: 'POST' })).status).toBe(404)
  expect((await fetch(`${closed.url}/onboarding/link_nothing`)).status).toBe(404)
  expect(await (await fetch(`${closed.url}/onboarding/link_nothing`)).text()).toContain(
    'This link does not exist.',
  )
})
