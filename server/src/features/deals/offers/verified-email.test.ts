import { expect, test } from 'vitest'
import { changeSettings } from '../../../testing/change-settings.ts'
import { openMoneyWorld } from '../../../testing/money-world.ts'
import type { Person } from '../../../testing/world.ts'

const FIRST = [403, 'verify_email_first']

test('offers, answers and payments need a verified email if the operator wants it', async () => {
  const world = await openMoneyWorld()
  const { ada, bob, given, sql, services } = world
  const { itemId } = await given.request({ buyer: ada })
  const verify = (user: Person, at: string | null) =>
    sql.query('update users set email_verified_at = $2 where id = $1', [user.id, at])
  for (const user of [ada, bob]) await verify(user, null)
  const agreed = await given.agreement({ buyer: ada, seller: bob })
  await changeSettings(services, { requireVerifiedEmail: true })

  const ask = async (user: Person, call: string, body?: object) => {
    const reply = await user.call(call, body)
    return [reply.statusCode, reply.json().code]
  }
  const offer = { wantedItemId: itemId, receiverId: ada.id, amount: 5_000 }
  expect(await ask(bob, 'POST /api/offers', offer)).toEqual(FIRST)
  await verify(bob, '2026-01-01')
  const { id } = (await bob.call('POST /api/offers', offer)).json()
  const counter = [`POST /api/offers/${id}/counter`, { amount: 4_000 }] as const
  expect(await ask(ada, ...counter)).toEqual(FIRST)
  expect(await ask(ada, `PATCH /api/offers/${id}/accept`)).toEqual(FIRST)
  const { offerId, amount } = agreed
  const paid = { itemId: agreed.itemId, amount }
  expect(await ask(ada, 'POST /api/create-escrow-payment', { ...paid, offerId })).toEqual(FIRST)
  expect(await ask(ada, 'POST /api/create-payment-intent', paid)).toEqual(FIRST)
  // Saying no needs nothing.
  expect((await ada.call(`PATCH /api/offers/${id}/reject`)).statusCode).toBe(200)

  await verify(ada, '2026-01-01')
  expect((await ada.call('POST /api/create-escrow-payment', { ...paid, offerId })).statusCode).toBe(200)
  expect((await ada.call('POST /api/create-payment-intent', paid)).statusCode).toBe(200)
  const { id: next } = (await bob.call('POST /api/offers', offer)).json()
  expect((await ada.call(`POST /api/offers/${next}/counter`, { amount: 4_000 })).statusCode).toBe(201)
  // The seller accepts the counter-offer.
  await verify(bob, null)
  const { rows } = await sql.query('select id from offers where counter_of = $1', [next])
  expect(await ask(bob, `PATCH /api/offers/${rows[0].id}/accept`)).toEqual(FIRST)
  await verify(bob, '2026-01-01')
  expect((await bob.call(`PATCH /api/offers/${rows[0].id}/accept`)).statusCode).toBe(200)
})

test('production needs a verified email unless the operator says otherwise', async () => {
  const world = await openMoneyWorld()
  const { ada, bob, given, services } = world
  await world.sql.query('update users set email_verified_at = null')
  services.config.settingDefaults.requireVerifiedEmail = true
  const { itemId } = await given.request({ buyer: ada })
  const offer = () =>
    bob.call('POST /api/offers', { wantedItemId: itemId, receiverId: ada.id, amount: 5_000 })
  expect((await offer()).statusCode).toBe(403)
  await changeSettings(services, { requireVerifiedEmail: false })
  expect((await offer()).statusCode).toBe(201)
})
