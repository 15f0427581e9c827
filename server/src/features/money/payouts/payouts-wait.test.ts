import { expect, onTestFinished, test } from 'vitest'
import { type MoneyWorld, openMoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import type { Person } from '../../../testing/world.ts'

/*
 * After a change of the payout account, payouts wait 48 hours (ADR 43). Payouts of new sellers wait for days
 * (ADR 80).
 */

const HOUR_MS = 3_600_000

const open = shareMoneyWorld()

const bank = {
  account_holder_name: 'Bob Tester',
  country: 'US',
  routing_number: '021000021',
  account_number: '000123456789',
}
const otherBank = { ...bank, account_number: '000999999999' }

const save = (seller: Person, details: object) => seller.call('POST /api/seller/save-bank-account', details)
const bankStatus = async (seller: Person) => (await seller.call('GET /api/seller/bank-status')).json()
const payoutsOf = async (seller: Person) => (await seller.call('GET /api/seller/payouts')).json()

async function announcedTo({ sql }: MoneyWorld, { id }: Person): Promise<number> {
  const { rowCount } = await sql.query(
    "select from mails where user_id = $1 and kind = 'payout_account_changed'",
    [id],
  )
  return rowCount ?? 0
}

/** Pays at the provider, and confirms the delivery. */
async function pay(world: MoneyWorld): Promise<number> {
  return release(world, (await world.payIntoEscrow()).paymentId)
}

async function release({ ada }: MoneyWorld, paymentId: number): Promise<number> {
  expect((await ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)).statusCode).toBe(200)
  return paymentId
}

test('a changed bank account is announced, and manual payouts to it wait 48 hours', async () => {
  const world = await open()
  const { bob } = world
  const admin = await world.signUp('Root', 'admin')
  // The first account needs no wait, and neither does saving the same account again.
  for (let round = 0; round < 2; round++) {
    await save(bob, bank)
    expect(await bankStatus(bob)).not.toHaveProperty('payoutsWaitUntil')
  }
  expect(await announcedTo(world, bob)).toBe(0)
  // This payout was owed before the change, and waits too.
  await pay(world)
  await world.runJobs()
  expect(await payoutsOf(bob)).toMatchObject([{ status: 'owed', method: 'manual' }])

  await save(bob, otherBank)
  await world.runJobs()
  expect(await announcedTo(world, bob)).toBe(1)
  const { payoutsWaitUntil } = await bankStatus(bob)
  expect(Date.parse(payoutsWaitUntil) - world.services.clock().getTime()).toBeGreaterThan(47.9 * HOUR_MS)
  const [payout] = await payoutsOf(bob)
  expect(payout).toMatchObject({ status: 'owed', waitsUntil: payoutsWaitUntil })
  const listed: { id: number }[] = (await admin.call('GET /api/admin/payouts')).json()
  expect(listed.filter(({ id }) => id === payout.id)).toMatchObject([{ waitsUntil: payoutsWaitUntil }])
  const markPaid = () => admin.call(`POST /api/admin/payouts/${payout.id}/paid`, { reference: 'R1' })
  const lookUp = () => admin.call(`POST /api/admin/payouts/${payout.id}/bank-details`)
  for (const act of [markPaid, lookUp]) {
    const refused = await act()
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'payout_waits'])
  }
  world.advanceClock(48 * HOUR_MS)
  expect(await bankStatus(bob)).not.toHaveProperty('payoutsWaitUntil')
  expect((await lookUp()).json()).toMatchObject({ account_number: '000999999999' })
  expect((await markPaid()).statusCode).toBe(200)
  await world.expectBooksRight()
})

test('transfers to a changed payout account wait, and the sweep sends them after the wait', {
  tags: ['proof'],
}, async () => {
  const world = await open()
  const { bob } = world
  await world.connectBob()
  expect((await bob.call('POST /api/seller/reset-stripe-connect')).statusCode).toBe(200)
  expect(await announcedTo(world, bob)).toBe(1)
  await world.connectBob()
  const paymentId = await pay(world)
  const expectWaiting = async () => {
    await world.runJobs('retry-payouts')
    await bob.call('GET /api/seller/stripe-connect-status')
    await world.runJobs()
    expect(await payoutsOf(bob)).toMatchObject([
      { paymentId, status: 'owed', waitsUntil: expect.any(String) },
    ])
  }
  await expectWaiting()
  world.advanceClock(47 * HOUR_MS)
  await expectWaiting()
  world.advanceClock(HOUR_MS)
  await world.runJobs('retry-payouts')
  expect(await payoutsOf(bob)).toMatchObject([{ paymentId, status: 'paid' }])
  await world.expectBooksRight()
})

test('a reset and a new setup do not count as a first account, even after a long time', async () => {
  const world = await open()
  const { bob } = world
  const setUp = () => bob.call('POST /api/seller/setup-stripe-connect', {})
  expect((await setUp()).statusCode).toBe(200)
  expect(await bankStatus(bob)).not.toHaveProperty('payoutsWaitUntil')
  // Continuing the setup is not a change.
  await setUp()
  expect(await announcedTo(world, bob)).toBe(0)
  await bob.call('POST /api/seller/reset-stripe-connect')
  world.advanceClock(50 * HOUR_MS)
  await setUp()
  expect(await bankStatus(bob)).toHaveProperty('payoutsWaitUntil')
  expect(await announcedTo(world, bob)).toBe(2)
  // Adding a bank account to a connected account is a change too.
  world.advanceClock(50 * HOUR_MS)
  await save(bob, bank)
  expect(await bankStatus(bob)).toHaveProperty('payoutsWaitUntil')
})

test('the database refuses to pay payouts that have to wait', async () => {
  const world = await open()
  const { bob, sql } = world
  await save(bob, bank)
  const paymentId = await release(world, (await world.given.heldPayment()).paymentId)
  await sql.query("update users set payouts_wait_until = now() + interval '1 hour' where id = $1", [bob.id])
  for (const change of ["status = 'sending', destination = 'acct_1'", "status = 'paid', paid_at = now()"]) {
    const sent = sql.query(`update payouts set ${change}, updated_at = now() where payment_id = $1`, [
      paymentId,
    ])
    await expect(sent).rejects.toMatchObject({ constraint: 'payouts_wait' })
  }
  await sql.query('update payouts set try_at = now() where payment_id = $1', [paymentId])
})

test('payouts of a new seller wait for days after the first release; later deals and other sellers do not', {
  tags: ['proof'],
}, async () => {
  const DAY_MS = 24 * HOUR_MS
  const world = await openMoneyWorld({ env: { NEW_SELLER_PAYOUT_DELAY_DAYS: '7' } })
  const { bob, sql } = world
  await world.connectBob()
  const releasedAt = world.services.clock().getTime()
  const first = await pay(world)
  await world.runJobs()
  const [waiting] = await payoutsOf(bob)
  expect(waiting).toMatchObject({ paymentId: first, status: 'owed' })
  expect((Date.parse(waiting.waitsUntil) - releasedAt) / DAY_MS).toBeCloseTo(7, 2)
  expect(await bankStatus(bob)).toMatchObject({ payoutsDelayedUntil: waiting.waitsUntil })
  expect(await bankStatus(bob)).not.toHaveProperty('payoutsWaitUntil')
  await world.expectBooksRight()

  // Neither reading the account nor the sweep sends it early, and the database refuses it.
  world.advanceClock(6 * DAY_MS)
  const second = await pay(world)
  await bob.call('GET /api/seller/stripe-connect-status')
  await world.runJobs('retry-payouts')
  expect(await payoutsOf(bob)).toMatchObject([
    { paymentId: second, status: 'owed', waitsUntil: waiting.waitsUntil },
    { paymentId: first, status: 'owed', waitsUntil: waiting.waitsUntil },
  ])
  const sent = sql.query(
    "update payouts set status = 'sending', destination = 'acct_1', updated_at = now() where payment_id = $1",
    [first],
  )
  await expect(sent).rejects.toMatchObject({ constraint: 'payouts_wait' })

  world.advanceClock(DAY_MS + HOUR_MS)
  await world.runJobs('retry-payouts')
  expect(await payoutsOf(bob)).toMatchObject([{ status: 'paid' }, { status: 'paid' }])
  expect(await bankStatus(bob)).not.toHaveProperty('payoutsDelayedUntil')
  // The first account still counts as the first.
  expect(await announcedTo(world, bob)).toBe(0)
  const third = await pay(world)
  await world.runJobs()
  expect((await payoutsOf(bob))[0]).toMatchObject({ paymentId: third, status: 'paid' })
  await world.expectBooksRight()
})

test('manual payouts of a new seller wait as well, unless the setting is switched off', async () => {
  const world = await open()
  const { bob } = world
  const { config } = world.services
  onTestFinished(() => {
    config.settingDefaults.newSellerPayoutDelayDays = 0
  })
  config.settingDefaults.newSellerPayoutDelayDays = 3
  const admin = await world.signUp('Root', 'admin')
  await release(world, (await world.given.heldPayment()).paymentId)
  await save(bob, bank)
  await world.runJobs()
  const [payout] = await payoutsOf(bob)
  expect(payout).toMatchObject({ status: 'owed', method: 'manual', waitsUntil: expect.any(String) })
  const refused = await admin.call(`POST /api/admin/payouts/${payout.id}/paid`, { reference: 'R1' })
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'payout_waits'])
  config.settingDefaults.newSellerPayoutDelayDays = 0
  await save(bob, bank)
  await world.runJobs()
  expect(
    (await admin.call(`POST /api/admin/payouts/${payout.id}/paid`, { reference: 'R1' })).statusCode,
  ).toBe(200)
})
