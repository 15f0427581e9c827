import { expect, test, vi } from 'vitest'
import { givenReleasedPayment, openChargeback, payoutOf } from '../../../testing/chargebacks.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'

/* Refunds after the release, by the seller or by the team (ADR 90). */

const open = shareMoneyWorld()

/** What a seller gets for 120.00. The platform keeps 3.60, and 3.78 is the card fee. */
const PAYOUT = 11_262

const refund = (world: MoneyWorld, paymentId: number, amount: number) =>
  world.bob.call(`POST /api/payments/${paymentId}/refund`, { amount, reason: 'A part is missing' })

async function givenPaid(world: MoneyWorld): Promise<number> {
  await world.connectBob()
  const paymentId = await givenReleasedPayment(world)
  await world.runJobs()
  expect(await payoutOf(world, paymentId)).toMatchObject({ status: 'paid', amount: PAYOUT })
  return paymentId
}

const debtsOf = async ({ bob }: MoneyWorld) => (await bob.call('GET /api/user/debts')).json()

const refundsOf = async ({ sql }: MoneyWorld, paymentId: number): Promise<number[]> => {
  const { rows } = await sql.query(
    `select amount_cents as cents from ledger_entries
     where payment_id = $1 and account = 'provider' and key like 'refund:%' order by id`,
    [paymentId],
  )
  return rows.map(({ cents }) => Number(cents))
}

test('a refund after the payout reverses the transfer, and everybody gives back their part', async () => {
  const world = await open()
  const paymentId = await givenPaid(world)
  const seen = (await world.bob.call(`GET /api/payments/${paymentId}`)).json()
  expect(seen.refundable).toMatchObject({ maxCents: 12_000, sellerCents: PAYOUT, refundedCents: 0 })
  expect((await world.ada.call(`GET /api/payments/${paymentId}`)).json().refundable).toBeNull()
  const made = await refund(world, paymentId, 4_000)
  expect(made.statusCode, made.body).toBe(200)
  expect(made.json()).toMatchObject({ status: 'completed', refundedAmount: 4_000 })
  await world.runJobs()
  expect(await refundsOf(world, paymentId)).toEqual([4_000])
  expect(await payoutOf(world, paymentId)).toMatchObject({ status: 'paid', amount: PAYOUT - 3_754 })
  expect(await world.balanceOf('fees:platform', paymentId)).toBe(240)
  expect(await world.balanceOf('fees:processing', paymentId)).toBe(252)
  expect(await world.balanceOf('losses:refunds', paymentId)).toBe(0)
  expect(await debtsOf(world)).toEqual([])
  await world.expectBooksRight()

  expect((await refund(world, paymentId, 8_001)).json()).toMatchObject({ code: 'refund_out_of_range' })
  expect((await refund(world, paymentId, 8_000)).statusCode).toBe(200)
  await world.runJobs()
  expect(await refundsOf(world, paymentId)).toEqual([4_000, 8_000])
  expect(await payoutOf(world, paymentId)).toMatchObject({ status: 'cancelled' })
  expect(await world.balanceOf('fees:platform', paymentId)).toBe(0)
  expect(await world.balanceOf('fees:processing', paymentId)).toBe(0)
  expect((await refund(world, paymentId, 1)).statusCode).toBe(422)
  const receipt = (await world.ada.call(`GET /api/payments/${paymentId}/receipt`)).json()
  expect(receipt).toMatchObject({ returned: 12_000, total: 0, status: 'completed' })
  const [month] = (await world.bob.call('GET /api/seller/statements')).json()
  const [{ lines, closing }] = (await world.bob.call(`GET /api/seller/statements/${month.month}`)).json()
    .accounts
  expect(closing).toBe(0)
  expect(lines.at(-1)).toMatchObject({ kind: 'refund', paymentId })
  await world.expectBooksRight()
})

test('what cannot be reversed is the seller’s debt', async () => {
  const world = await open()
  const paymentId = await givenPaid(world)
  const { cards } = world.services
  if (!cards) throw new Error('this world has a provider')
  vi.spyOn(cards, 'reverseTransfer').mockResolvedValueOnce({ cents: 0, conversions: [] })
  expect((await refund(world, paymentId, 12_000)).statusCode).toBe(200)
  await world.runJobs()
  expect(await debtsOf(world)).toMatchObject([{ reason: 'refund', amount: PAYOUT, paymentId }])
  await world.expectBooksRight()
})

test('a payout that was not sent yet is reduced', async () => {
  const world = await open()
  const paymentId = await givenReleasedPayment(world)
  expect((await refund(world, paymentId, 4_000)).statusCode).toBe(200)
  expect(await payoutOf(world, paymentId)).toMatchObject({ status: 'owed', amount: PAYOUT - 3_754 })
  // The first refund is under way.
  expect((await refund(world, paymentId, 8_000)).json()).toMatchObject({ code: 'refund_under_way' })
  await world.runJobs()
  expect((await refund(world, paymentId, 8_000)).statusCode).toBe(200)
  await world.runJobs()
  expect(await payoutOf(world, paymentId)).toMatchObject({ status: 'cancelled' })
  expect(await debtsOf(world)).toEqual([])
  await world.expectBooksRight()
})

test('only the seller of a released deal and the team refund it', async () => {
  const world = await open()
  const [admin, finance] = [await world.signUp('Root', 'admin'), await world.signUp('Fin', 'finance')]
  const { paymentId: held } = await world.payIntoEscrow()
  expect((await refund(world, held, 1_000)).json()).toMatchObject({ code: 'payment_wrong_state' })
  const paymentId = await givenReleasedPayment(world)
  const body = { amount: 1_000, reason: 'A part is missing' }
  const byBuyer = await world.ada.call(`POST /api/payments/${paymentId}/refund`, body)
  expect(byBuyer.json()).toMatchObject({ code: 'not_the_seller' })
  for (const person of [admin, finance]) {
    const made = await person.call(`POST /api/admin/payments/${paymentId}/refund`, body)
    expect(made.statusCode, made.body).toBe(200)
    await world.runJobs()
  }
  expect(await refundsOf(world, paymentId)).toEqual([1_000, 1_000])
  const { rows } = await world.sql.query(
    "select details from audit_log where action = 'deal_refunded' and details ->> 'paymentId' = $1",
    [String(paymentId)],
  )
  expect(rows).toHaveLength(2)
  await world.expectBooksRight()
})

test('of concurrent refunds one is made', async () => {
  const world = await open()
  const paymentId = await givenPaid(world)
  const replies = await Promise.all([1, 2, 3].map(() => refund(world, paymentId, 7_000)))
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409])
  await world.runJobs()
  expect(await refundsOf(world, paymentId)).toEqual([7_000])
  await world.expectBooksRight()
  await expect(
    world.sql.query(
      `insert into payment_refunds (payment_id, amount_cents, reason, made_by, by_seller)
       values ($1, 5001, 'Again', $2, true)`,
      [paymentId, world.bob.id],
    ),
  ).rejects.toMatchObject({ constraint: 'payment_refunds_max' })
})

test('a refund waits for a chargeback, which covers it if it is lost', async () => {
  const world = await open()
  const paymentId = await givenPaid(world)
  expect((await refund(world, paymentId, 12_000)).statusCode).toBe(200)
  const chargebackId = await openChargeback(world, paymentId)
  await eventually(async () => {
    const { rows } = await world.sql.query('select bank_decides from payments where id = $1', [paymentId])
    expect(rows[0].bank_decides).toBe(true)
  })
  await world.runJobs()
  expect(await refundsOf(world, paymentId)).toEqual([])
  expect((await refund(world, paymentId, 1)).json()).toMatchObject({ code: 'bank_decides' })
  await world.press(`/sandbox/disputes/${chargebackId}/lost`)
  await eventually(async () => expect(await world.balanceOf(`buyer:${world.ada.id}`)).toBe(0))
  await world.runJobs()
  expect(await world.balanceOf('losses:chargebacks', paymentId)).toBe(0)
  expect(await world.balanceOf('losses:refunds', paymentId)).toBe(0)
  expect(await refundsOf(world, paymentId)).toEqual([])
  await world.expectBooksRight()
})

test('a refund after a ruling leaves the ruled one as it is', async () => {
  const world = await open()
  const root = await world.signUp('Root', 'admin')
  const { paymentId } = await world.payIntoEscrow()
  const reason = 'The lamp is not the one that I ordered'
  await world.ada.call(`POST /api/initiate-dispute`, { paymentId, reason })
  const ruling = { action: 'refund_partial', refundAmount: 3_000 }
  const ruled = await root.call(`POST /api/admin/disputes/${paymentId}/resolve`, ruling)
  expect(ruled.statusCode, ruled.body).toBe(200)
  await world.runJobs()
  const dispute = async () => (await world.ada.call(`GET /api/disputes/${paymentId}`)).json().dispute
  const before = await dispute()
  expect(before).toMatchObject({ refundCents: 3_000, refundedAt: expect.any(String) })
  const { refundedAt } = before
  for (const amount of [2_000, 1_000]) {
    expect((await refund(world, paymentId, amount)).statusCode).toBe(200)
    expect(await dispute()).toMatchObject({ refundCents: 3_000, refundedAt })
    expect((await root.call('GET /api/admin/refunds')).json()).toEqual([])
    await world.runJobs()
  }
  expect(await dispute()).toMatchObject({ refundCents: 3_000, refundedAt })
  const record = (await root.call(`GET /api/admin/deals/${paymentId}`)).json()
  expect(record.refund).toEqual({ amount: 3_000, refundedAt, failed: false })
  expect((await world.ada.call(`GET /api/payments/${paymentId}`)).json()).toMatchObject({
    refundedAmount: 6_000,
  })
  expect((await world.ada.call('GET /api/user/stats')).json()).toMatchObject({ totalSpent: 6_000 })
  expect(await refundsOf(world, paymentId)).toEqual([3_000, 2_000, 1_000])
  await world.expectBooksRight()
})
