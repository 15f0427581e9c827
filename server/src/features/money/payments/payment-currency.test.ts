import { expect, onTestFinished, test } from 'vitest'
import { changeSettings } from '../../../testing/change-settings.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'

const open = shareMoneyWorld()

/** From now on, requests are in this currency, until the end of the test. */
async function chooseFirst({ services }: MoneyWorld, currency: 'usd' | 'myr'): Promise<void> {
  await changeSettings(services, { currencies: currency === 'usd' ? ['usd'] : [currency, 'usd'] })
  onTestFinished(() => changeSettings(services, { currencies: ['usd'] }))
}

const list = async (world: MoneyWorld, what: string) =>
  (await world.stripe<{ data: { amount: number; currency: string }[] }>('GET', `/v1/${what}`)).data.map(
    ({ amount, currency }) => ({ amount, currency }),
  )

test('a payment is released and paid out in its own currency after the market has chosen another one', async () => {
  const world = await open()
  const { ada, bob } = world
  const account = await world.connectBob()
  const { paymentId } = await world.payIntoEscrow()
  await chooseFirst(world, 'myr')
  const confirmed = await ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
  expect(confirmed.json()).toMatchObject({ status: 'completed', currency: 'usd' })
  await world.runJobs()
  expect(await list(world, `transfers?destination=${account}`)).toEqual([{ amount: 11_262, currency: 'usd' }])
  expect((await bob.call('GET /api/seller/payouts')).json()).toMatchObject([
    { amount: 11_262, currency: 'usd', status: 'paid' },
  ])
  expect((await bob.call('GET /api/notifications')).body).toContain('$112.62')
  await world.expectBooksRight()
})

test('a payment is refunded after the market chose another currency', { tags: ['proof'] }, async () => {
  const world = await open()
  const { paymentId } = await world.payIntoEscrow()
  await chooseFirst(world, 'myr')
  await world.ada.call(`POST /api/payments/${paymentId}/dispute`, {})
  const admin = await world.signUp('Root', 'admin')
  await admin.call(`POST /api/admin/disputes/${paymentId}/resolve`, { action: 'refund_full' })
  await world.runJobs()
  const { stripePaymentIntentId } = (await world.ada.call(`GET /api/payments/${paymentId}`)).json()
  expect(await list(world, `refunds?payment_intent=${stripePaymentIntentId}`)).toEqual([
    { amount: 12_000, currency: 'usd' },
  ])
  expect(await world.balanceOf(`buyer:${world.ada.id}`)).toBe(0)
  await world.expectBooksRight()
})

test('a payment that was started before the market chose another one is held in its own currency', {
  tags: ['proof'],
}, async () => {
  const world = await open()
  const deal = await world.agree()
  await world.start(deal)
  await chooseFirst(world, 'myr')
  const { clientSecret, paymentId, currency } = await world.start(deal)
  expect(currency).toBe('usd')
  await world.enterCard(clientSecret)
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
  const { paymentId: next } = await world.payIntoEscrow()
  const reply = await world.ada.call(`GET /api/payments/${next}`)
  expect(reply.json()).toMatchObject({ currency: 'myr' })
})
