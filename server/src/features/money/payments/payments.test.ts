import { sql } from 'drizzle-orm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { applyMove } from './apply-move.ts'
import { claimPendingPayments, deletePaymentWithoutIntent, setIntent } from './queries.ts'
import { releaseDue } from './release-payments.ts'
import { lockPayment, updatePayment } from './stored-payment.ts'

const DAY_MS = 86_400_000

const shared = shareMoneyWorld()

/** A world whose provider sends no events. */
const openWithoutEvents = shareMoneyWorld({ webhook: 'lost' })

const countIntents = async ({ stripe }: MoneyWorld) =>
  (await stripe<{ data: unknown[] }>('GET', '/v1/payment_intents?limit=100')).data.length

test('a payment of 120.00 pays the seller 112.62 after delivery is confirmed', async () => {
  const world = await shared()
  await world.connectBob()
  const deal = await world.agree(12_000)
  const { clientSecret, paymentId } = await world.start(deal)
  expect(await world.statusOf(paymentId)).toBe('pending')

  expect((await world.enterCard(clientSecret)).body.status).toBe('succeeded')
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
  expect(await world.balanceOf(`escrow:${paymentId}`)).toBe(12_000)

  const confirmed = await world.ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
  expect(confirmed.statusCode, confirmed.body).toBe(200)
  expect(confirmed.json()).toMatchObject({ status: 'completed', wantedItem: { title: 'Lamp' } })
  expect(await world.balanceOf(`escrow:${paymentId}`)).toBe(0)
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(11_262)

  await world.runJobs()
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(0)
  expect(await world.balanceOf('fees:platform', paymentId)).toBe(360)
  expect(await world.balanceOf('fees:processing', paymentId)).toBe(378)
  expect(await world.balanceOf('fees:provider', paymentId)).toBe(-378)
  expect(await world.balanceOf('provider', paymentId)).toBe(378 - 738)
  const { rows } = await world.sql.query('select amount, method, status from payouts where payment_id = $1', [
    paymentId,
  ])
  expect(rows).toEqual([{ amount: 11_262, method: 'transfer', status: 'paid' }])
  const item = (await world.visitor(`GET /api/wanted-items/${deal.itemId}`)).json()
  expect(item.status).toBe('fulfilled')
  await world.expectBooksRight()
})

describe('as time passes', () => {
  const openLater = shareMoneyWorld()

  test('after seven days without a confirmation or dispute the payment is released to the seller', async () => {
    const world = await openLater()
    const { paymentId } = await world.payIntoEscrow(12_000)
    world.advanceClock(7 * DAY_MS - 60_000)
    await world.runJobs('release-due')
    expect(await world.statusOf(paymentId)).toBe('held_in_escrow')
    world.advanceClock(120_000)
    await world.runJobs('release-due')
    expect(await world.statusOf(paymentId)).toBe('completed')
    expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(11_262)
    await world.expectBooksRight()
  })

  test('disputed payments and running holds do not delay the release of other payments', async () => {
    const world = await openLater()
    const [disputed, due, later] = [
      (await world.given.heldPayment()).paymentId,
      (await world.given.heldPayment()).paymentId,
      (await world.given.heldPayment({ amount: 50_000 })).paymentId,
    ]
    await world.ada.call(`POST /api/payments/${disputed}/dispute`, {})
    world.advanceClock(8 * DAY_MS)
    await world.runJobs('release-due')
    expect(await world.statusOf(disputed)).toBe('disputed')
    expect(await world.statusOf(due)).toBe('completed')
    expect(await world.statusOf(later)).toBe('held_in_escrow')
  })

  test('an abandoned checkout is synced less and less often', async () => {
    const world = await openLater()
    const { paymentId } = await world.start(await world.agree())
    const nextSyncInSeconds = async () => {
      await world.runJobs('sync-pending-payments')
      const { rows } = await world.sql.query('select ask_at from payments where id = $1', [paymentId])
      return Math.round((rows[0].ask_at.getTime() - world.services.clock().getTime()) / 1000)
    }
    expect(await nextSyncInSeconds()).toBeGreaterThanOrEqual(58)
    world.advanceClock(3_600_000)
    expect(await nextSyncInSeconds()).toBeGreaterThanOrEqual(355)
    world.advanceClock(20 * DAY_MS)
    expect(await nextSyncInSeconds()).toBeGreaterThanOrEqual(3_595)
  })

  test('a dispute keeps the money in escrow and has a default reason', async () => {
    const world = await openLater()
    const { paymentId } = await world.payIntoEscrow()
    const reply = await world.ada.call(`POST /api/payments/${paymentId}/dispute`, {})
    expect(reply.json()).toMatchObject({ status: 'disputed', disputeReason: 'Product not as described' })
    world.advanceClock(30 * DAY_MS)
    await world.runJobs('release-due')
    expect(await world.statusOf(paymentId)).toBe('disputed')
    expect(await world.balanceOf(`escrow:${paymentId}`)).toBe(12_000)
    await world.expectBooksRight()
  })
})

test('payments of high value are held for fourteen days', async () => {
  const world = await shared()
  const { paymentId } = await world.given.heldPayment({ amount: 50_000 })
  const { escrowHoldUntil, createdAt } = (await world.ada.call(`GET /api/payments/${paymentId}`)).json()
  const days = (Date.parse(escrowHoldUntil) - Date.parse(createdAt)) / DAY_MS
  expect(days).toBeGreaterThan(13.99)
  expect(days).toBeLessThan(14.01)
})

test('starting a payment twice, also concurrently, creates one payment and one intent', {
  tags: ['proof'],
}, async () => {
  const world = await shared()
  const before = await countIntents(world)
  const deal = await world.agree()
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => world.ada.call('POST /api/create-escrow-payment', deal)),
  )
  expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200))
  expect(new Set(replies.map((reply) => reply.body)).size).toBe(1)
  const short = await world.ada.call('POST /api/create-payment-intent', {
    itemId: deal.itemId,
    amount: deal.amount,
  })
  expect(short.json()).toEqual(replies[0]?.json())
  expect(await countIntents(world)).toBe(before + 1)
})

test('a payment that cannot be made is refused, and nothing is created', async () => {
  const world = await shared()
  const before = await countIntents(world)
  const { ada, bob } = world
  const eve = await world.signUp('Eve')
  const deal = await world.agree(12_000)
  const { json } = await bob.call('POST /api/offers', {
    wantedItemId: deal.itemId,
    receiverId: ada.id,
    amount: 9_000,
  })
  const pendingOffer = { itemId: deal.itemId, offerId: json().id, amount: 9_000 }
  const escrow = (who: typeof ada, body: object) => who.call('POST /api/create-escrow-payment', body)
  const refusals = [
    [await world.visitor('POST /api/create-escrow-payment', deal), 401, 'signed_out'],
    [await escrow(eve, deal), 404, 'offer_not_found'],
    [await escrow(bob, deal), 403, 'not_your_offer'],
    [await escrow(ada, { ...deal, amount: 11_999 }), 422, 'amount_mismatch'],
    [await escrow(ada, { ...deal, amount: 120 }), 422, 'amount_mismatch'],
    [await escrow(ada, { ...deal, amount: -12_000 }), 422, 'invalid'],
    [await escrow(ada, { ...deal, amount: 120.5 }), 422, 'invalid'],
    [await escrow(ada, { ...deal, offerId: 999_999 }), 404, 'offer_not_found'],
    [await escrow(ada, { ...deal, itemId: 999_999 }), 404, 'offer_not_found'],
    [await escrow(ada, pendingOffer), 409, 'offer_not_accepted'],
    [await escrow(ada, {}), 422, 'invalid'],
    [
      await ada.call('POST /api/create-payment-intent', { itemId: 999_999, amount: 1 }),
      404,
      'item_not_found',
    ],
    [
      await ada.call('POST /api/create-payment-intent', { itemId: deal.itemId, amount: 9_000 }),
      422,
      'amount_mismatch',
    ],
    [
      await eve.call('POST /api/create-payment-intent', { itemId: deal.itemId, amount: 12_000 }),
      409,
      'offer_not_accepted',
    ],
  ] as const
  for (const [reply, status, code] of refusals) {
    expect({ status: reply.statusCode, code: reply.json().code }).toEqual({ status, code })
  }
  const created = await world.sql.query('select from payments where wanted_item_id = $1', [deal.itemId])
  expect(created.rowCount).toBe(0)
  expect(await countIntents(world)).toBe(before)
})

test('a paid offer cannot be paid again, even before the webhook arrives', async () => {
  const world = await openWithoutEvents()
  const deal = await world.agree()
  const { clientSecret, paymentId } = await world.start(deal)
  await world.enterCard(clientSecret)
  expect(await world.statusOf(paymentId)).toBe('pending')
  const again = await world.ada.call('POST /api/create-escrow-payment', deal)
  expect([again.statusCode, again.json().code]).toEqual([409, 'offer_already_paid'])
  expect(await world.statusOf(paymentId)).toBe('held_in_escrow')
  // Once the payment is held, the provider is no longer called.
  const { cards } = world.services
  const readIntent = () => Promise.reject(new Error('the provider must not be called'))
  onTestFinished(() => void Object.assign(world.services, { cards }))
  world.services.cards = cards && { ...cards, readIntent }
  const third = await world.ada.call('POST /api/create-escrow-payment', deal)
  expect([third.statusCode, third.json().code]).toEqual([409, 'offer_already_paid'])
  const second = await world.enterCard(clientSecret)
  expect(second.status).toBe(400)
  world.services.cards = cards
  expect(await world.balanceOf(`escrow:${paymentId}`)).toBe(12_000)
  await world.expectBooksRight()
})

test('a declined card leaves the payment pending, and another card can pay it', async () => {
  const world = await shared()
  const { clientSecret, paymentId } = await world.start(await world.agree())
  const declined = await world.enterCard(clientSecret, '4000000000000002')
  expect(declined.status).toBe(402)
  expect(await world.statusOf(paymentId)).toBe('pending')
  expect((await world.enterCard(clientSecret)).status).toBe(200)
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
})

test('a cancelled intent is replaced by a new one', async () => {
  const world = await shared()
  const deal = await world.agree()
  const first = await world.start(deal)
  const intentId = first.clientSecret.split('_secret_')[0]
  await world.stripe('POST', `/v1/payment_intents/${intentId}/cancel`)
  const second = await world.start(deal)
  expect(second.paymentId).toBe(first.paymentId)
  expect(second.clientSecret).not.toBe(first.clientSecret)
  await world.enterCard(second.clientSecret)
  await eventually(async () => expect(await world.statusOf(first.paymentId)).toBe('held_in_escrow'))
})

test('the sweep holds a paid payment whose webhook never arrives', async () => {
  const world = await openWithoutEvents()
  const { clientSecret, paymentId } = await world.start(await world.agree())
  await world.enterCard(clientSecret)
  await world.runJobs('sync-pending-payments')
  expect(await world.statusOf(paymentId)).toBe('held_in_escrow')
  await world.expectBooksRight()
})

test('one process at a time syncs a pending payment', async () => {
  const world = await openWithoutEvents()
  const { transact } = world.services.database
  const { clientSecret, paymentId } = await world.start(await world.agree())
  const intentId = clientSecret.split('_secret_')[0]
  await transact(async (tx) => {
    expect(await claimPendingPayments(tx, 60, 1_000)).toContainEqual({ id: paymentId, intentId })
    expect(await transact((other) => claimPendingPayments(other, 60, 1_000))).toEqual([])
  })
})

test('the buyer can confirm delivery before the webhook of the payment arrives', async () => {
  const world = await openWithoutEvents()
  const { clientSecret, paymentId } = await world.start(await world.agree())
  const manual = () => world.ada.call(`POST /api/manual-delivery-confirm/${paymentId}`)
  const unpaid = await manual()
  expect([unpaid.statusCode, unpaid.json().code]).toEqual([409, 'payment_not_paid'])
  await world.enterCard(clientSecret)
  // The seller is refused before the provider is asked.
  const bySeller = await world.bob.call(`POST /api/manual-delivery-confirm/${paymentId}`)
  expect([bySeller.statusCode, bySeller.json().code]).toEqual([403, 'not_the_buyer'])
  expect(await world.statusOf(paymentId)).toBe('pending')
  expect((await manual()).json()).toMatchObject({ status: 'completed' })
  expect((await manual()).statusCode).toBe(409)
  await world.expectBooksRight()
})

test('only buyer and seller can read a payment, and only the buyer can confirm it', async () => {
  const world = await shared()
  const { ada, bob, visitor } = world
  const eve = await world.signUp('Eve')
  const { paymentId } = await world.given.heldPayment()
  const status = async (who: typeof ada.call, call: string) => (await who(call)).statusCode
  for (const path of [`/api/payments/${paymentId}`, `/api/payment/${paymentId}`]) {
    expect(await status(ada.call, `GET ${path}`)).toBe(200)
    expect(await status(bob.call, `GET ${path}`)).toBe(200)
    expect(await status(eve.call, `GET ${path}`)).toBe(404)
    expect(await status(visitor, `GET ${path}`)).toBe(401)
  }
  expect((await ada.call('GET /api/payments')).json()).toHaveLength(1)
  expect((await eve.call('GET /api/payments')).json()).toEqual([])
  const [pair] = (await bob.call('GET /api/payments')).json()
  expect(pair.payments).toMatchObject({
    id: paymentId,
    amount: 12_000,
    rated: false,
    seller: { name: 'Bob Tester' },
  })
  expect(pair.wantedItem).toEqual(pair.wanted_items)
  expect(pair.wantedItem).toMatchObject({ title: 'Lamp', category: 'Other' })
  expect((await ada.call(`GET /api/payment/${paymentId}`)).json()).toMatchObject({
    amount: 12_000,
    wantedItems: { title: 'Lamp' },
  })
  for (const call of [
    'payments/:id/confirm-delivery',
    'manual-delivery-confirm/:id',
    'payments/:id/dispute',
  ]) {
    const path = `POST /api/${call.replace(':id', String(paymentId))}`
    expect(await status(bob.call, path)).toBe(403)
    expect((await eve.call(path, {})).json().code, path).toBe('payment_not_found')
    expect(await status(visitor, path)).toBe(401)
  }
  expect(await world.statusOf(paymentId)).toBe('held_in_escrow')
})

test('replies contain only the declared fields of a payment', async () => {
  const world = await shared()
  const { paymentId } = await world.given.heldPayment()
  for (const path of ['payments', `payments/${paymentId}`, `payment/${paymentId}`]) {
    const { body } = await world.ada.call(`GET /api/${path}`)
    for (const column of ['intentAttempt', 'askAt', 'disputeWords', 'password', 'bankAccountDetails']) {
      expect(body, path).not.toContain(column)
    }
  }
})

test('the list can be filtered by intent or item, and is paged', async () => {
  const world = await shared()
  const first = await world.payIntoEscrow(1_000)
  const second = await world.start(await world.agree(2_000))
  const intent = second.clientSecret.split('_secret_')[0]
  const ids = async (query: string) => {
    const reply = await world.ada.call(`GET /api/payments${query}`)
    return { ids: reply.json().map((pair: { payments: { id: number } }) => pair.payments.id), reply }
  }
  expect((await ids('')).ids).toEqual([second.paymentId, first.paymentId])
  expect((await ids(`?paymentIntent=${intent}`)).ids).toEqual([second.paymentId])
  expect((await ids(`?wantedItemId=${first.itemId}`)).ids).toEqual([first.paymentId])
  const eve = await world.signUp('Eve')
  expect((await eve.call(`GET /api/payments?paymentIntent=${intent}`)).json()).toEqual([])
  const page = await ids('?limit=1')
  expect(page.ids).toEqual([second.paymentId])
  expect(page.reply.headers.link).toBe(`</api/payments?limit=1&cursor=${second.paymentId}>; rel="next"`)
  expect((await ids(`?limit=1&cursor=${second.paymentId}`)).ids).toEqual([first.paymentId])
})

test('an unpaid payment can be neither confirmed nor disputed, and the refusal gives the reason', async () => {
  const world = await shared()
  const { paymentId } = await world.start(await world.agree())
  const calls: [string, object][] = [
    [`POST /api/payments/${paymentId}/confirm-delivery`, {}],
    [`POST /api/manual-delivery-confirm/${paymentId}`, {}],
    [`POST /api/payments/${paymentId}/dispute`, {}],
    ['POST /api/initiate-dispute', { paymentId, reason: 'It never came' }],
  ]
  for (const [call, body] of calls) {
    const reply = await world.ada.call(call, body)
    expect([reply.statusCode, reply.json()], call).toEqual([
      409,
      { code: 'payment_not_paid', message: 'This payment has not been completed yet.' },
    ])
  }
})

test('a settled payment cannot be confirmed or disputed', async () => {
  const world = await shared()
  const { paymentId } = await world.given.heldPayment()
  const act = (what: string) => world.ada.call(`POST /api/payments/${paymentId}/${what}`, {})
  expect((await act('confirm-delivery')).statusCode).toBe(200)
  for (const what of ['confirm-delivery', 'dispute']) {
    const reply = await act(what)
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'payment_wrong_state'])
  }
  await world.runJobs('release-due')
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(11_262)
})

test('a payment whose status changed since it was read is not overwritten', async () => {
  const world = await shared()
  const { paymentId } = await world.given.heldPayment()
  await world.services.database.transact(async (tx) => {
    const payment = await lockPayment(tx, paymentId)
    if (!payment) throw new Error('the payment is there')
    const outdated = { ...payment, status: 'disputed' } as const
    await expect(updatePayment(tx, outdated, payment)).rejects.toThrow('changed status while it was locked')
  })
})

test('a move saves only the columns that it changes', async () => {
  const world = await shared()
  const { paymentId } = await world.given.heldPayment()
  await world.services.database.transact(async (tx) => {
    const payment = await lockPayment(tx, paymentId)
    if (!payment) throw new Error('the payment is there')
    await tx.execute(sql`update payments set handover_failures = 2 where id = ${paymentId}`)
    await applyMove(tx, payment, { name: 'confirm', actor: 'buyer' })
  })
  const { rows } = await world.sql.query('select status, handover_failures from payments where id = $1', [
    paymentId,
  ])
  expect(rows).toEqual([{ status: 'completed', handover_failures: 2 }])
})

test('an intent is saved only on an unchanged payment, and a payment with an intent is not deleted', async () => {
  const world = await openWithoutEvents()
  const { transact } = world.services.database
  const { paymentId: id, clientSecret } = await world.start(await world.agree())
  const noted = async () => {
    const { rows } = await world.sql.query(
      'select stripe_payment_intent_id as "stripePaymentIntentId", intent_attempt as "intentAttempt" from payments where id = $1',
      [id],
    )
    return rows[0]
  }
  const before = await noted()
  expect(before).toEqual({ stripePaymentIntentId: clientSecret.split('_secret_')[0], intentAttempt: 0 })
  const stale = [
    { ...before, id, stripePaymentIntentId: null },
    { ...before, id, stripePaymentIntentId: 'pi_canceled' },
    { ...before, id, intentAttempt: 1 },
  ]
  for (const payment of stale) await transact((tx) => setIntent(tx, payment, 'pi_other'))
  for (const payment of [...stale, { ...before, id }])
    await transact((tx) => deletePaymentWithoutIntent(tx, payment))
  expect(await noted()).toEqual(before)

  await world.enterCard(clientSecret)
  await world.runJobs('sync-pending-payments')
  expect(await world.statusOf(id)).toBe('held_in_escrow')
  await transact((tx) => setIntent(tx, { ...before, id }, 'pi_other'))
  expect(await noted()).toEqual(before)
})

test('exactly one of concurrent confirm, dispute, release and second confirm succeeds, in ten runs', async () => {
  const world = await shared()
  const { ada } = world
  const outcomes: Record<string, number> = {}
  const { rows } = await world.sql.query(
    `with bought as (
       insert into offers (wanted_item_id, buyer_id, seller_id, amount, status, accepted_at, expires_at)
       select $1, $2, $3, 100 + n, 'accepted', now(), now() from generate_series(1, 10) n returning *
     ), paid as (
       insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, currency, status, escrow_hold_until)
       select wanted_item_id, buyer_id, seller_id, id, amount, 'usd', 'held_in_escrow', now() from bought returning id, amount
     ), booked as (
       insert into ledger_entries (key, payment_id, account, amount_cents)
       select 'hold:' || id, id, account, cents from paid,
         lateral (values ('provider', -amount), ('escrow:' || id, amount)) as entry (account, cents)
     )
     select id from paid order by id`,
    [(await world.agree()).itemId, ada.id, world.bob.id],
  )
  for (const { id } of rows) {
    const [confirmed, disputed, again] = await Promise.all([
      ada.call(`POST /api/payments/${id}/confirm-delivery`),
      ada.call(`POST /api/payments/${id}/dispute`, {}),
      ada.call(`POST /api/payments/${id}/confirm-delivery`),
      releaseDue(world.services),
    ])
    const won = [confirmed, disputed, again].filter(({ statusCode }) => statusCode === 200)
    const lost = [confirmed, disputed, again].filter(({ statusCode }) => statusCode === 409)
    expect(won.length + lost.length).toBe(3)
    expect(won.length).toBeLessThanOrEqual(1)
    const outcome = await world.statusOf(id)
    expect(outcome).toBe(won.includes(disputed) ? 'disputed' : 'completed')
    const by = won.length === 0 ? 'clock' : won.includes(disputed) ? 'dispute' : 'confirm'
    outcomes[by] = (outcomes[by] ?? 0) + 1
  }
  expect(Object.values(outcomes).reduce((sum, count) => sum + count)).toBe(10)
  const { problems } = await checkLedger(world.services.database.read, null)
  expect(problems).toEqual([])
})
