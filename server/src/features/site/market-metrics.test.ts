import { expect, test } from 'vitest'
import { openMoneyWorld } from '../../testing/money-world.ts'
import { METRICS_ACCESS, type World } from '../../testing/world.ts'

const DAY_MS = 24 * 3_600_000
const FIGURES_MAX_AGE_MS = 30_000
const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh' }

/** Values by series, such as `sought_owed_cents{to="buyers"}`. */
async function readMetrics({ visitor }: World): Promise<Record<string, number>> {
  const { body, statusCode } = await visitor('GET /metrics', undefined, METRICS_ACCESS)
  expect(statusCode).toBe(200)
  const samples = body.split('\n').filter((line) => line.startsWith('sought_'))
  return Object.fromEntries(
    samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )
}

test('metrics show the money on its way from escrow to the payout', async () => {
  const world = await openMoneyWorld()
  const { ada, bob, sql, advanceClock } = world
  const readFresh = () => {
    advanceClock(FIGURES_MAX_AGE_MS)
    return readMetrics(world)
  }
  const { id: wantedItemId } = (await ada.call('POST /api/wanted-items', lamp)).json()
  await bob.call('POST /api/offers', { wantedItemId, receiverId: ada.id, amount: 4_000 })
  const { paymentId } = await world.payIntoEscrow(12_000)
  const { paymentId: disputedId } = await world.payIntoEscrow(5_000)
  await ada.call(`POST /api/payments/${disputedId}/dispute`, { reason: 'It never arrived at my door.' })
  expect(await world.statusOf(disputedId)).toBe('disputed')
  expect(await readMetrics(world)).toMatchObject({
    'sought_escrow_cents{state="held",currency="usd"}': 12_000,
    'sought_escrow_cents{state="disputed",currency="usd"}': 5_000,
    'sought_escrow_payments{state="held"}': 1,
    'sought_escrow_payments{state="disputed"}': 1,
    'sought_escrow_payments{state="suspicious"}': 0,
    'sought_releases_due_cents{currency="usd"}': 0,
    sought_releases_overdue: 0,
    'sought_owed_cents{to="sellers",currency="usd"}': 0,
    sought_chargeback_deadline_timestamp_seconds: 0,
    'sought_activity_total{activity="request"}': 1,
    'sought_activity_total{activity="offer"}': 1,
    'sought_activity_total{activity="checkout"}': 2,
    'sought_activity_total{activity="payment_hold"}': 2,
    'sought_activity_total{activity="payment_dispute"}': 1,
    'sought_activity_total{activity="payment_lapse"}': 0,
  })

  const { rows } = await sql.query('select escrow_hold_until as ends from payments where id = $1', [
    paymentId,
  ])
  const endsInMs = rows[0].ends.getTime() - world.services.clock().getTime()
  advanceClock(endsInMs - DAY_MS / 2)
  expect(await readFresh()).toMatchObject({
    'sought_releases_due_cents{currency="usd"}': 12_000,
    sought_releases_overdue: 0,
  })

  advanceClock(DAY_MS / 2)
  const overdue = await readFresh()
  expect(overdue).toMatchObject({
    'sought_releases_due_cents{currency="usd"}': 0,
    sought_releases_overdue: 1,
    'sought_releases_overdue_cents{currency="usd"}': 12_000,
  })
  expect(overdue.sought_releases_overdue_oldest_seconds).toBeGreaterThanOrEqual(60)

  await world.runJobs('release-due')
  const payoutCents = await world.balanceOf(`seller:${world.bob.id}`)
  expect(payoutCents).toBe(11_262)
  expect(await readFresh()).toMatchObject({
    'sought_escrow_cents{state="held",currency="usd"}': 0,
    sought_releases_overdue: 0,
    'sought_owed_cents{to="sellers",currency="usd"}': 11_262,
    'sought_owed_payments{to="sellers"}': 1,
    // Bob has no account yet.
    sought_payouts_stuck: 0,
    'sought_activity_total{activity="payment_lapse"}': 1,
  })

  // A process caches the figures, however often they are requested.
  await sql.query("update users set stripe_connect_account_id = 'acct_1' where id = $1", [world.bob.id])
  advanceClock(FIGURES_MAX_AGE_MS - 1)
  expect(await readMetrics(world)).toMatchObject({ sought_payouts_stuck: 0 })
  advanceClock(DAY_MS)
  expect(await readMetrics(world)).toMatchObject({ sought_payouts_stuck: 1, sought_manual_payouts: 0 })
  await sql.query("update payouts set method = 'manual'")
  const manual = await readFresh()
  expect(manual).toMatchObject({ sought_payouts_stuck: 0, sought_manual_payouts: 1 })
  expect(manual.sought_manual_payouts_oldest_seconds).toBeGreaterThan(DAY_MS / 1000)
})

test('metrics show what waits for the provider, a bank, an admin or a worker', {
  tags: ['proof'],
}, async () => {
  const world = await openMoneyWorld()
  const { sql } = world
  const { paymentId } = await world.payIntoEscrow(12_000)
  await sql.query('update payments set refund_cents = 700, refund_attempt = 1 where id = $1', [paymentId])
  const { paymentId: pendingId } = await world.start(await world.agree())
  const now = world.services.clock()
  const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  const deadline = new Date(now.getTime() + DAY_MS)
  await sql.query('update payments set submitted_at = $2 where id = $1', [pendingId, minutesAgo(10)])
  await sql.query(
    "insert into webhook_events (id, type, object_id, status, received_at) values ('evt_1', 'x', 'y', 'parked', $1)",
    [minutesAgo(30)],
  )
  await sql.query(
    `insert into chargebacks (id, payment_id, amount_cents, status, reason, deadline, evidence_sent_at)
     values ('dp_1', $1, 1, 'needs_response', 'x', $2, null), ('dp_2', $1, 1, 'under_review', 'x', $3, $3)`,
    [paymentId, deadline, minutesAgo(1)],
  )
  await sql.query(`select graphile_worker.add_job('send-mail', run_at := now() - interval '5 minutes');
    select graphile_worker.add_job('match-searches', max_attempts := 1);
    update graphile_worker._private_jobs set attempts = 1 where max_attempts = 1`)
  const metrics = await readMetrics(world)
  expect(metrics).toMatchObject({
    'sought_owed_cents{to="buyers",currency="usd"}': 700,
    'sought_owed_payments{to="buyers"}': 1,
    sought_refunds_stuck: 1,
    sought_webhooks_parked: 1,
    sought_chargebacks_open: 2,
    'sought_jobs{task="match-searches",state="failed"}': 1,
    'sought_jobs{task="match-searches",state="running"}': 0,
  })
  const deadlineSeconds = metrics.sought_chargeback_deadline_timestamp_seconds ?? 0
  expect(Math.round(deadlineSeconds)).toBe(Math.round(deadline.getTime() / 1000))
  expect(metrics['sought_jobs_oldest_seconds{task="send-mail"}']).toBeGreaterThanOrEqual(300)
  expect(Math.round(metrics.sought_payments_unconfirmed_oldest_seconds ?? 0)).toBe(600)
  expect(Math.round(metrics.sought_webhooks_parked_oldest_seconds ?? 0)).toBe(1800)

  // A process that cannot read the figures still reports all other metrics, and the last known figures.
  await sql.query('alter table chargebacks rename to gone')
  world.advanceClock(FIGURES_MAX_AGE_MS)
  const stale = await readMetrics(world)
  expect(stale).toMatchObject({ sought_chargebacks_open: 2, sought_ready: 1 })
  expect(stale.sought_figures_timestamp_seconds).toBe(metrics.sought_figures_timestamp_seconds)
})
