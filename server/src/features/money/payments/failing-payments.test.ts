import { expect, onTestFinished, test, vi } from 'vitest'
import type { CardProvider, Chargeback } from '../../../providers/stripe/card-provider.ts'
import { intentOf, payoutOf } from '../../../testing/chargebacks.ts'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import { cancelUnshipped } from '../../fulfilment/deliveries/follow-clock.ts'
import { fetchMissedEvents } from './missed-events.ts'
import { holdIfPaid, paySellerIfClear, syncCharge } from './sync-payment.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const open = shareMoneyWorld({ webhook: 'lost' })

function cardsOf({ services: { cards } }: MoneyWorld): CardProvider {
  if (!cards) throw new Error('this world has a provider')
  return cards
}

/** Replaces methods of the provider until the end of the test. */
function replaceCards(world: MoneyWorld, change: Partial<CardProvider>): void {
  const cards = cardsOf(world)
  onTestFinished(() => void Object.assign(world.services, { cards }))
  world.services.cards = { ...cards, ...change }
}

/** A payment in escrow, in a world without webhooks. */
async function hold(
  world: MoneyWorld,
  card?: string,
  terms?: { delivery: 'shipping'; shipWithinDays: number },
) {
  const { clientSecret, paymentId } = await world.start(await world.agree(12_000, terms))
  await world.enterCard(clientSecret, card)
  await world.runJobs('sync-pending-payments')
  expect(await world.statusOf(paymentId)).toBe('held_in_escrow')
  return paymentId
}

async function setAsideOf({ sql }: MoneyWorld, paymentId: number) {
  const { rows } = await sql.query(
    'select task, reason, attempts from set_aside_payments where payment_id = $1',
    [paymentId],
  )
  return rows
}

// First, because it compares the whole ledger with the provider.
test('a card that was charged another amount is refunded, and the payment is not held', async () => {
  const world = await open()
  const admin = await world.signUp('Root', 'admin')
  const { clientSecret, paymentId } = await world.start(await world.agree())
  const [intentId = ''] = clientSecret.split('_secret_')
  await world.stripe('POST', `/v1/payment_intents/${intentId}`, { amount: '13000' })
  await world.enterCard(clientSecret)
  await world.runJobs('sync-pending-payments')
  expect(await world.statusOf(paymentId)).toBe('refunded')
  const { data } = await world.stripe<{ data: { amount: number }[] }>(
    'GET',
    `/v1/refunds?payment_intent=${intentId}`,
  )
  expect(data.map(({ amount }) => amount)).toEqual([13_000])
  expect(await world.balanceOf(`buyer:${world.ada.id}`, paymentId)).toBe(0)
  await world.expectBooksRight()
  for (const [person, title] of [
    [world.ada, /^We refund your payment for/],
    [admin, /was charged wrongly$/],
  ] as const) {
    const notifications = (await person.call('GET /api/notifications')).json()
    expect(notifications.map((it: { title: string }) => it.title)).toContainEqual(
      expect.stringMatching(title),
    )
  }
})

test('a payment whose charge the provider does not know is not released, but set aside', async () => {
  const world = await open()
  const [unknown, other] = [await hold(world), await hold(world)]
  const { readIntent } = cardsOf(world)
  const unknownIntent = await intentOf(world, unknown)
  replaceCards(world, { readIntent: async (id) => (id === unknownIntent ? null : readIntent(id)) })
  world.advanceClock(15 * DAY_MS)
  await world.runJobs('release-due')
  await world.runJobs('release-due')
  expect(await world.statusOf(unknown)).toBe('held_in_escrow')
  expect(await world.statusOf(other)).toBe('completed')
  expect(await setAsideOf(world, unknown)).toEqual([
    { task: 'release', reason: 'The provider does not know the charge', attempts: 2 },
  ])
  const confirmed = await world.ada.call(`POST /api/payments/${unknown}/confirm-delivery`)
  expect([confirmed.statusCode, confirmed.json().code]).toEqual([503, 'provider_failed'])

  // The desk lists it until the provider knows the charge again.
  const admin = await world.signUp('Root', 'admin')
  const listed = async () =>
    (await admin.call('GET /api/admin/reconciliation'))
      .json()
      .setAside.map(({ paymentId, task }: { paymentId: number; task: string }) => [paymentId, task])
  expect(await listed()).toContainEqual([unknown, 'release'])
  replaceCards(world, { readIntent })
  world.advanceClock(DAY_MS)
  await world.runJobs('release-due')
  expect(await world.statusOf(unknown)).toBe('completed')
  expect(await listed()).not.toContainEqual([unknown, 'release'])
})

test('a payout is not sent while the provider does not know its charge', async () => {
  const world = await open()
  await world.connectBob()
  const paymentId = await hold(world)
  expect((await world.ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)).statusCode).toBe(200)
  const { readIntent } = cardsOf(world)
  replaceCards(world, { readIntent: async () => null })
  await world.runJobs()
  expect((await payoutOf(world, paymentId)).status).toBe('owed')
  expect(await setAsideOf(world, paymentId)).toMatchObject([{ task: 'payout' }])
  replaceCards(world, { readIntent })
  await world.runJobs('retry-payouts')
  world.advanceClock(HOUR_MS)
  await world.runJobs('retry-payouts')
  expect((await payoutOf(world, paymentId)).status).toBe('paid')
  expect(await setAsideOf(world, paymentId)).toEqual([])
})

test('neither a failed refund nor an error hides a chargeback, and the payout is not sent', async () => {
  const world = await open()
  const admin = await world.signUp('Root', 'admin')
  await world.connectBob()
  const paymentId = await hold(world)
  const intentId = await intentOf(world, paymentId)
  expect((await world.ada.call(`POST /api/payments/${paymentId}/dispute`, {})).statusCode).toBe(200)
  const ruling = { action: 'refund_partial', refundAmount: 3_000 }
  expect((await admin.call(`POST /api/admin/disputes/${paymentId}/resolve`, ruling)).statusCode).toBe(200)
  // The refund of the ruling is still due, an older one has failed, and the bank has opened a chargeback.
  const cards = cardsOf(world)
  const undecided: Pick<Chargeback, 'outcome' | 'status' | 'transactions'> = {
    outcome: 'open',
    status: 'needs_response',
    transactions: [],
  }
  let bank = undecided
  replaceCards(world, {
    readIntent: async (id) => {
      const intent = await cards.readIntent(id)
      return intent && { ...intent, hasHistory: true }
    },
    readHistory: async () => ({
      refunds: [
        { id: 're_old', amountCents: 100, failed: true, pending: false, failureReason: null, ours: false },
      ],
      chargebacks: [
        {
          id: `dp_${paymentId}`,
          reason: 'fraudulent',
          isInquiry: false,
          amountCents: 5_000,
          deadline: null,
          ...bank,
        },
      ],
      fraudSignals: [],
      reversals: [],
    }),
  })
  const { rows } = await world.sql.query('select id from payouts where payment_id = $1', [paymentId])
  await paySellerIfClear(world.services, rows[0].id)
  expect((await payoutOf(world, paymentId)).status).toBe('frozen')
  expect(await syncCharge(world.services, cardsOf(world), intentId)).toBe('not yet')

  // What the bank decides is applied too, although the failed refund still waits.
  const taken = { id: `txn_${paymentId}`, takenCents: 5_000, fee: 1_500, currency: 'usd' }
  bank = { outcome: 'lost', status: 'lost', transactions: [taken] }
  expect(await syncCharge(world.services, cardsOf(world), intentId)).toBe('not yet')
  const lost = 'select amount_cents as cents from provider_facts where key = $1'
  expect((await world.sql.query(lost, [`dispute_lost:dp_${paymentId}`])).rows).toEqual([{ cents: 5_000 }])
})

test('one payment that cannot be released or cancelled does not hold up others', {
  tags: ['proof'],
}, async () => {
  const world = await open()
  const shipping = { delivery: 'shipping', shipWithinDays: 3 } as const
  const [broken, released] = [await hold(world), await hold(world)]
  const [stuck, cancelled] = [await hold(world, undefined, shipping), await hold(world, undefined, shipping)]
  // Their postings already exist, so posting them again fails.
  for (const [id, key] of [
    [broken, `release:${broken}`],
    [stuck, `cancel:${stuck}`],
  ])
    await world.sql.query(
      `insert into ledger_entries (key, payment_id, account, amount_cents)
       values ($1, $2, 'fees:platform', 1), ($1, $2, 'fees:provider', -1),
         ($1, $2, 'escrow:' || $2, 1), ($1, $2, 'provider', -1)`,
      [key, id],
    )
  world.advanceClock(30 * DAY_MS)
  await world.runJobs('release-due')
  await cancelUnshipped(world.services)
  expect(await world.statusOf(released)).toBe('completed')
  expect(await world.statusOf(cancelled)).toBe('refunded')
  expect(await world.statusOf(broken)).toBe('held_in_escrow')
  expect(await world.statusOf(stuck)).toBe('held_in_escrow')
  expect(await setAsideOf(world, broken)).toMatchObject([{ task: 'release' }])
  expect(await setAsideOf(world, stuck)).toMatchObject([{ task: 'cancel' }])
})

test('only new events are read, in pages, and reading goes on where it was', async () => {
  const world = await open()
  const until: Date[] = []
  const since: Date[] = []
  const cards = cardsOf(world)
  replaceCards(world, {
    listEvents: async (page) => {
      since.push(page.since)
      until.push(page.until)
      return cards.listEvents(page)
    },
  })
  await fetchMissedEvents(world.services)
  world.advanceClock(40 * DAY_MS)
  await fetchMissedEvents(world.services)
  // After the outage, from ten minutes before the end of the last time.
  expect((until[0]?.getTime() ?? 0) - (since[1]?.getTime() ?? 0)).toBe(600_000)

  // Pages of one event, of which a sweep reads ten.
  const event = (n: number) => ({ id: `evt_page_${n}`, type: 'invoice.paid', objectId: 'in_1' })
  const asked: (string | null)[] = []
  replaceCards(world, {
    listEvents: async ({ after }) => {
      asked.push(after)
      const n = after ? Number(after.slice('evt_page_'.length)) + 1 : 1
      return { events: [event(n)], hasMore: n < 12 }
    },
  })
  await fetchMissedEvents(world.services)
  expect(asked).toHaveLength(10)
  await fetchMissedEvents(world.services)
  expect(asked.slice(10)).toEqual(['evt_page_10', 'evt_page_11'])
  const { rowCount } = await world.sql.query("select from webhook_events where id like 'evt_page_%'")
  expect(rowCount).toBe(12)
})

test('an unhandled event is retried for good, ever more rarely, until an admin dismisses it', async () => {
  const world = await open()
  const admin = await world.signUp('Root', 'admin')
  const objectId = `pi_nobody_${world.ada.id}`
  const id = `evt_${world.ada.id}`
  await world.sql.query(
    `insert into webhook_events (id, type, object_id, status, received_at, try_at)
     values ($1, 'payment_intent.succeeded', $2, 'parked', $3, $3)`,
    [id, objectId, new Date(world.services.clock().getTime() - 100 * DAY_MS)],
  )
  const asked = vi.fn()
  const { readIntent } = cardsOf(world)
  replaceCards(world, {
    readIntent: (intentId) => {
      if (intentId === objectId) asked()
      return readIntent(intentId)
    },
  })
  await world.runJobs('retry-parked-events')
  await world.runJobs('tidy-up', 'retry-parked-events')
  expect(asked).toHaveBeenCalledTimes(1)
  world.advanceClock(HOUR_MS)
  await world.runJobs('retry-parked-events')
  expect(asked).toHaveBeenCalledTimes(2)

  const listed = async () =>
    (await admin.call('GET /api/admin/reconciliation'))
      .json()
      .unhandledEvents.map((event: { id: string }) => event.id)
  expect(await listed()).toContain(id)
  const dismiss = () => admin.call(`POST /api/admin/provider-events/${id}/dismiss`)
  expect((await dismiss()).statusCode).toBe(200)
  expect((await dismiss()).json().code).toBe('event_not_found')
  expect(await listed()).not.toContain(id)
})

test('a charge in another currency is booked and refunded in that currency', async () => {
  const world = await open()
  const { clientSecret, paymentId } = await world.start(await world.agree())
  await world.enterCard(clientSecret)
  const [intentId = ''] = clientSecret.split('_secret_')
  const intent = await cardsOf(world).readIntent(intentId)
  if (!intent) throw new Error('the provider knows what was paid')
  const { services } = world
  const mischarged = { ...intent, currency: 'eur' as const }
  expect(await services.database.transact((tx) => holdIfPaid(tx, mischarged, services))).toBe('refunded')
  const { rows } = await world.sql.query(
    "select account, amount_cents::int as cents, currency from ledger_entries where key = 'hold:' || $1::int order by 1",
    [paymentId],
  )
  expect(rows).toEqual([
    { account: `buyer:${world.ada.id}`, cents: 12_000, currency: 'eur' },
    { account: 'provider', cents: -12_000, currency: 'eur' },
  ])
  // This charge was only pretended, so its refund is not made.
  await world.sql.query('delete from graphile_worker._private_jobs')
  await world.sql.query('update payments set refund_failed_at = now() where id = $1', [paymentId])
})
