import type { CallFault } from '@sought/sandbox/faults'
import { createInstallationReader } from '@sought/server/database/installation'
import { tidyUp } from '@sought/server/jobs/tidy-up'
import { createStripe } from '@sought/server/providers/stripe/stripe'
import { eventually } from '@sought/server/testing/eventually'
import { INTENT_OF_LAMP } from '@sought/server/testing/intent'
import { type MoneyWorld, openMoneyWorld } from '@sought/server/testing/money-world'
import { expect, test } from 'vitest'

/* Single faults of the card provider. The tests of webhooks and payouts have more. */

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Longer than the timeouts of the browser and the server here. */
const LATE: CallFault = { when: 'after', answer: { delayMs: 1_000 } }
const WAIT_MS = 300

const PENDING = "select from sandbox.deliveries where state = 'pending'"

/** A world in which the next call to each of these paths fails. */
function openFaultyWorld(...faults: { path: RegExp; fault: CallFault }[]): Promise<MoneyWorld> {
  return openMoneyWorld({
    faults: {
      call({ method, path }) {
        const index = faults.findIndex((it) => method === 'POST' && it.path.test(path))
        return index < 0 ? undefined : faults.splice(index, 1)[0]?.fault
      },
    },
  })
}

/** The provider with a timeout and without retries. */
function withTimeout({ services }: MoneyWorld, timeoutMs: number) {
  const { sandbox, config, clock } = services
  if (!sandbox) throw new Error('this world needs the sandbox')
  const { publicUrl, platformCountry } = config
  const { keys, webhookSecret } = sandbox
  const readInstallation = createInstallationReader(services.database.read)
  const retryPolicy = { timeoutMs, retries: 0 }
  return createStripe({
    ...keys,
    webhookSecrets: [webhookSecret],
    publicUrl,
    platformCountry,
    readInstallation,
    clock,
    retryPolicy,
  })
}

async function listOf<Item>(world: MoneyWorld, what: string): Promise<Item[]> {
  return (await world.stripe<{ data: Item[] }>('GET', `/v1/${what}`)).data
}

async function chargedAmounts(world: MoneyWorld): Promise<number[]> {
  const all = await listOf<{ amount: number; status: string }>(world, 'charges')
  return all.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount)
}

const amounts = async (world: MoneyWorld, what: string) =>
  (await listOf<{ amount: number }>(world, what)).map(({ amount }) => amount)

const chargebackLines = async (world: MoneyWorld, paymentId: number): Promise<string[]> => {
  const { rows } = await world.sql.query(
    "select details from dispute_timeline where dispute_id = $1 and action = 'chargeback' order by id",
    [paymentId],
  )
  return rows.map(({ details }) => details)
}

/** The buyer's bank opens a chargeback. */
async function chargeBack(world: MoneyWorld, paymentId: number): Promise<string> {
  const { stripePaymentIntentId: intent } = (await world.ada.call(`GET /api/payments/${paymentId}`)).json()
  await world.press(`/sandbox/payments/${intent}/dispute`)
  const [chargeback] = await listOf<{ id: string }>(world, 'disputes')
  return chargeback?.id ?? ''
}

test('a charge whose reply is lost is not repeated when the buyer pays again', async () => {
  const world = await openFaultyWorld({ path: /\/confirm$/, fault: LATE })
  const deal = await world.agree()
  const { clientSecret, paymentId } = await world.start(deal)
  const timeout = new Promise((resolve) => setTimeout(resolve, WAIT_MS, 'timed out'))
  expect(await Promise.race([world.enterCard(clientSecret), timeout])).toBe('timed out')
  await eventually(async () => expect(await chargedAmounts(world)).toEqual([12_000]))

  const again = await world.ada.call('POST /api/create-escrow-payment', deal)
  expect([again.statusCode, again.json().code]).toEqual([409, 'offer_already_paid'])
  const second = await world.enterCard(clientSecret)
  expect([second.status, second.body.error?.code]).toEqual([400, 'payment_intent_unexpected_state'])
  expect(await world.statusOf(paymentId)).toBe('held_in_escrow')
  expect(await chargedAmounts(world)).toEqual([12_000])
  await world.expectBooksRight()
})

test('an intent whose reply is lost is replaced, and only one of the two can be paid', async () => {
  const world = await openFaultyWorld({ path: /^\/v1\/payment_intents$/, fault: LATE })
  const { cards } = world.services
  const deal = await world.agree()
  world.services.cards = withTimeout(world, WAIT_MS)
  const first = await world.ada.call('POST /api/create-escrow-payment', deal)
  expect([first.statusCode, first.json().code]).toEqual([503, 'provider_failed'])
  world.services.cards = cards

  const { clientSecret, paymentId } = await world.start(deal)
  expect((await world.start(deal)).clientSecret).toBe(clientSecret)
  expect((await world.enterCard(clientSecret)).body.status).toBe('succeeded')
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
  const intents = await listOf<{ status: string }>(world, 'payment_intents')
  expect(intents.map(({ status }) => status).sort()).toEqual(['requires_payment_method', 'succeeded'])
  expect(await chargedAmounts(world)).toEqual([12_000])
  await world.expectBooksRight()
})

test('a call whose idempotency key is in use is answered as busy, and succeeds later', async () => {
  const world = await openMoneyWorld()
  const holder = await world.sql.connect()
  await holder.query("select pg_advisory_lock(hashtextextended('sandbox idempotency intent:1:0:0', 0))")
  const cards = withTimeout(world, 5_000)
  const payment = { ...INTENT_OF_LAMP, id: 1, amountCents: 500, createdAt: new Date(0), attempt: 0 }
  await expect(cards.createIntent(payment)).rejects.toMatchObject({ outcome: 'busy' })
  await holder.query('select pg_advisory_unlock_all()')
  holder.release()
  expect(await cards.createIntent(payment)).toMatchObject({ status: 'unpaid' })
})

test('a payout that fails for days stays owed and is then paid once', async () => {
  let down = false
  const world = await openMoneyWorld({
    faults: {
      call: ({ path }) => (down && path === '/v1/transfers' ? { when: 'before', answer: 'cut' } : undefined),
    },
  })
  await world.connectBob()
  const { paymentId } = await world.payIntoEscrow()
  down = true
  expect((await world.ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)).statusCode).toBe(200)
  for (let day = 0; day < 3; day++) {
    await world.runJobs('retry-payouts')
    expect(await world.statusOf(paymentId)).toBe('completed')
    expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(11_262)
    expect((await world.bob.call('GET /api/seller/payouts')).json()).toMatchObject([{ status: 'sending' }])
    world.advanceClock(DAY_MS)
  }
  down = false
  await world.runJobs('retry-payouts')
  expect((await world.bob.call('GET /api/seller/payouts')).json()).toMatchObject([
    { status: 'paid', amount: 11_262 },
  ])
  expect(await amounts(world, 'transfers')).toEqual([11_262])
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(0)
  await world.expectBooksRight()
})

test('a refund waits while the bank decides, and is made afterwards', async () => {
  const world = await openMoneyWorld({ webhook: 'lost' })
  const admin = await world.signUp('Root', 'admin')
  const { clientSecret, paymentId } = await world.start(await world.agree())
  await world.enterCard(clientSecret)
  await world.runJobs('sync-pending-payments')
  await world.ada.call(`POST /api/payments/${paymentId}/dispute`, {})
  const ruled = await admin.call(`POST /api/admin/disputes/${paymentId}/resolve`, { action: 'refund_full' })
  expect(ruled.statusCode, ruled.body).toBe(200)
  // The provider refuses refunds while a chargeback is open.
  const chargeback = await chargeBack(world, paymentId)
  await world.runJobs()
  expect(await amounts(world, 'refunds')).toEqual([])
  expect(await world.balanceOf(`buyer:${world.ada.id}`)).toBe(12_000)

  await world.press(`/sandbox/disputes/${chargeback}/won`)
  world.advanceClock(HOUR_MS)
  await world.runJobs('retry-refunds')
  expect(await amounts(world, 'refunds')).toEqual([12_000])
  expect(await world.balanceOf(`buyer:${world.ada.id}`)).toBe(0)
  await world.runJobs('retry-refunds')
  expect(await amounts(world, 'refunds')).toEqual([12_000])
  await world.expectBooksRight()
})

test('settlements and withdrawals are refused while a chargeback is open', async () => {
  const world = await openMoneyWorld()
  const { ada, bob } = world
  const { paymentId } = await world.payIntoEscrow()
  const chargeback = await chargeBack(world, paymentId)
  await eventually(async () => expect(await chargebackLines(world, paymentId)).toHaveLength(1))
  const withdraw = () => ada.call(`POST /api/disputes/${paymentId}/withdraw`)
  const settlement = { refundAmount: 1_000 }
  expect((await bob.call(`POST /api/disputes/${paymentId}/settlement`, settlement)).statusCode).toBe(200)
  const accepted = await ada.call(`POST /api/disputes/${paymentId}/settlement/accept`, settlement)
  for (const reply of [accepted, await withdraw()]) {
    expect(reply.statusCode).toBe(409)
    expect(reply.json().code).toBe('bank_decides')
  }
  expect(await world.statusOf(paymentId)).toBe('disputed')
  await world.press(`/sandbox/disputes/${chargeback}/won`)
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
  await world.expectBooksRight()
})

test('a chargeback that is decided before its first event arrives is applied', async () => {
  const world = await openMoneyWorld({ faults: { delivery: () => ({ mode: 'hold' }) } })
  const { clientSecret, paymentId } = await world.start(await world.agree())
  await world.enterCard(clientSecret)
  await world.runJobs('sync-pending-payments')
  await world.press(`/sandbox/disputes/${await chargeBack(world, paymentId)}/lost`)
  await world.press('/sandbox/deliveries/release')
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('resolved_buyer'))
  await eventually(async () => expect(await chargebackLines(world, paymentId)).toHaveLength(2))
  expect(await world.balanceOf(`escrow:${paymentId}`)).toBe(0)
  expect(await world.balanceOf('losses:chargebacks')).toBe(0)
  await world.runJobs('retry-refunds')
  expect(await amounts(world, 'refunds')).toEqual([])
  await world.expectBooksRight()
})

test('a chargeback without webhooks is found by the sweep', async () => {
  const world = await openMoneyWorld({ webhook: 'lost' })
  const { clientSecret, paymentId } = await world.start(await world.agree())
  await world.enterCard(clientSecret)
  await world.runJobs('sync-pending-payments')
  const chargeback = await chargeBack(world, paymentId)
  for (let times = 0; times < 2; times++) await world.runJobs('fetch-missed-events')
  expect(await world.statusOf(paymentId)).toBe('disputed')
  expect(await chargebackLines(world, paymentId)).toHaveLength(1)

  await world.press(`/sandbox/disputes/${chargeback}/lost`)
  await world.runJobs('fetch-missed-events')
  expect(await world.statusOf(paymentId)).toBe('resolved_buyer')
  expect(await chargebackLines(world, paymentId)).toHaveLength(2)
  await world.expectBooksRight()
})

test('copies of a chargeback event and concurrent sweeps add one timeline entry', async () => {
  const world = await openMoneyWorld({ faults: { delivery: () => ({ copies: 5 }) } })
  for (let round = 0; round < 3; round++) {
    const { paymentId } = await world.payIntoEscrow()
    await Promise.all([
      chargeBack(world, paymentId),
      ...['fetch-missed-events', 'retry-parked-events', 'fetch-missed-events'].map((sweep) =>
        world.runJobs(sweep),
      ),
    ])
    await world.runJobs('fetch-missed-events')
    await eventually(async () => expect(await chargebackLines(world, paymentId)).not.toEqual([]))
    await world.runJobs('retry-parked-events')
    expect(await world.statusOf(paymentId)).toBe('disputed')
    expect(await chargebackLines(world, paymentId)).toHaveLength(1)
  }
})

test('a parked chargeback is retried, even after many events of other deployments', async () => {
  let down = false
  const world = await openMoneyWorld({
    faults: {
      call: ({ path }) =>
        down && path.startsWith('/v1/disputes/') ? { when: 'before', answer: 'cut' } : undefined,
    },
  })
  const { paymentId } = await world.payIntoEscrow()
  await world.sql.query(
    `insert into webhook_events (id, type, object_id, status, received_at)
     select 'evt_foreign_' || n, 'payment_intent.succeeded', 'pi_foreign_' || n, 'parked', $1
     from generate_series(1, 150) n`,
    [new Date(world.services.clock().getTime() - HOUR_MS)],
  )
  down = true
  await chargeBack(world, paymentId)
  await eventually(async () =>
    expect(
      (await world.sql.query("select from webhook_events where type like 'charge.dispute.%'")).rowCount,
    ).not.toBe(0),
  )
  await eventually(async () => expect((await world.sql.query(PENDING)).rowCount).toBe(0))
  expect(await world.statusOf(paymentId)).toBe('held_in_escrow')
  down = false
  await world.runJobs('retry-parked-events')
  expect(await world.statusOf(paymentId)).toBe('disputed')
})

test('a handled event is not processed again', async () => {
  let reads = 0
  const world = await openMoneyWorld({
    faults: {
      call: ({ method, path }) => {
        if (method === 'GET' && path.startsWith('/v1/payment_intents/')) reads++
        return undefined
      },
    },
  })
  await world.payIntoEscrow()
  const delivered = async () =>
    (await world.sql.query("select from sandbox.deliveries where state = 'delivered'")).rowCount ?? 0
  await eventually(async () => expect((await world.sql.query(PENDING)).rowCount).toBe(0))
  const { rows } = await world.sql.query(
    "select id from webhook_events where type = 'payment_intent.succeeded'",
  )
  const [readsBefore, deliveredBefore] = [reads, await delivered()]
  await Promise.all([1, 2, 3].map(() => world.press(`/sandbox/events/${rows[0].id}/resend`)))
  await eventually(async () => expect(await delivered()).toBe(deliveredBefore + 3))
  expect(reads).toBe(readsBefore)
})

test('a job that failed permanently is deleted', async () => {
  const world = await openMoneyWorld()
  const left = async () =>
    (await world.sql.query("select from graphile_worker.jobs where task_identifier = 'pay-seller'")).rowCount
  await world.sql.query(
    "select graphile_worker.add_job('pay-seller', '{\"payoutId\":1}', max_attempts := 1, job_key := 'pay-seller:1')",
  )
  await world.sql.query('update graphile_worker._private_jobs set attempts = max_attempts')
  await world.runJobs()
  expect(await left()).toBe(1)
  await tidyUp(world.services, world.services.clock())
  expect(await left()).toBe(0)
})
