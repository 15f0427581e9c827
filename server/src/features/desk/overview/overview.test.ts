import type { PaymentStatus } from '@sought/escrow/payment-status'
import { expect, test } from 'vitest'
import { findFullScans } from '../../../testing/full-scans.ts'
import { addTraders } from '../../../testing/traders.ts'
import { openWorld } from '../../../testing/world.ts'

const HOUR_MS = 3_600_000

async function openDesk() {
  const world = await addTraders(await openWorld())
  const root = await world.signUp('Root', 'admin')
  return {
    world,
    given: async (status: PaymentStatus) => (await world.given.payment({ status })).paymentId,
    changeCase: (paymentId: number, hoursAgo: number, firstStepHoursAgo: number | null = null) => {
      const before = (hours: number) => new Date(world.services.clock().getTime() - hours * HOUR_MS)
      return world.sql.query(
        'update dispute_cases set opened_at = $2, first_step_at = $3 where payment_id = $1',
        [paymentId, before(hoursAgo), firstStepHoursAgo && before(firstStepHoursAgo)],
      )
    },
    overview: async () => (await root.call('GET /api/admin/overview')).json(),
    listed: async (path: string) =>
      (await root.call(`GET /api${path}`)).json<{ id: number }[]>().map(({ id }) => id),
  }
}

test('the overview is empty if there is nothing to do', async () => {
  const { overview } = await openDesk()
  expect(await overview()).toEqual([])
})

test('disputes are overdue a day after filing without an answer, or after seven business days', async () => {
  const { given, changeCase, overview, listed, world } = await openDesk()
  await changeCase(await given('disputed'), 23)
  const unanswered = await given('disputed')
  await changeCase(unanswered, 25)
  await changeCase(await given('under_review'), 7 * 24, 7 * 24 - 1)
  const unruled = await given('under_review')
  await changeCase(unruled, 12 * 24, 11 * 24)
  const ofBank = await given('under_review')
  await changeCase(ofBank, 12 * 24, 11 * 24)
  await world.sql.query('update payments set bank_decides = true where id = $1', [ofBank])
  const path = '/admin/disputes?status=overdue'
  expect(await overview()).toEqual([{ kind: 'dispute_overdue', count: 2, path }])
  expect(await listed(path)).toEqual([unruled, unanswered])
})

test('kinds are listed most urgent first, and each page lists the counted items', async () => {
  const { given, changeCase, overview, listed, world } = await openDesk()
  const { sql } = world
  const [disputed, refunded, paid] = [
    await given('disputed'),
    await given('refunded'),
    await given('completed'),
  ]
  await changeCase(disputed, 48)
  await sql.query(
    `insert into chargebacks (id, payment_id, amount_cents, status, reason, deadline)
     values ('dp_1', $1, 100, 'needs_response', 'fraudulent', $2)`,
    [disputed, new Date(world.services.clock().getTime() + HOUR_MS)],
  )
  await sql.query('update payments set refund_cents = amount, refund_failed_at = now() where id = $1', [
    refunded,
  ])
  await sql.query("update payouts set method = 'manual' where payment_id = $1", [paid])
  await sql.query(
    `insert into reconciliation_differences (key, day, currency, expected_cents, actual_cents, text)
     values ('one', '2026-01-01', 'usd', 1, 2, 'One cent')`,
  )
  expect(await overview()).toEqual([
    { kind: 'dispute_overdue', count: 1, path: '/admin/disputes?status=overdue' },
    { kind: 'bank_deadline', count: 1, path: '/admin/disputes?status=bank_deadline' },
    { kind: 'refund_failed', count: 1, path: '/admin/refunds' },
    { kind: 'manual_payout', count: 1, path: '/admin/payouts' },
    { kind: 'reconciliation', count: 1, path: '/admin/reconciliation' },
  ])
  expect(await listed('/admin/disputes?status=bank_deadline')).toEqual([disputed])

  // A waiting payout is not payable yet, and a chargeback with evidence needs no admin.
  await sql.query('update users set payouts_wait_until = $2 where id = $1', [
    world.bob.id,
    new Date(world.services.clock().getTime() + HOUR_MS),
  ])
  await sql.query('update chargebacks set evidence_sent_at = now()')
  const kinds = (await overview()).map(({ kind }: { kind: string }) => kind)
  expect(kinds).toEqual(['dispute_overdue', 'refund_failed', 'reconciliation'])
})

test('the overview needs no full scan of a growing table', async () => {
  const { overview, world } = await openDesk()
  expect(await findFullScans(world.sql, overview)).toEqual([])
})
