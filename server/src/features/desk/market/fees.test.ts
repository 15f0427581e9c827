import { expect, test } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { openMoneyWorld } from '../../../testing/money-world.ts'
import { grantRole } from '../../identity/accounts/actions.ts'

const DAY_MS = 86_400_000

async function openMarket() {
  const world = await openMoneyWorld({ env: { RATE_LIMIT: 'off' } })
  const admin = await world.signUp('Root')
  await world.services.database.transact((tx) => grantRole(tx, admin.email, 'admin'))
  const change = async (body: object) => {
    const reply = await admin.call('PATCH /api/admin/settings', body)
    expect(reply.statusCode, reply.body).toBe(200)
  }
  const pay = async (deal: Awaited<ReturnType<typeof world.agree>>) => {
    const { clientSecret, paymentId } = await world.start(deal)
    await world.enterCard(clientSecret)
    await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
    return paymentId
  }
  const feesOf = async (offerId: number) => {
    const offers: { id: number; fees: object | null }[] = (await world.ada.call('GET /api/offers')).json()
    return offers.find(({ id }) => id === offerId)?.fees
  }
  return { ...world, admin, change, pay, feesOf }
}

const standard = {
  platformFeeBasisPoints: 300,
  processingFeeBasisPoints: 290,
  processingFeeCents: 30,
  minimumFeeCents: 0,
}
const high = { ...standard, platformFeeBasisPoints: 1_000 }

test('a deal keeps the fees of the time when its offer was accepted, even if it is paid after a change', async () => {
  const { ada, bob, agree, pay, change, feesOf, balanceOf, advanceClock, services, expectBooksRight } =
    await openMarket()
  const before = await agree(12_000)
  const feesFrom = new Date(services.clock().getTime() + DAY_MS).toISOString()
  await change({ platformFeePercent: 10, feesFrom })
  const beforeStart = await agree(12_000)
  advanceClock(DAY_MS)
  const after = await agree(12_000)
  expect([
    await feesOf(before.offerId),
    await feesOf(beforeStart.offerId),
    await feesOf(after.offerId),
  ]).toEqual([standard, standard, high])
  // 3% and 2.9% + 0.30 of 120.00 leave 112.62, and 10% instead of 3% leave 104.22.
  for (const [deal, payout] of [
    [before, 11_262],
    [beforeStart, 11_262],
    [after, 10_422],
  ] as const) {
    const paymentId = await pay(deal)
    expect((await ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)).statusCode).toBe(200)
    expect(await balanceOf(`seller:${bob.id}`, paymentId)).toBe(payout)
  }
  await expectBooksRight()
})

test('a minimum and tiers count from the acceptance on, also for a part of the price', async () => {
  const { ada, bob, admin, agree, pay, change, feesOf, balanceOf, expectBooksRight } = await openMarket()
  const feeTiers = [
    { from: 10_000, percent: 2 },
    { from: 12_000, percent: 1.5 },
  ]
  await change({ minimumFee: 200, feeTiers })
  expect((await admin.call('GET /api/admin/settings')).json()).toMatchObject({ minimumFee: 200, feeTiers })
  expect((await admin.call('GET /api/admin/settings/history')).json()[0].changes).toEqual([
    { field: 'minimumFee', from: 0, to: 200 },
    { field: 'feeTiers', from: [], to: feeTiers },
  ])
  const deal = await agree(12_000)
  await change({ minimumFee: 0, feeTiers: [] })
  const later = await agree(12_000)
  const agreed = { ...standard, platformFeeBasisPoints: 150, minimumFeeCents: 200 }
  expect([await feesOf(deal.offerId), await feesOf(later.offerId)]).toEqual([agreed, standard])
  const paymentId = await pay(deal)
  expect((await ada.call(`GET /api/payments/${paymentId}`)).json()).toMatchObject(agreed)
  await ada.call(`POST /api/payments/${paymentId}/dispute`, { reason: 'It does not work' })
  const ruling = { action: 'refund_partial', refundAmount: 7_000, note: 'Both agreed' }
  const ruled = await admin.call(`POST /api/admin/disputes/${paymentId}/resolve`, ruling)
  expect(ruled.statusCode, ruled.body).toBe(200)
  // 1.5% of 50.00 are less than the minimum of 2.00, and 2.9% + 0.30 are 1.75.
  expect(await balanceOf(`seller:${bob.id}`, paymentId)).toBe(4_625)
  await expectBooksRight()
})

test('the hold of a payment follows the settings at the time of the payment', {
  tags: ['proof'],
}, async () => {
  const { agree, pay, change, sql, services } = await openMarket()
  const deal = await agree(12_000)
  await change({ holdDays: 3 })
  const first = await pay(deal)
  await change({ holdDays: 9 })
  const second = await pay(await agree(12_000))
  const { rows } = await sql.query('select id, escrow_hold_until as until from payments order by id')
  const days = rows.map(({ until }) => Math.round((until.getTime() - services.clock().getTime()) / DAY_MS))
  expect([rows.map(({ id }) => id), days]).toEqual([
    [first, second],
    [3, 9],
  ])
})
