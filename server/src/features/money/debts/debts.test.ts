import type { CallFault } from '@sought/sandbox/faults'
import { expect, test } from 'vitest'
import { waitUntilBlocked } from '../../../testing/blocked-statements.ts'
import { changeSettings } from '../../../testing/change-settings.ts'
import { type MoneyWorld, openMoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import { METRICS_ACCESS, PASSWORD, type Person } from '../../../testing/world.ts'
import { lockPayout } from '../payouts/queries.ts'
import { settleDebtsFrom } from '../payouts/reduce-payout.ts'
import { paySeller } from '../payouts/send-payouts.ts'

/* The card fee of a cancelled deal is the seller's debt, and is taken from their next payouts (ADR 90). */

const DAY_MS = 86_400_000

const open = shareMoneyWorld()

const bank = {
  account_holder_name: 'Bob Tester',
  country: 'US',
  routing_number: '021000021',
  account_number: '000123456789',
}

/** Stripe's test card whose money is available at once. */
const FUNDS_AVAILABLE_AT_ONCE = '4000000000000077'
/** The card fee of 120.00: 2.9 % and 0.30. */
const FEE = 378
/** What a seller gets for 120.00. */
const PAYOUT = 11_262

const cancel = (party: Person, paymentId: number) =>
  party.call(`POST /api/payments/${paymentId}/cancel`, { reason: 'Sold' })

async function cancelDeal(world: MoneyWorld, amount = 12_000): Promise<number> {
  const { paymentId } = await world.payIntoEscrow(amount)
  expect((await cancel(world.bob, paymentId)).statusCode).toBe(200)
  return paymentId
}

async function release(world: MoneyWorld, amount = 12_000): Promise<number> {
  const { paymentId } = await world.payIntoEscrow(amount)
  expect((await world.ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)).statusCode).toBe(200)
  return paymentId
}

const debtsOf = async (seller: Person) => (await seller.call('GET /api/user/debts')).json()
const payoutsOf = async (seller: Person) => (await seller.call('GET /api/seller/payouts')).json()
const owedBy = (world: MoneyWorld) => world.balanceOf(`debt:${world.bob.id}`)

async function transfersTo({ stripe }: MoneyWorld, account: string): Promise<number[]> {
  type Listed = { data: { amount: number }[] }
  const { data } = await stripe<Listed>('GET', `/v1/transfers?destination=${account}&limit=100`)
  return data.map(({ amount }) => amount)
}

test('the seller owes the card fee of a deal that they cancel, and the next payouts cover it', async () => {
  const world = await open()
  const { bob, ada } = world
  const account = await world.connectBob()
  const { paymentId } = await world.payIntoEscrow(12_000)
  const seen = (await bob.call(`GET /api/payments/${paymentId}`)).json()
  expect(seen.cancellationFee).toEqual({ amount: FEE })
  expect((await ada.call(`GET /api/payments/${paymentId}`)).json().cancellationFee).toBeNull()
  expect((await cancel(bob, paymentId)).statusCode).toBe(200)
  expect(await owedBy(world)).toBe(-FEE)
  expect(await world.balanceOf('fees:provider', paymentId)).toBe(0)
  const [debt] = await debtsOf(bob)
  expect(debt).toEqual({
    id: expect.any(Number),
    amount: FEE,
    currency: 'usd',
    reason: 'cancellation',
    paymentId,
    itemTitle: 'Lamp',
    createdAt: expect.any(String),
    settledAmount: 0,
    settledAt: null,
    waivedAt: null,
    writtenOffAt: null,
  })
  expect(await debtsOf(ada)).toEqual([])
  const metrics = await world.visitor('GET /metrics', undefined, METRICS_ACCESS)
  expect(metrics.body).toContain(`\nsought_debts_cents{currency="usd"} ${FEE}\n`)
  await world.runJobs()
  await world.expectBooksRight()

  // 1.00 leaves 0.64 for the seller, and all of it goes to the debt.
  const small = await release(world, 100)
  await world.runJobs()
  expect(await payoutsOf(bob)).toMatchObject([
    { paymentId: small, status: 'cancelled', amount: 64, debtAmount: 64 },
  ])
  expect(await owedBy(world)).toBe(64 - FEE)
  expect(await transfersTo(world, account)).toEqual([])
  await world.expectBooksRight()

  const large = await release(world)
  await world.runJobs()
  const sent = PAYOUT - (FEE - 64)
  expect((await payoutsOf(bob))[0]).toMatchObject({
    paymentId: large,
    status: 'paid',
    amount: sent,
    debtAmount: FEE - 64,
  })
  expect(await transfersTo(world, account)).toEqual([sent])
  expect(await owedBy(world)).toBe(0)
  expect(await debtsOf(bob)).toMatchObject([{ id: debt.id, settledAt: expect.any(String) }])
  await world.expectBooksRight()

  const last = await release(world)
  await world.runJobs()
  const [untouched] = await payoutsOf(bob)
  expect(untouched).toMatchObject({ paymentId: last, status: 'paid', amount: PAYOUT })
  expect(untouched).not.toHaveProperty('debtAmount')
  const [month] = (await bob.call('GET /api/seller/statements')).json()
  const [{ lines, closing }] = (await bob.call(`GET /api/seller/statements/${month.month}`)).json().accounts
  expect(closing).toBe(0)
  expect(lines.filter(({ kind }: { kind: string }) => kind === 'cancellation_fee')).toMatchObject([
    { paymentId: small, processingFee: 64, refund: 0, balance: -64 },
    { paymentId: large, processingFee: FEE - 64, refund: 0, balance: 64 - FEE },
  ])
})

test('the market can bear the fee', async () => {
  const world = await openMoneyWorld()
  await changeSettings(world.services, { cancellationFeePayer: 'market' })
  const { paymentId } = await world.payIntoEscrow()
  expect((await world.bob.call(`GET /api/payments/${paymentId}`)).json().cancellationFee).toBeNull()
  await cancel(world.bob, paymentId)
  expect(await debtsOf(world.bob)).toEqual([])
  expect(await world.balanceOf('fees:provider', paymentId)).toBe(-FEE)
  // What was decided at the cancellation stays.
  await changeSettings(world.services, { cancellationFeePayer: 'seller' })
  await world.runJobs()
  expect(await owedBy(world)).toBe(0)
  await world.expectBooksRight()
})

test('the seller owes the fee whoever ends a deal that they did not ship', { tags: ['proof'] }, async () => {
  const world = await open()
  const terms = { delivery: 'shipping', shipWithinDays: 1 } as const
  const { paymentId: late } = await world.payIntoEscrow(12_000, terms)
  const { paymentId: expired } = await world.payIntoEscrow(12_000, terms)
  // The seller agrees to the buyer's wish. Otherwise two accounts of one person would get the fee for nothing.
  const { paymentId: agreed } = await world.payIntoEscrow(12_000)
  await cancel(world.ada, agreed)
  expect(await owedBy(world)).toBe(0)
  await cancel(world.bob, agreed)
  world.advanceClock(4 * DAY_MS)
  await cancel(world.ada, late)
  world.advanceClock(5 * DAY_MS)
  await world.runJobs('cancel-unshipped')
  expect(await world.statusOf(expired)).toBe('refunded')
  expect(await debtsOf(world.bob)).toMatchObject([
    { paymentId: expired },
    { paymentId: late },
    { paymentId: agreed },
  ])
  expect(await owedBy(world)).toBe(-3 * FEE)
  await world.expectBooksRight()
})

test('a fee that the provider reports after the cancellation is owed as well', async () => {
  const world = await open()
  const { cards } = world.services
  if (!cards) throw new Error('this world has a provider')
  const { readIntent } = cards
  cards.readIntent = async (id) => {
    const intent = await readIntent.call(cards, id)
    return intent && { ...intent, fee: null }
  }
  const { paymentId } = await world.payIntoEscrow()
  expect((await world.bob.call(`GET /api/payments/${paymentId}`)).json().cancellationFee).toEqual({
    amount: null,
  })
  await cancel(world.bob, paymentId)
  expect([await owedBy(world), await debtsOf(world.bob)]).toEqual([0, []])
  cards.readIntent = readIntent
  await world.runJobs('retry-refunds')
  expect(await debtsOf(world.bob)).toMatchObject([{ paymentId, amount: FEE }])
  expect(await owedBy(world)).toBe(-FEE)
  await world.expectBooksRight()
})

test('two payouts at once settle a debt once', { tags: ['proof'] }, async () => {
  const world = await open()
  const account = await world.connectBob()
  await cancelDeal(world)
  await world.runJobs()
  const deals = [await release(world), await release(world)]
  const { rows } = await world.sql.query('select id from payouts where payment_id = any($1)', [deals])
  const [first, second] = rows.map(({ id }) => id)
  const { transact } = world.services.database
  const settle = (id: number) =>
    transact(async (tx) => {
      const payout = await lockPayout(tx, id)
      return payout && settleDebtsFrom(tx, payout)
    })
  const other = await transact(async (tx) => {
    const payout = await lockPayout(tx, first)
    expect(payout && (await settleDebtsFrom(tx, payout))).toBe(true)
    const settled = settle(second)
    await waitUntilBlocked(world.sql)
    return { settled }
  })
  expect(await other.settled).toBe(true)
  expect(await owedBy(world)).toBe(0)
  await world.runJobs()
  expect((await transfersTo(world, account)).sort()).toEqual([PAYOUT - FEE, PAYOUT])
  await world.expectBooksRight()
})

test('a refused transfer and a crash after the debt was taken change nothing about it', {
  tags: ['proof'],
}, async () => {
  const faults: CallFault[] = []
  const isTransfer = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && path === '/v1/transfers'
  const world = await openMoneyWorld({
    faults: { call: (made) => (isTransfer(made) ? faults.shift() : undefined) },
  })
  const account = await world.connectBob()
  await cancelDeal(world)
  await world.runJobs()
  await release(world)
  const cut: CallFault = { when: 'before', answer: 'cut' }
  faults.push(cut, cut, cut, cut)
  await world.runJobs()
  expect(await payoutsOf(world.bob)).toMatchObject([{ status: 'sending', amount: PAYOUT - FEE }])
  expect(await owedBy(world)).toBe(0)
  faults.length = 0
  const { rows } = await world.sql.query('select id from payouts')
  for (let round = 0; round < 2; round++) await paySeller(world.services, rows[0].id)
  expect(await transfersTo(world, account)).toEqual([PAYOUT - FEE])
  expect(await owedBy(world)).toBe(0)
  await world.expectBooksRight()
})

test('a debt is taken from a manual payout until an admin has looked up the bank account', {
  tags: ['proof'],
}, async () => {
  const world = await open()
  const { bob } = world
  const admin = await world.signUp('Root', 'admin')
  await bob.call('POST /api/seller/save-bank-account', bank)
  await release(world)
  await world.runJobs()
  expect(await payoutsOf(bob)).toMatchObject([{ status: 'owed', method: 'manual', amount: PAYOUT }])
  await cancelDeal(world)
  await world.runJobs()
  const [payout] = await payoutsOf(bob)
  expect(payout).toMatchObject({ status: 'owed', amount: PAYOUT - FEE, debtAmount: FEE })
  const lookUp = () => admin.call(`POST /api/admin/payouts/${payout.id}/bank-details`)
  expect((await lookUp()).json()).toMatchObject({ account_number: bank.account_number })
  // The admin may have paid by now.
  await cancelDeal(world)
  await world.runJobs()
  expect((await lookUp()).statusCode).toBe(200)
  const paid = await admin.call(`POST /api/admin/payouts/${payout.id}/paid`, { reference: 'R1' })
  expect(paid.json()).toMatchObject({ amount: PAYOUT - FEE })
  expect(await owedBy(world)).toBe(-FEE)
  await world.expectBooksRight()
})

test('a look-up finds nothing to pay if debts use up the payout', async () => {
  const world = await open()
  const { bob } = world
  const admin = await world.signUp('Root', 'admin')
  await bob.call('POST /api/seller/save-bank-account', bank)
  await release(world, 100)
  await world.runJobs()
  const [payout] = await payoutsOf(bob)
  // No job runs between the cancellation and the look-up.
  await cancelDeal(world)
  const refused = await admin.call(`POST /api/admin/payouts/${payout.id}/bank-details`)
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'payout_wrong_state'])
  expect(await payoutsOf(bob)).toMatchObject([{ status: 'cancelled', debtAmount: 64 }])
  await world.runJobs()
  await world.expectBooksRight()
})

test('a transfer that is reversed and sent again settles a debt that arose in between', {
  tags: ['proof'],
}, async () => {
  // The platform's own balance pays, so it must not depend on other tests.
  const world = await openMoneyWorld()
  const account = await world.connectBob()
  const { clientSecret } = await world.start(await world.agree(20_000))
  await world.enterCard(clientSecret, FUNDS_AVAILABLE_AT_ONCE)
  const admin = await world.signUp('Root', 'admin')
  const paymentId = await release(world)
  await world.runJobs()
  const { rows } = await world.sql.query('select id, provider_id from payouts where payment_id = $1', [
    paymentId,
  ])
  await cancelDeal(world)
  await world.runJobs()
  await world.stripe('POST', `/v1/transfers/${rows[0].provider_id}/reversals`, { amount: '5000' })
  await expect.poll(async () => (await payoutsOf(world.bob))[0].status).toBe('reversed')
  expect((await admin.call(`POST /api/admin/payouts/${rows[0].id}/send-again`)).statusCode).toBe(200)
  await world.runJobs()
  expect((await transfersTo(world, account)).sort()).toEqual([PAYOUT, 5_000 - FEE].sort())
  expect(await payoutsOf(world.bob)).toMatchObject([{ status: 'paid', debtAmount: FEE }])
  expect(await owedBy(world)).toBe(0)
  await world.expectBooksRight()
})

test('an account with an open debt can be deleted, and the debt stays', async () => {
  const world = await open()
  const paymentId = await cancelDeal(world)
  await world.runJobs()
  const deleted = await world.bob.call('POST /api/user/delete-account', { password: PASSWORD })
  expect(deleted.statusCode, deleted.body).toBe(200)
  const { rows } = await world.sql.query('select settled_at from debts where payment_id = $1', [paymentId])
  expect(rows).toEqual([{ settled_at: null }])
  await world.expectBooksRight()
})

test('the database refuses debts without their postings, and postings without their debts', async () => {
  const world = await open()
  const paymentId = await cancelDeal(world)
  const { sql, bob } = world
  const mismatch = { message: expect.stringContaining('do not match the ledger') }
  await expect(
    sql.query('update debts set settled_cents = amount_cents, settled_at = now() where payment_id = $1', [
      paymentId,
    ]),
  ).rejects.toMatchObject(mismatch)
  await expect(sql.query('delete from debts where payment_id = $1', [paymentId])).rejects.toMatchObject(
    mismatch,
  )
  await expect(
    sql.query(
      `insert into ledger_entries (key, payment_id, account, amount_cents)
       values ('debt-cancellation:1', $1, 'debt:' || $2::text, 400), ('debt-cancellation:1', $1, 'seller:' || $2::text, -400)`,
      [paymentId, bob.id],
    ),
  ).rejects.toMatchObject(mismatch)
  await expect(
    sql.query('update debts set settled_cents = amount_cents + 1 where payment_id = $1', [paymentId]),
  ).rejects.toMatchObject({ constraint: 'debts_settled' })
})

test('five paid and cancelled deals leave a debt, a case and no sixth offer', {
  tags: ['proof'],
}, async () => {
  const world = await openMoneyWorld({ env: { RATE_LIMIT: 'off' } })
  await changeSettings(world.services, { maxOfferCents: 99_999_00 })
  const { ada, bob, given } = world
  const startedAt = world.services.clock().getTime()
  const deals: number[] = []
  for (let n = 0; n < 5; n++) deals.push((await world.payIntoEscrow(99_999_00)).paymentId)
  const pending = await given.offer({ buyer: ada, seller: bob })
  const replies = await Promise.all(deals.map((id) => cancel(bob, id)))
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
  expect(await owedBy(world)).toBe(-14_501_35)
  expect(await world.balanceOf('fees:provider')).toBe(0)
  const { itemId } = await given.request({ buyer: ada })
  const offer = () =>
    bob.call('POST /api/offers', { wantedItemId: itemId, receiverId: ada.id, amount: 5_000 })
  const refused = await offer()
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'cancellation_limit'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(29.9 * 86_400)
  expect(refused.json().issues).toMatchObject([
    { path: 'until', message: expect.stringMatching(/^You can make/) },
  ])
  const cases = () =>
    world.sql.query('select count(*)::int as reports from reports where kind = $1 and target_id = $2', [
      'profile',
      bob.id,
    ])
  expect((await cases()).rows).toEqual([{ reports: 1 }])
  // A deal that was agreed before can still be made, and cancelled.
  await ada.call(`PATCH /api/offers/${pending.offerId}/accept`)
  const { paymentId } = await world.start(pending)
  expect(paymentId).toEqual(expect.any(Number))
  world.advanceClock(30 * DAY_MS - (world.services.clock().getTime() - startedAt) - 60_000)
  expect((await offer()).statusCode).toBe(409)
  world.advanceClock(DAY_MS)
  expect((await cases()).rows).toEqual([{ reports: 1 }])
  const { itemId: later } = await given.request({ buyer: ada })
  const allowed = await bob.call('POST /api/offers', {
    wantedItemId: later,
    receiverId: ada.id,
    amount: 5_000,
  })
  expect(allowed.statusCode).toBe(201)
  await world.runJobs()
  await world.expectBooksRight()
})
