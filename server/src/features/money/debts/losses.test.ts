import { expect, test, vi } from 'vitest'
import { ProviderFailed } from '../../../providers/stripe/card-provider.ts'
import { waitUntilBlocked } from '../../../testing/blocked-statements.ts'
import { changeSettings } from '../../../testing/change-settings.ts'
import { givenReleasedPayment, intentOf, openChargeback, payoutOf } from '../../../testing/chargebacks.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import type { Person } from '../../../testing/world.ts'
import { writeOffDebts } from './give-up-debts.ts'
import { lockDebt } from './queries.ts'

/* What chargebacks and refunds after the payout cost is taken back from the seller, or is their debt (ADR 90). */

const open = shareMoneyWorld()

/** What a seller gets for 120.00. */
const PAYOUT = 11_262
/** What they get if a ruling refunds 30.00 of it. */
const RULED_PAYOUT = 8_439
/** Refunds to this card succeed at first and fail a few seconds later. */
const REFUND_FAILS = '4000000000005126'

const debtsOf = async (seller: Person) => (await seller.call('GET /api/user/debts')).json()
const owedBy = (world: MoneyWorld) => world.balanceOf(`debt:${world.bob.id}`)

async function openPaid() {
  const world = await open()
  await world.connectBob()
  const paymentId = await givenReleasedPayment(world)
  await world.runJobs()
  expect(await payoutOf(world, paymentId)).toMatchObject({ status: 'paid', amount: PAYOUT })
  return { world, paymentId }
}

/** The seller's account can pay for this much of the next reversal. */
function limitFunds({ services: { cards } }: MoneyWorld, cents: number) {
  if (!cards) throw new Error('this world has a provider')
  const { reverseTransfer } = cards
  return vi
    .spyOn(cards, 'reverseTransfer')
    .mockImplementationOnce((reversal) =>
      cents === 0
        ? Promise.resolve({ cents: 0, conversions: [] })
        : reverseTransfer({ ...reversal, amountCents: Math.min(cents, reversal.amountCents) }),
    )
}

async function decide(world: MoneyWorld, chargebackId: string, outcome: 'won' | 'lost'): Promise<void> {
  await world.press(`/sandbox/disputes/${chargebackId}/${outcome}`)
  await eventually(async () => {
    const { rowCount } = await world.sql.query('select from provider_facts where key = $1', [
      `dispute_${outcome}:${chargebackId}`,
    ])
    expect(rowCount).toBe(1)
  })
}

async function charge(world: MoneyWorld, paymentId: number, amount?: string): Promise<string> {
  const id = await openChargeback(world, paymentId, amount ? { amount } : {})
  await eventually(async () => expect((await payoutOf(world, paymentId)).status).toBe('frozen'))
  await world.runJobs()
  return id
}

test('what a lost chargeback cannot take back is owed, and the next payout covers it', async () => {
  const { world, paymentId } = await openPaid()
  limitFunds(world, 4_000)
  const chargebackId = await charge(world, paymentId)
  expect(await debtsOf(world.bob)).toEqual([])
  await decide(world, chargebackId, 'lost')
  await world.runJobs()
  const owed = PAYOUT - 4_000
  expect(await debtsOf(world.bob)).toMatchObject([
    { reason: 'chargeback', paymentId, amount: owed, settledAmount: 0, settledAt: null, waivedAt: null },
  ])
  expect(await owedBy(world)).toBe(-owed)
  // The seller bears what they got. The rest of the price were fees.
  expect(await world.balanceOf('losses:chargebacks', paymentId)).toBe(PAYOUT - 12_000)
  await world.expectBooksRight()

  const next = await givenReleasedPayment(world)
  await world.runJobs()
  expect(await payoutOf(world, next)).toMatchObject({ status: 'paid', amount: PAYOUT - owed })
  expect(await debtsOf(world.bob)).toMatchObject([{ settledAmount: owed, settledAt: expect.any(String) }])
  const bell = (await world.bob.call('GET /api/notifications')).json()
  const titles = JSON.stringify(bell)
  expect(titles).toContain('You owe $72.62 for')
  expect(titles).toContain('$72.62 that you owed for')
  await world.expectBooksRight()
})

test('a won chargeback leaves no debt, and restores everything', async () => {
  const { world, paymentId } = await openPaid()
  limitFunds(world, 4_000)
  await decide(world, await charge(world, paymentId), 'won')
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'owed', amount: PAYOUT, reversed: 4_000 })
  expect(await debtsOf(world.bob)).toEqual([])
  expect(await world.balanceOf('losses:chargebacks', paymentId)).toBe(0)
  await world.expectBooksRight()
})

test('a chargeback takes back no more than the seller has kept after a refund that they owe', async () => {
  const { world, paymentId } = await openPaid()
  limitFunds(world, 0)
  const refund = { amount: 8_000, reason: 'A part is missing' }
  expect((await world.bob.call(`POST /api/payments/${paymentId}/refund`, refund)).statusCode).toBe(200)
  await world.runJobs()
  const owed = -(await owedBy(world))
  expect(owed).toBeGreaterThan(PAYOUT - 4_000)
  const chargebackId = await charge(world, paymentId, '4000')
  expect(await payoutOf(world, paymentId)).toMatchObject({ reversed: PAYOUT - owed })
  await decide(world, chargebackId, 'lost')
  await world.runJobs()
  expect(await owedBy(world)).toBe(-owed)
  await world.expectBooksRight()
})

test('a won chargeback gives back what it took, although another was lost before', async () => {
  const { world, paymentId } = await openPaid()
  const intentId = await intentOf(world, paymentId)
  const first = await charge(world, paymentId, '5000')
  expect(await payoutOf(world, paymentId)).toMatchObject({ amount: PAYOUT, reversed: 5_000 })
  await world.press(`/sandbox/payments/${intentId}/dispute`, { amount: '4000' })
  const { data } = await world.stripe<{ data: { id: string }[] }>(
    'GET',
    `/v1/disputes?payment_intent=${intentId}`,
  )
  const second = data.map(({ id }) => id).find((id) => id !== first) ?? ''
  await decide(world, second, 'lost')
  await world.runJobs()
  expect(await debtsOf(world.bob)).toEqual([])
  expect(await payoutOf(world, paymentId)).toEqual({
    status: 'frozen',
    amount: PAYOUT - 4_000,
    reversed: 5_000,
  })
  await decide(world, first, 'won')
  expect(await payoutOf(world, paymentId)).toEqual({
    status: 'owed',
    amount: PAYOUT - 4_000,
    reversed: 5_000,
  })
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(5_000)
  expect(await world.balanceOf('losses:chargebacks', paymentId)).toBe(0)
  expect(await debtsOf(world.bob)).toEqual([])
  await world.expectBooksRight()
})

test('a chargeback that is lost before anything was taken back is collected once', {
  tags: ['proof'],
}, async () => {
  const { world, paymentId } = await openPaid()
  const chargebackId = await openChargeback(world, paymentId)
  await decide(world, chargebackId, 'lost')
  limitFunds(world, 4_000)
  await world.runJobs()
  await world.runJobs()
  expect(await debtsOf(world.bob)).toMatchObject([{ reason: 'chargeback', amount: PAYOUT - 4_000 }])
  expect(await payoutOf(world, paymentId)).toMatchObject({ status: 'paid', amount: PAYOUT - 4_000 })
  await world.expectBooksRight()
})

test('a refund in the dashboard after the payout reverses the transfer, and the rest is owed', async () => {
  const { world, paymentId } = await openPaid()
  const payment_intent = await intentOf(world, paymentId)
  limitFunds(world, 1_000)
  await world.stripe('POST', '/v1/refunds', { payment_intent, amount: '3000' })
  const wasRefunded = (count: number) =>
    eventually(async () => {
      const { rowCount } = await world.sql.query(
        `select from provider_facts where payment_id = $1 and key like 'refunded:%'`,
        [paymentId],
      )
      expect(rowCount).toBe(count)
    })
  await wasRefunded(1)
  await world.runJobs()
  expect(await debtsOf(world.bob)).toMatchObject([{ reason: 'refund', amount: 2_000 }])
  expect(await payoutOf(world, paymentId)).toMatchObject({ status: 'paid', amount: PAYOUT - 1_000 })
  await world.expectBooksRight()

  // The rest of the price is refunded. The seller owes at most what they got.
  limitFunds(world, 0)
  await world.stripe('POST', '/v1/refunds', { payment_intent, amount: '9000' })
  await wasRefunded(2)
  await world.runJobs()
  expect(await owedBy(world)).toBe(1_000 - PAYOUT)
  expect(await world.balanceOf('losses:refunds', paymentId)).toBe(PAYOUT - 12_000)
  await world.expectBooksRight()
})

/** Runs `action` after the provider has reversed a transfer and before that is recorded. */
function beforeRecording({ services: { cards } }: MoneyWorld, action: () => Promise<unknown>): void {
  if (!cards) throw new Error('this world has a provider')
  const { reverseTransfer } = cards
  vi.spyOn(cards, 'reverseTransfer').mockImplementationOnce(async (reversal) => {
    const takenBack = await reverseTransfer(reversal)
    await action()
    return takenBack
  })
}

test('another loss waits while a reversal is not recorded, and the seller gives back what they got once', async () => {
  const { world, paymentId } = await openPaid()
  beforeRecording(world, async () => {
    limitFunds(world, 0)
    await decide(world, await openChargeback(world, paymentId, { amount: '10000' }), 'lost')
    await world.runJobs()
  })
  const payment_intent = await intentOf(world, paymentId)
  await world.stripe('POST', '/v1/refunds', { payment_intent, amount: '2000' })
  await eventually(async () => expect(await world.balanceOf('losses:refunds', paymentId)).toBe(-2_000))
  await world.runJobs()
  await world.runJobs()
  expect(await world.balanceOf('losses:refunds', paymentId)).toBe(0)
  // The chargeback cost 100.00, of which the seller had kept 92.62.
  expect(await debtsOf(world.bob)).toMatchObject([{ reason: 'chargeback', amount: PAYOUT - 2_000 }])
  expect(await owedBy(world)).toBe(2_000 - PAYOUT)
  await world.expectBooksRight()
})

test('two lost chargebacks that are collected at the same time are collected once', async () => {
  const { world, paymentId } = await openPaid()
  const lost = async (amount: string) =>
    decide(world, await openChargeback(world, paymentId, { amount }), 'lost')
  await lost('3000')
  beforeRecording(world, () => world.runJobs())
  await lost('2000')
  await world.runJobs()
  await world.runJobs()
  expect(await payoutOf(world, paymentId)).toMatchObject({ status: 'paid', amount: PAYOUT - 5_000 })
  expect(await debtsOf(world.bob)).toEqual([])
  expect(await world.balanceOf('losses:chargebacks', paymentId)).toBe(0)
  await world.expectBooksRight()
})

/** A payment of which a ruling refunds a part. */
async function givenRuled(world: MoneyWorld, refundAmount: number, card?: string) {
  const admin = await world.signUp('Root', 'admin')
  await world.connectBob()
  const { paymentId, clientSecret } = await world.start(await world.agree())
  await world.enterCard(clientSecret, card)
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
  await world.ada.call(`POST /api/payments/${paymentId}/dispute`, {})
  const ruled = await admin.call(`POST /api/admin/disputes/${paymentId}/resolve`, {
    action: 'refund_partial',
    refundAmount,
  })
  expect(ruled.statusCode, ruled.body).toBe(200)
  return { admin, paymentId }
}

test('a chargeback takes back only what a refund that is not made yet does not cover', async () => {
  const world = await open()
  const { cards } = world.services
  if (!cards) throw new Error('this world has a provider')
  vi.spyOn(cards, 'refund').mockRejectedValueOnce(new ProviderFailed('unknown', new Error('cut')))
  const { paymentId } = await givenRuled(world, 3_000)
  await world.runJobs()
  expect(await payoutOf(world, paymentId)).toMatchObject({ status: 'paid', amount: RULED_PAYOUT })
  const chargebackId = await charge(world, paymentId, '5000')
  expect(await payoutOf(world, paymentId)).toMatchObject({ status: 'frozen', reversed: 2_000 })
  await decide(world, chargebackId, 'lost')
  await world.runJobs()
  expect(await payoutOf(world, paymentId)).toMatchObject({ status: 'paid', amount: RULED_PAYOUT - 2_000 })
  expect(await world.balanceOf('losses:chargebacks', paymentId)).toBe(0)
  expect(await world.balanceOf(`buyer:${world.ada.id}`)).toBe(0)
  expect(await debtsOf(world.bob)).toEqual([])
  await world.expectBooksRight()
})

test('what a lost chargeback took back too much is paid to the seller again', async () => {
  const world = await open()
  const { paymentId } = await givenRuled(world, 3_000, REFUND_FAILS)
  await world.runJobs()
  const chargebackId = await charge(world, paymentId, '5000')
  expect(await payoutOf(world, paymentId)).toMatchObject({ status: 'frozen', reversed: 5_000 })
  world.advanceClock(60_000)
  await eventually(async () => expect(await world.balanceOf(`buyer:${world.ada.id}`)).toBe(3_000))
  await decide(world, chargebackId, 'lost')
  expect(await payoutOf(world, paymentId)).toEqual({
    status: 'owed',
    amount: RULED_PAYOUT - 2_000,
    reversed: 3_000,
  })
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(3_000)
  expect(await world.balanceOf('losses:chargebacks', paymentId)).toBe(0)
  expect(await world.balanceOf(`buyer:${world.ada.id}`)).toBe(0)
  await world.expectBooksRight()
})

test('if the provider refuses to reverse, the seller owes everything', async () => {
  const { world, paymentId } = await openPaid()
  const chargebackId = await openChargeback(world, paymentId)
  await decide(world, chargebackId, 'lost')
  await world.sql.query("update take_backs set account_id = 'acct_gone' where payment_id = $1", [paymentId])
  await world.runJobs()
  await world.runJobs()
  expect(await owedBy(world)).toBe(-PAYOUT)
  await world.expectBooksRight()
})

test('the desk lists debts, and finance waives them once', async () => {
  const { world, paymentId } = await openPaid()
  const finance = await world.signUp('Fin', 'finance')
  limitFunds(world, 0)
  await decide(world, await charge(world, paymentId), 'lost')
  limitFunds(world, 0)
  await world.runJobs()
  const list = async (status: string) =>
    (await finance.call(`GET /api/admin/debts?status=${status}&search=Bob`)).json()
  const [debt] = await list('open')
  expect(debt).toMatchObject({ paymentId, amount: PAYOUT, user: { id: world.bob.id }, reason: 'chargeback' })
  const root = await world.signUp('Root', 'admin')
  const deal = (await root.call(`GET /api/admin/deals/${paymentId}`)).json()
  expect(deal.debts).toMatchObject([{ id: debt.id, reason: 'chargeback', amount: PAYOUT, settledAmount: 0 }])
  const waive = () => finance.call(`POST /api/admin/debts/${debt.id}/waive`, { reason: 'Our mistake' })
  const waived = await waive()
  expect(waived.json()).toMatchObject({ waivedAt: expect.any(String), waiveReason: 'Our mistake' })
  expect((await waive()).json()).toMatchObject({ code: 'debt_settled' })
  expect(await owedBy(world)).toBe(0)
  expect(await world.balanceOf('losses:debts', paymentId)).toBe(-PAYOUT)
  expect((await list('settled'))[0]).toMatchObject({ id: debt.id })
  expect(await debtsOf(world.bob)).toMatchObject([{ waivedAt: expect.any(String), settledAt: null }])
  await expect(
    world.sql.query('update debts set given_up_cents = 0, waived_at = null where id = $1', [debt.id]),
  ).rejects.toMatchObject({ message: expect.stringContaining('is closed') })
  await expect(
    world.sql.query(
      `insert into debts (user_id, payment_id, reason, amount_cents, currency, cause)
       select user_id, payment_id, reason, 1, currency, cause from debts where id = $1`,
      [debt.id],
    ),
  ).rejects.toMatchObject({ constraint: 'debts_cause_unique' })
  const next = await givenReleasedPayment(world)
  await world.runJobs()
  expect(await payoutOf(world, next)).toMatchObject({ status: 'paid', amount: PAYOUT })
  await world.expectBooksRight()
})

test('a debt that is being closed is not written off, and a second waiver waits', async () => {
  const { world, paymentId } = await openPaid()
  const finance = await world.signUp('Fin', 'finance')
  limitFunds(world, 0)
  await decide(world, await charge(world, paymentId), 'lost')
  limitFunds(world, 0)
  await world.runJobs()
  await world.sql.query("update debts set created_at = now() - interval '366 days' where payment_id = $1", [
    paymentId,
  ])
  const [{ id }] = await debtsOf(world.bob)
  const { services, sql } = world
  const waived = await services.database.transact(async (tx) => {
    await lockDebt(tx, id)
    const written = writeOffDebts(services).then(() => 'skipped')
    expect(await Promise.race([written, waitUntilBlocked(sql).then(() => 'blocked')])).toBe('skipped')
    const reply = finance.call(`POST /api/admin/debts/${id}/waive`, { reason: 'Our mistake' })
    await waitUntilBlocked(sql)
    return { reply }
  })
  expect((await waived.reply).statusCode).toBe(200)
  expect(await owedBy(world)).toBe(0)
  await world.expectBooksRight()
})

test('old debts are written off after the time that the operator sets', async () => {
  const { world, paymentId } = await openPaid()
  limitFunds(world, 0)
  await decide(world, await charge(world, paymentId), 'lost')
  limitFunds(world, 0)
  await world.runJobs()
  await world.runJobs('write-off-debts')
  expect(await owedBy(world)).toBe(-PAYOUT)
  await world.sql.query("update debts set created_at = now() - interval '366 days' where payment_id = $1", [
    paymentId,
  ])
  await changeSettings(world.services, { debtWriteOffDays: 0 })
  await world.runJobs('write-off-debts')
  expect(await owedBy(world)).toBe(-PAYOUT)
  await changeSettings(world.services, { debtWriteOffDays: 365 })
  await world.runJobs('write-off-debts')
  expect(await owedBy(world)).toBe(0)
  expect(await debtsOf(world.bob)).toMatchObject([{ writtenOffAt: expect.any(String) }])
  await world.expectBooksRight()
})
