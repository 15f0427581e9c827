import { expect, test, vi } from 'vitest'
import { openMoneyWorld } from '../../../testing/money-world.ts'

test('the seller is notified of each filing, even if a dispute is filed twice within one millisecond', async () => {
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
