import { expect, test } from 'vitest'
import { findFullScans } from '../../../testing/full-scans.ts'
import { shareMoneyWorld } from '../../../testing/money-world.ts'
import { PASSWORD } from '../../../testing/world.ts'
import { erasePurchaseIps } from './purchase-ip.ts'

/* The IP address from which a buyer paid. */

const open = shareMoneyWorld()

const DAY_MS = 86_400_000

async function openDeal() {
  const world = await open()
  const { ada, sql, services } = world
  const { paymentId } = await world.payIntoEscrow()
  const ipOf = async (id: number) =>
    (await sql.query('select purchase_ip as ip from payments where id = $1', [id])).rows[0].ip
  const exported = async () => (await ada.call('GET /api/user/data')).json().purchaseAddresses
  const erase = () => erasePurchaseIps(services)
  return { ...world, paymentId, ipOf, exported, erase }
}

test('is stored with the payment, part of the buyer’s data export, and erased 180 days after the deal', async () => {
  const { ada, bob, paymentId, ipOf, exported, erase, services, sql } = await openDeal()
  expect(await ipOf(paymentId)).toBe('127.0.0.1')
  const kept = [{ paymentId, deliveryAddress: null, purchaseIp: '127.0.0.1' }]
  expect(await exported()).toEqual(kept)
  for (const party of [ada, bob])
    expect((await party.call(`GET /api/payments/${paymentId}`)).body).not.toContain('127.0.0.1')

  const age = (column: string, days: number) =>
    sql.query(`update payments set ${column} = $2 where id = $1`, [
      paymentId,
      new Date(services.clock().getTime() - days * DAY_MS),
    ])
  // The deal has not ended.
  await age('updated_at', 365)
  await erase()
  expect(await exported()).toEqual(kept)
  expect((await ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)).statusCode).toBe(200)
  await age('ended_at', 179)
  await erase()
  expect(await exported()).toEqual(kept)
  expect(await findFullScans(sql, erase)).toEqual([])
  await age('ended_at', 180)
  await erase()
  expect(await ipOf(paymentId)).toBeNull()
  expect(await exported()).toEqual([])
})

test('is erased when the buyer deletes their account', async () => {
  const { ada, paymentId, ipOf, runJobs, connectBob } = await openDeal()
  await connectBob()
  await ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
  await runJobs()
  const deleted = await ada.call('POST /api/user/delete-account', { password: PASSWORD })
  expect(deleted.statusCode, deleted.body).toBe(200)
  expect(await ipOf(paymentId)).toBeNull()
})
