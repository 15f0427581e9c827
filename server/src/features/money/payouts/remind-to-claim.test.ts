import { expect, test } from 'vitest'
import { addTraders } from '../../../testing/traders.ts'
import { openWorld } from '../../../testing/world.ts'
import { remindToClaim } from './remind-to-claim.ts'

const DAY_MS = 86_400_000

test('a seller without a way to be paid is reminded ever more rarely, and the desk lists the payout', async () => {
  const world = await addTraders(await openWorld())
  const admin = await world.signUp('Root', 'admin')
  const { paymentId } = await world.given.payment({ status: 'completed' })
  const start = world.services.clock()
  await world.sql.query("update payouts set created_at = $2, status = 'owed' where payment_id = $1", [
    paymentId,
    start,
  ])
  const reminders = async () => {
    await remindToClaim(world.services)
    const { rows } = await world.sql.query(
      "select key from notifications where user_id = $1 and key like 'payout_unclaimed:%' order by id",
      [world.bob.id],
    )
    return rows.map(({ key }) => Number(key.split(':')[2]))
  }
  const unclaimed = async () =>
    (await admin.call('GET /api/admin/payouts?status=unclaimed'))
      .json()
      .map((payout: { paymentId: number; status: string }) => [payout.paymentId, payout.status])
  const shown: number[][] = []
  for (let day = 0; day <= 26; day += 2) {
    shown.push(await reminders())
    if (day === 12) expect(await unclaimed()).toEqual([])
    if (day === 14) expect(await unclaimed()).toEqual([[paymentId, 'unclaimed']])
    world.advanceClock(2 * DAY_MS)
  }
  expect(shown.at(-1)).toEqual([3, 6, 12, 24])
  expect((await admin.call('GET /api/admin/overview')).json()).toContainEqual({
    kind: 'payout_unclaimed',
    count: 1,
    path: '/admin/payouts?status=unclaimed',
  })
  await world.sql.query("update users set bank_account_details = 'sealed' where id = $1", [world.bob.id])
  world.advanceClock(100 * DAY_MS)
  expect(await reminders()).toEqual([3, 6, 12, 24])
})
