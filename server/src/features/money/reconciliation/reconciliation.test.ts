import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { Registry } from 'prom-client'
import { expect, onTestFinished, test } from 'vitest'
import { ProviderFailed } from '../../../providers/stripe/card-provider.ts'
import { type MoneyWorld, openMoneyWorld } from '../../../testing/money-world.ts'
import { METRICS_ACCESS, openDatabase } from '../../../testing/world.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { addProviderDebtMetric, addReconciliationMetrics } from './metrics.ts'
import { reconcile as reconcileNight } from './reconcile.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Without webhooks, events at the provider are booked only when a sweep asks for them. */
async function openNights() {
  const world = await openMoneyWorld({ webhook: 'lost' })
  // A few hours later it must still be the same night.
  world.advanceClock(DAY_MS - ((Date.now() - 4 * HOUR_MS) % DAY_MS))
  const admin = await world.signUp('Root', 'admin')
  const { clientSecret, paymentId } = await world.start(await world.agree())
  await world.enterCard(clientSecret)
  await world.runJobs('sync-pending-payments')
  expect(await world.statusOf(paymentId)).toBe('held_in_escrow')
  const [intentId = ''] = clientSecret.split('_secret_')
  return {
    world,
    paymentId,
    refund: (cents: number) =>
      world.stripe('POST', '/v1/refunds', { payment_intent: intentId, amount: String(cents) }),
    /** Runs the sweep, and returns what the desk shows. */
    async reconcile() {
      await world.runJobs('reconcile')
      const reply = await admin.call('GET /api/admin/reconciliation')
      expect(reply.statusCode, reply.body).toBe(200)
      return reply.json()
    },
    async metric(name: string): Promise<number> {
      const { body } = await world.visitor('GET /metrics', undefined, METRICS_ACCESS)
      return Number(body.match(new RegExp(`^sought_reconciliation_${name} (.+)$`, 'm'))?.[1])
    },
    emails: async () =>
      (await world.sql.query("select address from mails where kind = 'reconciliation_differences'")).rows,
    admin,
  }
}

/** A charge that somebody made in the provider's dashboard. */
const chargeInDashboard = ({ stripe }: MoneyWorld) =>
  stripe('POST', '/v1/payment_intents', {
    amount: '5000',
    currency: 'usd',
    payment_method: 'pm_card_bypassPending',
    confirm: 'true',
    'automatic_payment_methods[enabled]': 'true',
    'automatic_payment_methods[allow_redirects]': 'never',
  })

test('unbooked movements are reported every night until both sides agree', { tags: ['proof'] }, async () => {
  const { world, paymentId, refund, reconcile, metric, emails, admin } = await openNights()
  expect(await metric('differences')).toBe(0)
  expect(await metric('last_run_timestamp_seconds')).toBe(0)
  world.advanceClock(2 * HOUR_MS)
  const agreed = await reconcile()
  expect(agreed).toMatchObject({ lastRun: { transactions: 1 }, total: 0, differences: [], ownMovements: [] })
  expect(await metric('last_run_timestamp_seconds')).toBe(Date.parse(agreed.lastRun.finishedAt) / 1000)

  // It runs only once a night.
  await chargeInDashboard(world)
  await refund(2_000)
  world.advanceClock(2 * HOUR_MS)
  expect((await reconcile()).lastRun).toEqual(agreed.lastRun)
  await world.stripe('POST', '/v1/payouts', { amount: '1000', currency: 'usd' })

  world.advanceClock(DAY_MS)
  const { services } = world
  await Promise.all([reconcileNight(services), reconcileNight(services)])
  const found = await reconcile()
  expect(found).toMatchObject({ total: 2, ownMovements: [{ type: 'payout', amountCents: -1_000 }] })
  expect(found.differences).toEqual([
    {
      day: found.differences[0].day,
      transactionId: expect.stringMatching(/^txn_/),
      paymentId,
      currency: 'usd',
      expectedCents: 0,
      actualCents: -2_000,
      text: `Payment ${paymentId}: the provider has -20.00 USD in refunds, the ledger has 0.00 USD`,
    },
    expect.objectContaining({
      paymentId: null,
      expectedCents: 0,
      // 50.00 minus 2.9 % and 30 cents.
      actualCents: 4_825,
      text: expect.stringMatching(/^Transaction txn_\w+: charge of 48\.25 USD belongs to no payment$/),
    }),
  ])
  expect(await metric('differences')).toBe(2)
  expect(await emails()).toEqual([{ address: admin.email }])
  const { problems } = await checkLedger(services.database.read, services.cards)
  expect(problems).toEqual(found.differences.map(({ text }: { text: string }) => text))

  // The refund is booked now. Another is too recent to be reported.
  await world.runJobs('fetch-missed-events')
  world.advanceClock(DAY_MS)
  await refund(1_000)
  expect(await reconcile()).toMatchObject({ total: 2 })
  world.advanceClock(DAY_MS)
  expect((await reconcile()).differences).toMatchObject([
    { paymentId, expectedCents: -2_000, actualCents: -3_000, day: found.differences[0].day },
    { paymentId: null },
  ])
  await world.runJobs('fetch-missed-events')
  world.advanceClock(DAY_MS)
  expect(await reconcile()).toMatchObject({ total: 1, differences: [{ paymentId: null }] })
  expect(await emails()).toHaveLength(4)
})

test('an unavailable provider is asked again by the next sweep; unexpected errors fail the sweep', async () => {
  const { world, reconcile } = await openNights()
  world.advanceClock(2 * HOUR_MS)
  const failWith = (error: Error) => {
    const { cards } = world.services
    if (!cards) throw new Error('this world has a provider')
    const movementsSince = () => {
      throw error
    }
    return reconcileNight({ ...world.services, cards: { ...cards, movementsSince } })
  }
  await failWith(new ProviderFailed('unknown', null))
  await expect(failWith(new TypeError('a defect'))).rejects.toThrow('a defect')
  expect((await world.sql.query('select from reconciliations')).rowCount).toBe(0)
  expect((await reconcile()).lastRun).toMatchObject({ transactions: 1 })
})

test('metrics keep their values while the database is unreachable, and report any other error', async () => {
  const readFrom = (connectionString: string) => {
    const pool = new pg.Pool({ connectionString })
    onTestFinished(() => pool.end())
    const metrics = new Registry()
    addReconciliationMetrics(metrics, drizzle(pool))
    return metrics.metrics()
  }
  expect(await readFrom('postgres://127.0.0.1:1/none')).toContain('sought_reconciliation_differences 0')
  await expect(readFrom(await openDatabase({ migrated: false }))).rejects.toThrow()
})

test('a negative balance at the provider is a debt in the metrics, asked for every five minutes', async () => {
  const { world } = await openNights()
  const { cards, log } = world.services
  if (!cards) throw new Error('there is no card provider')
  let now = 0
  let asked = 0
  let usd = -250
  const readBalance = async () => {
    asked++
    if (asked === 2) throw new ProviderFailed('unknown', null)
    return [
      { currency: 'usd', cents: usd },
      { currency: 'eur', cents: 100 },
    ]
  }
  const metrics = new Registry()
  const clock = () => new Date(now)
  addProviderDebtMetric(metrics, { cards: { ...cards, readBalance }, clock, log })
  const read = async () => {
    await metrics.metrics()
    return (await metrics.metrics()).split('\n').filter((line) => line.startsWith('sought_provider_debt'))
  }
  const debt = [
    'sought_provider_debt_cents{currency="usd"} 250',
    'sought_provider_debt_cents{currency="eur"} 0',
  ]
  expect([await read(), asked]).toEqual([debt, 1])
  now += 5 * 60_000
  // If the provider fails, the last values are kept.
  expect([await read(), asked]).toEqual([debt, 2])
  now += 5 * 60_000
  usd = 0
  expect((await read())[0]).toBe('sought_provider_debt_cents{currency="usd"} 0')
  // The sandbox has received one charge of 120.00.
  expect(await cards.readBalance()).toEqual([{ currency: 'usd', cents: 11_622 }])
})

test('a booking without a movement is a difference, and movements of another database are not', async () => {
  const { world, paymentId, reconcile } = await openNights()
  // The charge belongs to another database.
  const other = { 'metadata[installation]': '00000000-0000-4000-8000-000000000000' }
  const { data } = await world.stripe<{ data: { id: string }[] }>('GET', '/v1/charges')
  await world.stripe('POST', `/v1/charges/${data[0]?.id}`, other)
  world.advanceClock(2 * HOUR_MS)
  expect((await reconcile()).differences).toMatchObject([
    { paymentId, transactionId: null, expectedCents: 12_000, actualCents: 0 },
    { paymentId, transactionId: null, expectedCents: -378, actualCents: 0 },
  ])
})
