import { expect, test, vi } from 'vitest'
import { openMoneyWorld } from '../../../testing/money-world.ts'

test('the seller is notified of each filing, even if a dispute is filed twice within one millisecond', {
  tags: ['proof'],
}, async () => {
  const world = await openMoneyWorld()
  const { paymentId } = await world.payIntoEscrow()
  const frozenClock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
  try {
    for (const path of ['payments/:id/dispute', 'disputes/:id/withdraw', 'payments/:id/dispute']) {
      const reply = await world.ada.call(`POST /api/${path.replace(':id', String(paymentId))}`)
      expect(reply.statusCode, reply.body).toBe(200)
    }
  } finally {
    frozenClock.mockRestore()
  }
  const times = await world.sql.query(
    'select distinct timestamp from dispute_timeline where dispute_id = $1',
    [paymentId],
  )
  expect(times.rowCount).toBe(1)
  const { rows } = await world.sql.query(
    `select split_part(key, ':', 1) as kind from notifications
     where user_id = $1 and payment_id = $2 and key like 'dispute%' order by id`,
    [world.bob.id, paymentId],
  )
  expect(rows.map(({ kind }) => kind)).toEqual(['dispute_filed', 'dispute_withdrawn', 'dispute_filed'])
})

const MINUTE_MS = 60_000

test('a buyer files at most two disputes about a deal, and extends the hold to 48 hours once', async () => {
  const world = await openMoneyWorld()
  const { paymentId } = await world.payIntoEscrow()
  const leave = (minutes: number) =>
    world.sql.query('update payments set escrow_hold_until = $2 where id = $1', [
      paymentId,
      new Date(world.services.clock().getTime() + minutes * MINUTE_MS),
    ])
  const minutesLeft = async () => {
    const { escrowHoldUntil } = (await world.ada.call(`GET /api/payments/${paymentId}`)).json()
    return Math.round((Date.parse(escrowHoldUntil) - world.services.clock().getTime()) / MINUTE_MS)
  }
  const disputeAndWithdraw = async () => {
    for (const path of [`payments/${paymentId}/dispute`, `disputes/${paymentId}/withdraw`])
      expect((await world.ada.call(`POST /api/${path}`)).statusCode).toBe(200)
  }
  await leave(2)
  await disputeAndWithdraw()
  expect(await minutesLeft()).toBe(48 * 60)
  await leave(2)
  await disputeAndWithdraw()
  expect(await minutesLeft()).toBe(2)
  for (const [path, body] of [
    [`payments/${paymentId}/dispute`, {}],
    ['initiate-dispute', { paymentId, reason: 'It is blue' }],
  ] as const) {
    const third = await world.ada.call(`POST /api/${path}`, body)
    expect([third.statusCode, third.json().code]).toEqual([429, 'too_many'])
    expect(third.json().message).toContain('two disputes')
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0)
  }
  world.advanceClock(3 * MINUTE_MS)
  await world.runJobs('release-due')
  expect(await world.statusOf(paymentId)).toBe('completed')
  await world.expectBooksRight()
})

test('withdrawing a dispute about a shipped parcel does not extend the hold', async () => {
  const world = await openMoneyWorld()
  const { paymentId } = await world.payIntoEscrow(12_000, { delivery: 'shipping', shipWithinDays: 3 })
  const shipment = { carrier: 'usps', trackingNumber: '9400111899223197428490' }
  const shipped = await world.bob.call(`POST /api/payments/${paymentId}/ship`, shipment)
  expect(shipped.statusCode, shipped.body).toBe(200)
  const end = new Date(world.services.clock().getTime() + 2 * MINUTE_MS)
  await world.sql.query('update payments set escrow_hold_until = $2 where id = $1', [paymentId, end])
  for (const path of [`payments/${paymentId}/dispute`, `disputes/${paymentId}/withdraw`])
    expect((await world.ada.call(`POST /api/${path}`)).statusCode).toBe(200)
  const { escrowHoldUntil } = (await world.ada.call(`GET /api/payments/${paymentId}`)).json()
  expect(Date.parse(escrowHoldUntil) - end.getTime()).toBeLessThan(MINUTE_MS)
})
