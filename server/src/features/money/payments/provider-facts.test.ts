import { expect, test, vi } from 'vitest'
import { givenReleasedPayment, intentOf, openChargeback, payoutOf } from '../../../testing/chargebacks.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, openMoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import { PASSWORD } from '../../../testing/world.ts'
import { takeBack } from '../payouts/take-back.ts'
import { syncCharge } from './sync-payment.ts'

const DAY_MS = 86_400_000

const open = shareMoneyWorld()

const chargebacksOf = async ({ sql }: MoneyWorld, paymentId: number): Promise<string[]> =>
  (await sql.query('select status from chargebacks where payment_id = $1', [paymentId])).rows.map(
    ({ status }) => status,
  )

const transfersTo = async ({ stripe }: MoneyWorld, accountId: string) =>
  (await stripe<{ data: { id: string; amount: number }[] }>('GET', `/v1/transfers?destination=${accountId}`))
    .data

test('a chargeback after the release freezes an unpaid payout, and cancels it if the chargeback is lost', async () => {
  const world = await open()
  const paymentId = await givenReleasedPayment(world)
  const id = await openChargeback(world, paymentId)
  await eventually(async () => expect((await payoutOf(world, paymentId)).status).toBe('frozen'))
  await world.connectBob()
  await world.runJobs('retry-payouts')
  expect((await payoutOf(world, paymentId)).status).toBe('frozen')

  await world.press(`/sandbox/disputes/${id}/lost`)
  await eventually(async () => expect((await payoutOf(world, paymentId)).status).toBe('cancelled'))
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(0)
  expect(await world.balanceOf('losses:chargebacks', paymentId)).toBe(-738)
  await world.expectBooksRight()
  const deleted = await world.bob.call('POST /api/user/delete-account', { password: PASSWORD })
  expect(deleted.statusCode, deleted.body).toBe(200)
})

test('a payout frozen by a chargeback is paid once the chargeback is won', { tags: ['proof'] }, async () => {
  const world = await open()
  await world.connectBob()
  const { paymentId } = await world.payIntoEscrow()
  await world.ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
  const id = await openChargeback(world, paymentId)
  await eventually(async () => expect((await payoutOf(world, paymentId)).status).toBe('frozen'))
  await world.press(`/sandbox/disputes/${id}/won`)
  await eventually(async () => expect((await payoutOf(world, paymentId)).status).toBe('owed'))
  await world.runJobs()
  expect((await payoutOf(world, paymentId)).status).toBe('paid')
  expect(await world.balanceOf('losses:chargebacks', paymentId)).toBe(0)
  await world.expectBooksRight()
})

test('a paid payout is taken back, and restored if the chargeback is won', async () => {
  // The platform's own balance pays, so it must not depend on other tests.
  const world = await openMoneyWorld()
  await world.connectBob()
  const paymentId = await givenReleasedPayment(world)
  await world.runJobs()
  expect((await payoutOf(world, paymentId)).status).toBe('paid')
  const id = await openChargeback(world, paymentId)
  await eventually(async () => expect((await payoutOf(world, paymentId)).status).toBe('frozen'))
  await world.runJobs()
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'frozen', amount: 11_262, reversed: 11_262 })
  expect(await world.balanceOf('losses:chargebacks', paymentId)).toBe(-738)
  await world.expectBooksRight()

  await world.press(`/sandbox/disputes/${id}/won`)
  await eventually(async () => expect((await payoutOf(world, paymentId)).status).toBe('owed'))
  await world.expectBooksRight()
  // The charge can no longer fund a second transfer, and the bank kept its fee, so the platform pays from its
  // own balance.
  const other = await world.start(await world.agree())
  await world.enterCard(other.clientSecret, '4000000000000077')
  await eventually(async () => expect(await world.statusOf(other.paymentId)).toBe('held_in_escrow'))
  world.advanceClock(3 * DAY_MS)
  await world.runJobs('retry-payouts')
  expect((await payoutOf(world, paymentId)).status).toBe('paid')
  expect(await world.balanceOf('losses:chargebacks', paymentId)).toBe(0)
  await world.expectBooksRight()
})

test('a payout that was transferred, taken back and then paid by bank is booked once', {
  tags: ['proof'],
}, async () => {
  const world = await open()
  const admin = await world.signUp('Root', 'admin')
  await world.connectBob()
  const paymentId = await givenReleasedPayment(world)
  await world.runJobs()
  const id = await openChargeback(world, paymentId)
  await eventually(async () => expect((await payoutOf(world, paymentId)).status).toBe('frozen'))
  await world.runJobs()
  await world.sql.query('update users set stripe_connect_account_id = null where id = $1', [world.bob.id])
  const bank = {
    account_holder_name: 'Bob',
    country: 'US',
    routing_number: '021000021',
    account_number: '123456789',
  }
  expect((await world.bob.call('POST /api/seller/save-bank-account', bank)).statusCode).toBe(200)
  await world.press(`/sandbox/disputes/${id}/won`)
  await eventually(async () => expect((await payoutOf(world, paymentId)).status).toBe('owed'))
  await world.runJobs()
  const payouts: { id: number; paymentId: number }[] = (await admin.call('GET /api/admin/payouts')).json()
  const payout = payouts.find((it) => it.paymentId === paymentId)
  const paid = await admin.call(`POST /api/admin/payouts/${payout?.id}/paid`, { reference: 'bank run 7' })
  expect(paid.statusCode, paid.body).toBe(200)
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(0)
  await world.expectBooksRight()
})

test('a reversed payout is restored even if the bank decides before the reversal is recorded', {
  tags: ['proof'],
}, async () => {
  const world = await open()
  await world.connectBob()
  const paymentId = await givenReleasedPayment(world)
  await world.runJobs()
  const id = await openChargeback(world, paymentId)
  await eventually(async () => expect((await payoutOf(world, paymentId)).status).toBe('frozen'))
  const { cards } = world.services
  if (!cards) throw new Error('this test needs the sandbox')
  const { reverseTransfer } = cards
  vi.spyOn(cards, 'reverseTransfer').mockImplementationOnce(async (reversal) => {
    await reverseTransfer(reversal)
    throw new Error('the server stops here')
  })
  const { rows } = await world.sql.query('select id as "takeBackId" from take_backs where payment_id = $1', [
    paymentId,
  ])
  await expect(takeBack(world.services, rows[0])).rejects.toThrow('the server stops here')
  await world.press(`/sandbox/disputes/${id}/won`)
  await eventually(async () => expect((await payoutOf(world, paymentId)).status).toBe('paid'))
  await takeBack(world.services, rows[0])
  await takeBack(world.services, rows[0])
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'owed', amount: 11_262, reversed: 11_262 })
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(11_262)
  await world.expectBooksRight()
})

test('a transfer that was reversed in the dashboard is owed once, regardless of the bank’s later decision', {
  tags: ['proof'],
}, async () => {
  const world = await open()
  const accountId = await world.connectBob()
  for (const [outcome, owed, payout] of [
    ['won', 5_000, { status: 'reversed', amount: 11_262, reversed: 5_000 }],
    ['lost', 0, { status: 'paid', amount: 6_262, reversed: 0 }],
  ] as const) {
    const paymentId = await givenReleasedPayment(world)
    await world.runJobs()
    const [transfer] = await transfersTo(world, accountId)
    await world.stripe('POST', `/v1/transfers/${transfer?.id}/reversals`, { amount: '5000' })
    await eventually(async () => expect((await payoutOf(world, paymentId)).status).toBe('reversed'))
    const id = await openChargeback(world, paymentId)
    await eventually(async () => expect(await chargebacksOf(world, paymentId)).toEqual(['needs_response']))
    await world.runJobs()
    await world.expectBooksRight()
    await world.press(`/sandbox/disputes/${id}/${outcome}`)
    await eventually(async () => expect(await chargebacksOf(world, paymentId)).toEqual([outcome]))
    await eventually(async () => expect(await payoutOf(world, paymentId)).toEqual(payout))
    expect(await world.balanceOf(`seller:${world.bob.id}`, paymentId)).toBe(owed)
    await world.expectBooksRight()
  }
})

for (const [outcome, status, losses] of [
  ['won', 'owed', 0],
  ['lost', 'cancelled', -738],
] as const) {
  test(`a chargeback that is ${outcome} while the payout is being taken back leaves the payout ${status}`, {
    tags: ['proof'],
  }, async () => {
    const world = await open()
    await world.connectBob()
    const paymentId = await givenReleasedPayment(world)
    await world.runJobs()
    const id = await openChargeback(world, paymentId)
    await eventually(async () => expect((await payoutOf(world, paymentId)).status).toBe('frozen'))
    const { cards } = world.services
    if (!cards) throw new Error('this test needs the sandbox')
    const { reverseTransfer } = cards
    vi.spyOn(cards, 'reverseTransfer').mockImplementationOnce(async (reversal) => {
      const reversedCents = await reverseTransfer(reversal)
      await world.press(`/sandbox/disputes/${id}/${outcome}`)
      await eventually(async () => expect((await payoutOf(world, paymentId)).status).toBe('paid'))
      return reversedCents
    })
    await world.runJobs()
    expect((await payoutOf(world, paymentId)).status).toBe(status)
    expect(await world.balanceOf('losses:chargebacks', paymentId)).toBe(losses)
    await world.expectBooksRight()
  })
}

test('a late answer of the provider does not reopen a chargeback', { tags: ['proof'] }, async () => {
  const world = await open()
  const { services } = world
  if (!services.cards) throw new Error('this test needs the sandbox')
  const { paymentId } = await world.payIntoEscrow()
  const intentId = await intentOf(world, paymentId)
  const id = await openChargeback(world, paymentId)
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('disputed'))
  const old = await services.cards.readHistory(intentId)
  await world.press(`/sandbox/disputes/${id}/won`)
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
  const undelivered = "select from sandbox.deliveries where state <> 'delivered'"
  await eventually(async () => expect((await world.sql.query(undelivered)).rowCount).toBe(0))
  await syncCharge(services, { ...services.cards, readHistory: async () => old }, intentId)
  const { rows } = await world.sql.query('select status, closed_at from chargebacks where payment_id = $1', [
    paymentId,
  ])
  expect(rows).toEqual([{ status: 'won', closed_at: expect.any(Date) }])
})

test('a refund in the dashboard counts as the refund that a ruling decided', {
  tags: ['proof'],
}, async () => {
  const world = await open()
  const admin = await world.signUp('Root', 'admin')
  const { paymentId } = await world.payIntoEscrow()
  await world.ada.call(`POST /api/payments/${paymentId}/dispute`, {})
  const ruling = { action: 'refund_partial', refundAmount: 3_000 }
  expect((await admin.call(`POST /api/admin/disputes/${paymentId}/resolve`, ruling)).statusCode).toBe(200)
  const refund = { payment_intent: await intentOf(world, paymentId), amount: '3000' }
  await world.stripe('POST', '/v1/refunds', refund)
  await eventually(async () => expect(await world.balanceOf(`buyer:${world.ada.id}`)).toBe(0))
  await world.runJobs('retry-refunds')
  const { data } = await world.stripe<{ data: object[] }>(
    'GET',
    `/v1/refunds?payment_intent=${refund.payment_intent}`,
  )
  expect(data).toHaveLength(1)
  expect(await world.balanceOf('losses:refunds', paymentId)).toBe(0)
  await world.expectBooksRight()
})

test('no ruling is possible while the bank decides, and a won chargeback puts the payment back into escrow', async () => {
  const world = await open()
  const admin = await world.signUp('Root', 'admin')
  const { paymentId } = await world.payIntoEscrow()
  const id = await openChargeback(world, paymentId)
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('disputed'))
  for (const action of ['release_seller', 'refund_full']) {
    const ruled = await admin.call(`POST /api/admin/disputes/${paymentId}/resolve`, { action })
    expect([ruled.statusCode, ruled.json().code]).toEqual([409, 'bank_decides'])
  }
  await world.press(`/sandbox/disputes/${id}/won`)
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
  expect(await world.balanceOf(`escrow:${paymentId}`)).toBe(12_000)
  await world.expectBooksRight()
})

test('a dispute filed by the buyer stays open after a chargeback, even if the bank had opened one before', {
  tags: ['proof'],
}, async () => {
  const world = await open()
  const { paymentId } = await world.payIntoEscrow()
  const first = await openChargeback(world, paymentId)
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('disputed'))
  await world.press(`/sandbox/disputes/${first}/won`)
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
  expect((await world.ada.call(`POST /api/payments/${paymentId}/dispute`, {})).statusCode).toBe(200)
  const second = await openChargeback(world, paymentId)
  await world.press(`/sandbox/disputes/${second}/won`)
  await eventually(async () => expect(await chargebacksOf(world, paymentId)).toEqual(['won', 'won']))
  const undelivered = "select from sandbox.deliveries where state <> 'delivered'"
  await eventually(async () => expect((await world.sql.query(undelivered)).rowCount).toBe(0))
  expect(await world.statusOf(paymentId)).toBe('disputed')
  await world.expectBooksRight()
})

test('a closed inquiry and a prevented chargeback put the payment back into escrow, and it can be released', {
  tags: ['proof'],
}, async () => {
  const world = await open()
  for (const [form, ending] of [
    [{ case_type: 'inquiry' }, 'close'],
    [{}, 'prevented'],
  ] as const) {
    const { paymentId } = await world.payIntoEscrow()
    const id = await openChargeback(world, paymentId, form)
    await eventually(async () => expect(await world.statusOf(paymentId)).toBe('disputed'))
    await world.press(`/sandbox/disputes/${id}/${ending}`)
    await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
    const confirmed = await world.ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
    expect(confirmed.statusCode, confirmed.body).toBe(200)
    expect(await world.balanceOf('losses:chargebacks', paymentId)).toBe(0)
  }
  await world.expectBooksRight()
})

test('after a lost partial chargeback the rest stays in escrow, and fees are computed on it', async () => {
  const world = await open()
  const { paymentId } = await world.payIntoEscrow()
  const id = await openChargeback(world, paymentId, { amount: '5000' })
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('disputed'))
  await world.press(`/sandbox/disputes/${id}/lost`)
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
  expect(await world.balanceOf(`escrow:${paymentId}`)).toBe(7_000)
  expect((await world.ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)).statusCode).toBe(200)
  // 7,000 minus 3 %, minus 2.9 % and 30 cents.
  expect(await payoutOf(world, paymentId)).toMatchObject({ amount: 6_557 })
  await world.expectBooksRight()
})

test('money refunded in the dashboard, first partially and then fully, is never paid to the seller too', async () => {
  const world = await open()
  const { paymentId } = await world.payIntoEscrow()
  const refund = { payment_intent: await intentOf(world, paymentId) }
  await world.stripe('POST', '/v1/refunds', { ...refund, amount: '2000' })
  await eventually(async () => expect(await world.balanceOf(`escrow:${paymentId}`)).toBe(10_000))
  expect(await world.statusOf(paymentId)).toBe('held_in_escrow')
  await world.stripe('POST', '/v1/refunds', refund)
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('resolved_buyer'))
  expect(await world.balanceOf(`escrow:${paymentId}`)).toBe(0)
  await world.expectBooksRight()
})

test('a refund in the dashboard whose event is lost is found before the release', {
  tags: ['proof'],
}, async () => {
  const world = await openMoneyWorld({ webhook: 'lost' })
  const { clientSecret, paymentId } = await world.start(await world.agree())
  await world.enterCard(clientSecret)
  await world.runJobs('sync-pending-payments')
  expect(await world.statusOf(paymentId)).toBe('held_in_escrow')
  await world.stripe('POST', '/v1/refunds', { payment_intent: await intentOf(world, paymentId) })
  world.advanceClock(8 * DAY_MS)
  await world.runJobs('release-due')
  expect(await world.statusOf(paymentId)).toBe('resolved_buyer')
  await world.expectBooksRight()
})

/** Adds money to the platform's own balance that belongs to no charge in escrow. */
async function fundPlatform(world: MoneyWorld): Promise<void> {
  const { clientSecret, paymentId } = await world.start(await world.agree(20_000))
  await world.enterCard(clientSecret, '4000000000000077')
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
}

test('a transfer that is reversed in the dashboard can be sent again only by an admin', {
  tags: ['proof'],
}, async () => {
  // The platform's own balance pays, so it must not depend on other tests.
  const world = await openMoneyWorld()
  const admin = await world.signUp('Root', 'admin')
  const accountId = await world.connectBob()
  // At midnight, Stripe would pay the money out that is to be reversed.
  const manual = { 'settings[payouts][schedule][interval]': 'manual' }
  await world.stripe('POST', `/v1/accounts/${accountId}`, manual)
  const paymentId = await givenReleasedPayment(world)
  await world.runJobs()
  const [first] = await transfersTo(world, accountId)
  await fundPlatform(world)
  const reverse = async (transferId: string | undefined, cents: number) => {
    const reversal = await world.stripe('POST', `/v1/transfers/${transferId}/reversals`, {
      amount: String(cents),
    })
    await eventually(async () => expect((await payoutOf(world, paymentId)).status).toBe('reversed'))
    const { rows } = await world.sql.query(
      'select amount_cents::int as cents from ledger_entries where key = $1',
      [`reversal:${reversal.id}`],
    )
    expect(rows.map((row) => row.cents).sort()).toEqual([-cents, cents].sort())
    expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(cents)
    await world.expectBooksRight()
  }
  const sendAgain = async () => {
    const { rows } = await world.sql.query('select id from payouts where payment_id = $1', [paymentId])
    const reply = await admin.call(`POST /api/admin/payouts/${rows[0].id}/send-again`)
    return [reply.statusCode, reply.json().code ?? reply.json().status]
  }
  const listed = async () => {
    const all: { paymentId: number }[] = (await admin.call('GET /api/admin/payouts?status=reversed')).json()
    return all.filter((it) => it.paymentId === paymentId)
  }
  expect(await sendAgain()).toEqual([409, 'payout_wrong_state'])

  await reverse(first?.id, 5_000)
  world.advanceClock(DAY_MS / 12)
  await world.runJobs('retry-payouts')
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'reversed', amount: 11_262, reversed: 5_000 })
  const [shown] = (await world.bob.call('GET /api/seller/payouts')).json()
  expect(shown.status).toBe('reversed')
  expect(await listed()).toMatchObject([{ paymentId, amount: 5_000, status: 'reversed' }])
  const both = await Promise.all([sendAgain(), sendAgain()])
  expect(both.toSorted()).toEqual([
    [200, 'owed'],
    [409, 'payout_wrong_state'],
  ])
  await world.runJobs()
  expect((await payoutOf(world, paymentId)).status).toBe('paid')
  const sent = await transfersTo(world, accountId)
  expect(sent.map(({ amount }) => amount)).toEqual([5_000, 11_262])
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(0)
  await world.expectBooksRight()

  // A repeated payout can be reversed again, even if no charge funded it.
  await reverse(sent[0]?.id, 2_000)
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'reversed', amount: 11_262, reversed: 2_000 })
  await openChargeback(world, paymentId)
  await eventually(async () => {
    const { rows } = await world.sql.query('select bank_decides from payments where id = $1', [paymentId])
    expect(rows).toEqual([{ bank_decides: true }])
  })
  expect(await sendAgain()).toEqual([409, 'bank_decides'])
  await world.expectBooksRight()
})

test('a lost chargeback is covered by the amount that was reversed in the dashboard', {
  tags: ['proof'],
}, async () => {
  const world = await open()
  const accountId = await world.connectBob()
  const paymentId = await givenReleasedPayment(world)
  await world.runJobs()
  const [transfer] = await transfersTo(world, accountId)
  await world.stripe('POST', `/v1/transfers/${transfer?.id}/reversals`)
  await eventually(async () => expect((await payoutOf(world, paymentId)).status).toBe('reversed'))
  const id = await openChargeback(world, paymentId)
  await eventually(async () => expect(await world.balanceOf('losses:chargebacks', paymentId)).toBe(-12_000))
  await world.expectBooksRight()
  await world.press(`/sandbox/disputes/${id}/lost`)
  await eventually(async () => expect((await payoutOf(world, paymentId)).status).toBe('cancelled'))
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(0)
  expect(await world.balanceOf('losses:chargebacks', paymentId)).toBe(-738)
  await world.expectBooksRight()
})
