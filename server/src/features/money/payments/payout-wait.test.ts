import { expect, onTestFinished, test } from 'vitest'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import type { Person } from '../../../testing/world.ts'

/* The payout waits for a minimum time after the payment if the buyer's account or card is new (ADR 90). */

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MASTERCARD = '5555555555554444'

const open = shareMoneyWorld()

async function openWithDelay(): Promise<MoneyWorld> {
  const world = await open()
  const { settingDefaults } = world.services.config
  onTestFinished(() => {
    settingDefaults.payoutDelayHours = 0
  })
  settingDefaults.payoutDelayHours = 24
  return world
}

async function payWith(world: MoneyWorld, card?: string): Promise<{ paymentId: number; paidAt: number }> {
  const { clientSecret, paymentId } = await world.start(await world.agree())
  const paidAt = world.services.clock().getTime()
  await world.enterCard(clientSecret, card)
  await expect.poll(() => world.statusOf(paymentId)).toBe('held_in_escrow')
  return { paymentId, paidAt }
}

const confirm = async ({ ada }: MoneyWorld, paymentId: number) =>
  expect((await ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)).statusCode).toBe(200)

const payoutsOf = async (seller: Person) => (await seller.call('GET /api/seller/payouts')).json()

/** The hours between the payment and the earliest payout. */
async function waitOf({ bob }: MoneyWorld, { paymentId, paidAt }: { paymentId: number; paidAt: number }) {
  const { payoutWaitsUntil } = (await bob.call(`GET /api/payments/${paymentId}`)).json()
  return payoutWaitsUntil === null ? null : Math.round((Date.parse(payoutWaitsUntil) - paidAt) / HOUR_MS)
}

test('a new buyer’s confirmation does not pay the seller at once', async () => {
  const world = await openWithDelay()
  const { bob, sql } = world
  await world.connectBob()
  const paid = await payWith(world)
  expect(await waitOf(world, paid)).toBe(24)
  await confirm(world, paid.paymentId)
  await world.runJobs()
  const { payoutWaitsUntil } = (await bob.call(`GET /api/payments/${paid.paymentId}`)).json()
  expect(await payoutsOf(bob)).toMatchObject([{ status: 'owed', waitsUntil: payoutWaitsUntil }])
  const sent = sql.query(
    "update payouts set status = 'sending', destination = 'acct_1', updated_at = $2 where payment_id = $1",
    [paid.paymentId, world.services.clock()],
  )
  await expect(sent).rejects.toMatchObject({ constraint: 'payouts_wait' })
  world.advanceClock(23 * HOUR_MS)
  await world.runJobs('retry-payouts')
  expect(await payoutsOf(bob)).toMatchObject([{ status: 'owed' }])
  world.advanceClock(HOUR_MS)
  await world.runJobs('retry-payouts')
  expect(await payoutsOf(bob)).toMatchObject([{ status: 'paid' }])
  await world.expectBooksRight()
})

test('an account of 30 days and a card whose deal went well need no wait', { tags: ['proof'] }, async () => {
  const world = await openWithDelay()
  const { ada, sql } = world
  await sql.query("update users set created_at = created_at - interval '31 days' where id = $1", [ada.id])
  const first = await payWith(world)
  expect(await waitOf(world, first)).toBe(24)
  await confirm(world, first.paymentId)
  // A deal of the last hours proves nothing.
  expect(await waitOf(world, await payWith(world))).toBe(24)
  world.advanceClock(DAY_MS)
  expect(await waitOf(world, await payWith(world))).toBeNull()
  expect(await waitOf(world, await payWith(world, MASTERCARD))).toBe(24)
  await sql.query('update users set created_at = $2 where id = $1', [ada.id, world.services.clock()])
  expect(await waitOf(world, await payWith(world))).toBe(24)
})

test('a manual payout waits as well', async () => {
  const world = await openWithDelay()
  const { bob } = world
  const admin = await world.signUp('Root', 'admin')
  await bob.call('POST /api/seller/save-bank-account', {
    account_holder_name: 'Bob Tester',
    country: 'US',
    routing_number: '021000021',
    account_number: '000123456789',
  })
  const { paymentId } = await payWith(world)
  await confirm(world, paymentId)
  await world.runJobs()
  const [payout] = await payoutsOf(bob)
  expect(payout).toMatchObject({ method: 'manual', waitsUntil: expect.any(String) })
  const act = () => admin.call(`POST /api/admin/payouts/${payout.id}/bank-details`)
  const refused = await act()
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'payout_waits'])
  world.advanceClock(DAY_MS)
  expect((await act()).statusCode).toBe(200)
})
