import { PAYMENT_METHODS } from '@sought/escrow/payment-methods'
import { describe, expect, test, vi } from 'vitest'
import { intentOf } from '../../../market-builder/card-browser.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import type { Person } from '../../../testing/world.ts'

const shared = shareMoneyWorld()
const SECOND_MS = 1_000
const DAY_MS = 86_400_000

const codeOf = (reply: { statusCode: number; json(): { code?: string } }) =>
  `${reply.statusCode} ${reply.json().code ?? ''}`.trim()

/** A market that takes every method, and a deal whose payment is started. */
async function openDeal(methods: readonly string[] = PAYMENT_METHODS) {
  const world = await shared()
  const { ada, sql } = world
  await sql.query('insert into market_settings (settings) values ($1)', [{ paymentMethods: methods }])
  world.services.market.forget()
  const deal = await world.agree()
  const started = await world.start(deal)
  const { paymentId, clientSecret } = started
  const path = `/api/payments/${paymentId}`
  const intent = `/v1/payment_intents/${intentOf(clientSecret)}`
  const read = async (who: Person = ada) => (await who.call(`GET ${path}`)).json()
  return {
    ...world,
    deal,
    started,
    paymentId,
    path,
    intent,
    read,
    pay: (form: Record<string, string>) =>
      world.stripe('POST', `${intent}/confirm`, { return_url: 'http://localhost/payment-success', ...form }),
    debit: (account: string) =>
      world.stripe('POST', `${intent}/confirm`, {
        payment_method: `pm_usBankAccount_${account}`,
        'mandate_data[customer_acceptance][type]': 'offline',
      }),
    sync: async () => (await ada.call(`POST ${path}/submitted`)).json(),
    itemStatus: async () => (await world.visitor(`GET /api/wanted-items/${deal.itemId}`)).json().status,
    titlesFor: async (who: Person) =>
      (await who.call('GET /api/notifications')).json().map(({ title }: { title: string }) => title),
    until: (status: string) => eventually(async () => expect(await world.statusOf(paymentId)).toBe(status)),
    /** An account that its owner has to verify first. */
    async payUnverified() {
      const reply = await world.stripe<Unverified>('POST', `${intent}/confirm`, UNVERIFIED)
      return reply.next_action.verify_with_microdeposits.hosted_verification_url
    },
  }
}

interface Unverified {
  next_action: { verify_with_microdeposits: { hosted_verification_url: string } }
}

const UNVERIFIED = {
  return_url: 'http://localhost/payment-success',
  'mandate_data[customer_acceptance][type]': 'offline',
  'payment_method_data[type]': 'us_bank_account',
  'payment_method_data[us_bank_account][account_number]': '000123456789',
  'payment_method_data[us_bank_account][routing_number]': '110000000',
  'payment_method_data[billing_details][name]': 'Ada',
}

const inDays = ({ services }: MoneyWorld, days: number) => services.clock().getTime() + days * DAY_MS

describe('the methods of a payment', () => {
  test('are those of the settings that take its currency, whatever the dashboard offers', async () => {
    const { started, ada, deal, sql, services } = await openDeal(['card', 'ideal', 'us_bank_account'])
    expect(started).toMatchObject({ methods: ['card', 'us_bank_account'], method: null, waitingUntil: null })
    // Reopened after the settings have changed: the unpaid intent is replaced.
    await sql.query('insert into market_settings (settings) values ($1)', [{ paymentMethods: ['card'] }])
    services.market.forget()
    const again = (await ada.call('POST /api/create-escrow-payment', deal)).json()
    expect(again).toMatchObject({ paymentId: started.paymentId, methods: ['card'] })
    expect(again.clientSecret).not.toBe(started.clientSecret)
    expect((await ada.call('POST /api/create-escrow-payment', deal)).json().clientSecret).toBe(
      again.clientSecret,
    )
  })

  test('redirect to a page where the buyer agrees or refuses', async () => {
    const { pay, press, read, until } = await openDeal()
    const klarna = {
      'payment_method_data[type]': 'klarna',
      'payment_method_data[billing_details][email]': 'ada@example.com',
    }
    const refused = await pay(klarna)
    await press(`${refused.next_action?.redirect_to_url.url}/fail`)
    expect(await read()).toMatchObject({ status: 'pending', submittedAt: null, method: null })
    const agreed = await pay(klarna)
    await press(`${agreed.next_action?.redirect_to_url.url}/complete`)
    await until('held_in_escrow')
    expect(await read()).toMatchObject({ method: 'klarna', waitingUntil: null, payoutWaitsUntil: null })
  })
})

describe('a payment whose money takes days', () => {
  test('waits, reserves its request and never looks paid', async () => {
    const market = await openDeal()
    const { ada, bob, debit, read, sync, path, deal, paymentId, itemStatus, titlesFor, visitor } = market
    await debit('processing')
    const waiting = await sync()
    expect(waiting).toMatchObject({ status: 'pending', method: 'us_bank_account', waitsFor: 'bank' })
    expect(Date.parse(waiting.waitingUntil)).toBeCloseTo(inDays(market, 10), -5)
    expect(await itemStatus()).toBe('reserved')
    const { rows } = await market.sql.query('select ended_at from payments where id = $1', [paymentId])
    expect(rows).toEqual([{ ended_at: null }])
    const board = (await visitor('GET /api/wanted-items?limit=100')).json()
    expect(board.map(({ id }: { id: number }) => id)).not.toContain(deal.itemId)

    const state = { method: 'us_bank_account', waitingUntil: waiting.waitingUntil }
    expect(await read(bob)).toMatchObject({ ...state, status: 'pending', escrowHoldUntil: null })
    expect((await bob.call('GET /api/payments')).json()).toMatchObject([{ payments: state }])
    expect((await ada.call(`GET /api/payment/${paymentId}`)).json()).toMatchObject(state)
    expect((await ada.call('GET /api/user/requests')).json()).toMatchObject([
      { nextStep: 'none', deal: { waitingUntil: waiting.waitingUntil } },
    ])
    expect((await bob.call('GET /api/user/offers')).json()).toMatchObject([
      { state: 'payment_processing', nextStep: 'none', waitingUntil: waiting.waitingUntil },
    ])
    expect((await ada.call('POST /api/create-escrow-payment', deal)).json()).toMatchObject(state)

    expect(codeOf(await bob.call(`POST ${path}/ship`, { carrier: 'other' }))).toBe('409 payment_not_paid')
    expect(codeOf(await ada.call(`POST ${path}/confirm-delivery`))).toBe('409 payment_not_paid')
    // The bank already has the debit.
    expect(codeOf(await ada.call(`POST ${path}/stop-waiting`))).toBe('409 payment_wrong_state')
    const [title] = await titlesFor(bob)
    expect(title).toMatch(/^Waiting for the payment for “.+” until/)
    await market.expectBooksRight()
  })

  test('is held longer when it arrives, until its money no longer bounces', async () => {
    const market = await openDeal()
    const { ada, path, debit, sync, until, advanceClock, read, itemStatus, paymentId, connectBob } = market
    await connectBob()
    await debit('success')
    expect(await sync()).toMatchObject({ waitsFor: 'bank' })
    advanceClock(6 * SECOND_MS)
    await until('held_in_escrow')
    const held = await read()
    expect(held).toMatchObject({ method: 'us_bank_account', waitingUntil: null, waitsFor: null })
    expect(await itemStatus()).toBe('reserved')
    expect(Date.parse(held.payoutWaitsUntil)).toBeCloseTo(inDays(market, 7), -5)
    // Also if the buyer confirms at once.
    expect((await ada.call(`POST ${path}/confirm-delivery`)).json().status).toBe('completed')
    await market.runJobs()
    const payout = async () =>
      (await market.sql.query('select status from payouts where payment_id = $1', [paymentId])).rows[0].status
    expect(await payout()).toBe('owed')
    advanceClock(7 * DAY_MS)
    await market.runJobs('retry-payouts')
    expect(await payout()).toBe('paid')
    await market.expectBooksRight()
  })

  test('that fails opens the request again and notifies both sides', async () => {
    const market = await openDeal()
    const {
      ada,
      bob,
      debit,
      sync,
      advanceClock,
      read,
      itemStatus,
      titlesFor,
      start,
      deal,
      enterCard,
      until,
    } = market
    await debit('insufficientFunds')
    expect(await sync()).toMatchObject({ waitsFor: 'bank' })
    advanceClock(6 * SECOND_MS)
    await eventually(async () => expect((await read()).method).toBeNull())
    expect(await read()).toMatchObject({ status: 'pending', submittedAt: null, waitingUntil: null })
    expect(await itemStatus()).toBe('open')
    for (const who of [ada, bob])
      expect(await titlesFor(who)).toContainEqual(
        expect.stringMatching(/^The payment for “.+” did not arrive$/),
      )
    // And can be paid another way.
    await enterCard((await start(deal)).clientSecret)
    await until('held_in_escrow')
  })

  test('that does not arrive in time opens the request, and is held if the money comes after all', async () => {
    const market = await openDeal()
    const { debit, sync, advanceClock, read, itemStatus, ada, deal, runJobs, until } = market
    await debit('processing')
    await sync()
    advanceClock(10 * DAY_MS - 60 * SECOND_MS)
    await runJobs('end-overdue-waits')
    expect(await itemStatus()).toBe('reserved')
    advanceClock(120 * SECOND_MS)
    await runJobs('end-overdue-waits', 'sync-pending-payments')
    const expired = await read()
    expect(expired).toMatchObject({ status: 'pending', method: 'us_bank_account', waitingUntil: null })
    // The money may still come, so it must not be paid twice.
    expect(expired.submittedAt).not.toBeNull()
    expect(await itemStatus()).toBe('open')
    expect(await sync()).toMatchObject({ waitingUntil: null })
    expect((await ada.call('POST /api/create-escrow-payment', deal)).json()).toMatchObject({
      method: 'us_bank_account',
      waitingUntil: null,
    })
    await arriveLate(market)
    await sync()
    await until('held_in_escrow')
    vi.restoreAllMocks()
  })

  test('that arrives late for a request that another payment has reserved is refunded', async () => {
    const market = await openDeal()
    const { ada, deal, debit, sync, advanceClock, runJobs, until, statusOf, signUp } = market
    const eve = await signUp('Eve')
    const offer = (
      await eve.call('POST /api/offers', { wantedItemId: deal.itemId, receiverId: ada.id, amount: 9_000 })
    ).json()
    await ada.call(`PATCH /api/offers/${offer.id}/accept`)
    const other = { itemId: deal.itemId, offerId: offer.id, amount: 9_000 }
    await debit('processing')
    await sync()
    expect(codeOf(await ada.call('POST /api/create-escrow-payment', other))).toBe('409 item_reserved')
    advanceClock(11 * DAY_MS)
    await runJobs('end-overdue-waits')
    const second = await market.start(other)
    await market.enterCard(second.clientSecret)
    await eventually(async () => expect(await statusOf(second.paymentId)).toBe('held_in_escrow'))
    await arriveLate(market)
    await sync()
    await until('refunded')
    vi.restoreAllMocks()
  })

  test('waits for the buyer if they have to verify their account, and can be stopped until then', async () => {
    const market = await openDeal()
    const { ada, bob, deal, path, payUnverified, sync, itemStatus, titlesFor, press, read, until } = market
    await payUnverified()
    const waiting = await sync()
    expect(waiting).toMatchObject({ status: 'pending', method: 'us_bank_account', waitsFor: 'buyer' })
    expect(await itemStatus()).toBe('reserved')
    const reopened = (await ada.call('POST /api/create-escrow-payment', deal)).json()
    expect(reopened).toMatchObject({ waitsFor: 'buyer', instructionsUrl: expect.stringContaining('http') })
    expect((await ada.call('GET /api/user/requests')).json()).toMatchObject([{ nextStep: 'pay' }])

    expect(codeOf(await bob.call(`POST ${path}/stop-waiting`))).toBe('403 not_the_buyer')
    const stopped = (await ada.call(`POST ${path}/stop-waiting`)).json()
    expect(stopped).toMatchObject({ status: 'pending', method: null, waitingUntil: null, submittedAt: null })
    expect(await itemStatus()).toBe('open')
    expect(await titlesFor(bob)).toContainEqual(expect.stringMatching(/did not arrive$/))

    const again = await market.start(deal)
    expect(again.clientSecret).not.toBe(reopened.clientSecret)
    const page = await market.stripe<Unverified>(
      'POST',
      `/v1/payment_intents/${intentOf(again.clientSecret)}/confirm`,
      UNVERIFIED,
    )
    expect(await sync()).toMatchObject({ waitsFor: 'buyer' })
    await press(`${page.next_action.verify_with_microdeposits.hosted_verification_url}/complete`)
    expect(await sync()).toMatchObject({ waitsFor: 'bank' })
    market.advanceClock(6 * SECOND_MS)
    await until('held_in_escrow')
    expect(await read()).toMatchObject({ waitsFor: null })
  })

  test('that nobody verifies ends, and its intent can no longer be paid', async () => {
    const { payUnverified, sync, advanceClock, runJobs, read, itemStatus, stripe, intent } = await openDeal()
    await payUnverified()
    await sync()
    advanceClock(10 * DAY_MS + SECOND_MS)
    await runJobs('end-overdue-waits')
    expect(await read()).toMatchObject({ submittedAt: null, method: null, waitingUntil: null })
    expect(await itemStatus()).toBe('open')
    expect(await stripe('GET', intent)).toMatchObject({ status: 'canceled' })
  })

  test('is the only one of its request, which the database ensures', async () => {
    const { ada, deal, debit, sync, sql, itemStatus, signUp, start } = await openDeal()
    const eve = await signUp('Eve')
    const offer = (
      await eve.call('POST /api/offers', { wantedItemId: deal.itemId, receiverId: ada.id, amount: 9_000 })
    ).json()
    const accepted = await ada.call(`PATCH /api/offers/${offer.id}/accept`)
    expect(accepted.statusCode, accepted.body).toBe(200)
    const other = await start({ itemId: deal.itemId, offerId: offer.id, amount: 9_000 })
    await debit('processing')
    await sync()
    const wait = `update payments set method = 'ideal', submitted_at = now(), waits_for = 'bank', waiting_until = now() where id = $1`
    await expect(sql.query(wait, [other.paymentId])).rejects.toMatchObject({
      constraint: 'payments_one_per_request',
    })
    await expect(
      sql.query(`update wanted_items set status = 'open' where id = $1`, [deal.itemId]),
    ).rejects.toMatchObject({ constraint: 'wanted_items_reserved' })
    expect(await itemStatus()).toBe('reserved')
  })
})

test('money of a method that was never offered is held as long as possible', async () => {
  const market = await openDeal()
  const { services, sync, read, enterCard, started } = market
  const { cards } = services
  if (!cards) throw new Error('this test needs a provider')
  const readIntent = cards.readIntent
  vi.spyOn(cards, 'readIntent').mockImplementation(async (id) => {
    const intent = await readIntent(id)
    return intent && { ...intent, method: 'oxxo' }
  })
  await enterCard(started.clientSecret)
  await sync()
  vi.restoreAllMocks()
  const held = await read()
  expect(held).toMatchObject({ status: 'held_in_escrow', method: 'oxxo' })
  expect(Date.parse(held.escrowHoldUntil)).toBeCloseTo(inDays(market, 14), -5)
})

test('a debit that the bank takes back after it arrived is a chargeback', async () => {
  const market = await openDeal()
  const { debit, sync, advanceClock, until } = market
  await debit('dispute')
  await sync()
  advanceClock(6 * SECOND_MS)
  await until('disputed')
  await market.runJobs('fetch-missed-events')
  await market.expectBooksRight()
})

/** The provider reports that the money of a debit has arrived, which the sandbox never does for this account. */
async function arriveLate({ services, intent }: Awaited<ReturnType<typeof openDeal>>): Promise<void> {
  const { cards } = services
  if (!cards) throw new Error('this test needs a provider')
  const id = intent.split('/').at(-1)
  const { readIntent } = cards
  vi.spyOn(cards, 'readIntent').mockImplementation(async (asked) => {
    const found = await readIntent(asked)
    return found && asked === id ? { ...found, status: 'paid', receivedCents: 12_000 } : found
  })
}
