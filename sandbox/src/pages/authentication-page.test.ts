// @module-tag proof

import { expect, test } from 'vitest'
import { confirmInBrowser, openWorld, toSandboxUrl, type World } from '../testing/world.ts'

async function begin(world: World, number = '4000002760003184') {
  const intent = await world.stripe.paymentIntents.create({ amount: 12_000, currency: 'usd' })
  const { status, body } = await confirmInBrowser(world, intent, number)
  expect([status, body.status]).toEqual([200, 'requires_action'])
  expect(body.next_action?.type).toBe('redirect_to_url')
  return { intent, url: String(body.next_action?.redirect_to_url?.url) }
}

const press = ({ sandbox }: World, url: string, headers: Record<string, string> = {}) =>
  fetch(toSandboxUrl(sandbox, url), { method: 'POST', redirect: 'manual', headers })

test('a payment succeeds after authentication', async () => {
  const world = await openWorld()
  for (const number of ['4000002500003155', '4000002760003184']) {
    const { intent, url } = await begin(world, number)
    expect(url).toMatch(new RegExp(`^http://localhost:3000/sandbox/authenticate/${intent.id}/auth_\\w+$`))
    const page = await (await fetch(toSandboxUrl(world.sandbox, url))).text()
    expect(page).toContain('$120.00')
    expect(page).toContain('Test mode')
    expect((await world.stripe.charges.list({ payment_intent: intent.id })).data).toEqual([])

    const done = await press(world, `${url}/complete`)
    expect(done.status).toBe(303)
    expect(done.headers.get('location')).toBe(
      `http://localhost:3000/payment-success?escrow=true&payment_intent=${intent.id}&payment_intent_client_secret=${intent.client_secret}&redirect_status=succeeded`,
    )
    const paid = await world.stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] })
    expect(paid).toMatchObject({
      status: 'succeeded',
      next_action: null,
      latest_charge: { payment_method_details: { card: { three_d_secure: { result: 'authenticated' } } } },
    })
  }
})

test('after a failed authentication, another card can be used', async () => {
  const world = await openWorld()
  const { intent, url } = await begin(world)
  const failed = await press(world, `${url}/fail`)
  expect(failed.headers.get('location')).toContain('redirect_status=failed')
  expect(await world.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'payment_intent_authentication_failure', type: 'card_error' },
  })
  await world.webhook.until(() => world.webhook.types().includes('payment_intent.payment_failed'))
  expect((await press(world, `${url}/complete`)).headers.get('location')).toContain('redirect_status=failed')
  expect((await confirmInBrowser(world, intent, '4242424242424242')).body.status).toBe('succeeded')
})

test('twenty concurrent confirmations charge the card once', async () => {
  const world = await openWorld()
  const { intent, url } = await begin(world)
  const answers = await Promise.all(Array.from({ length: 20 }, () => press(world, `${url}/complete`)))
  expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1)
  expect((await world.stripe.charges.list({ payment_intent: intent.id })).data).toHaveLength(1)
})

test('an outdated page, an invalid token and a form from another site are refused', async () => {
  const world = await openWorld()
  const { intent, url: firstUrl } = await begin(world)
  const { body } = await confirmInBrowser(world, intent, '4000002760003184')
  const secondUrl = String(body.next_action?.redirect_to_url?.url)
  expect(secondUrl).not.toBe(firstUrl)
  expect((await press(world, `${firstUrl}/complete`)).status).toBe(404)
  expect((await press(world, `${secondUrl.replace(/auth_\w+/, 'auth_guess')}/complete`)).status).toBe(404)
  expect((await press(world, `${secondUrl}/complete`, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await world.stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_action')
  expect((await press(world, `${secondUrl}/complete`, { 'sec-fetch-site': 'same-origin' })).status).toBe(303)
})

test('a card can be declined after authentication', async () => {
  const world = await openWorld()
  const { intent, url } = await begin(world, '4000008260003178')
  expect((await press(world, `${url}/complete`)).headers.get('location')).toContain('redirect_status=failed')
  expect((await world.stripe.paymentIntents.retrieve(intent.id)).last_payment_error).toMatchObject({
    code: 'card_declined',
    decline_code: 'insufficient_funds',
  })
})

test('without a return URL, the page shows the result', async () => {
  const world = await openWorld()
  const intent = await world.stripe.paymentIntents.create({
    amount: 12_000,
    currency: 'usd',
    payment_method: 'pm_card_authenticationRequired',
    confirm: true,
  })
  const url = String(intent.next_action?.redirect_to_url?.url)
  const answer = await press(world, `${url}/complete`)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('The payment went through.')
})
