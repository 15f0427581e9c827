import { untilWaiting } from '@sought/server/testing/lock-waits'
import { openMoneyWorld } from '@sought/server/testing/money-world'
import type {} from '@sought/server/testing/start-postgres'
import { shareWorld } from '@sought/server/testing/world'
import { expect, inject, test, vi } from 'vitest'
import { anySeed } from '../support/random.ts'
import { allRaces, endingsOf } from './outcomes.ts'
import type { ActName, SceneName } from './payment-model.ts'
import { races } from './races.ts'

const world = shareWorld({ RATE_LIMIT: 'off' })
const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh' }

/** One in five of the combinations, once each, and every race beside the money. */
const SHARE = 0.000_2

test('whatever races on two servers comes to what some order gives', async () => {
  const seed = anySeed()
  const lines = await races({ postgresUrl: inject('postgresUrl'), seed, share: SHARE })
  const violations = lines.flatMap(({ what, violations }) => violations.map((it) => `${what}: ${it}`))
  expect(violations, `seed ${seed}`).toEqual([])
}, 60_000)

test('what may win, and what the others are told', () => {
  const answersOf = (scene: SceneName, ...acts: ActName[]) =>
    [...new Set([...endingsOf({ scene, acts }).all].map((ending) => ending.split(';')[0]))].toSorted()

  expect(answersOf('an offer is pending', 'accept', 'reject', 'withdraw the offer')).toEqual([
    'offer_not_pending, offer_not_pending, ok',
    'offer_not_pending, ok, offer_not_pending',
    'ok, offer_not_pending, offer_not_pending',
  ])
  expect(answersOf('agreed', 'pay', 'pay')).toEqual([
    'charged before, ok',
    'offer_already_paid, ok',
    'ok, charged before',
    'ok, offer_already_paid',
  ])
  expect(answersOf('charged, and not heard of', 'webhook', 'confirm manually')).toEqual(['ok, ok'])
  expect(answersOf('held', 'confirm', 'dispute')).toEqual([
    'ok, payment_wrong_state',
    'payment_wrong_state, ok',
  ])
  expect(answersOf('held', 'dispute', 'rule')).toEqual(['ok, dispute_not_found', 'ok, ok'])
  expect(answersOf('held and due', 'confirm', 'dispute', 'auto-release')).toEqual([
    'ok, payment_wrong_state, passed over',
    'payment_wrong_state, ok, passed over',
    'payment_wrong_state, payment_wrong_state, ok',
  ])
  // Of two sweeps one does it, unless both pass over what an admin has locked.
  expect(answersOf('held and due', 'accept', 'auto-release', 'auto-release')).toEqual([
    'offer_not_pending, ok, passed over',
  ])
  expect(answersOf('held and due', 'auto-release', 'auto-release', 'rule')).toEqual([
    'ok, passed over, dispute_not_found',
    'passed over, passed over, dispute_not_found',
  ])
  expect(answersOf('disputed, with a proposal', 'settle', 'rule')).toEqual([
    'dispute_resolved, ok',
    'ok, dispute_resolved',
  ])
  expect(allRaces().length).toBe(572)
})

test('who is leaving reopens nothing any more', async () => {
  const { signUp, sql } = world()
  const cid = await signUp('Cid')
  const { id } = (await cid.call('POST /api/wanted-items', lamp)).json()
  await cid.call(`POST /api/wanted-items/${id}/close`)
  const leaving = await sql.connect()
  try {
    await leaving.query('begin')
    await leaving.query('select from users where id = $1 for update', [cid.id])
    const reopening = cid.call(`POST /api/wanted-items/${id}/reopen`)
    await Promise.race([reopening, untilWaiting(sql)])
    await leaving.query('update users set deleted_at = now() where id = $1', [cid.id])
    await leaving.query('commit')
    expect((await reopening).json().code).toBe('signed_out')
  } finally {
    leaving.release(true)
  }
  expect((await sql.query('select status from wanted_items where id = $1', [id])).rows).toEqual([
    { status: 'closed' },
  ])
})

test('filed, withdrawn and filed again within one moment: the seller is told each time', async () => {
  const it = await openMoneyWorld()
  const { paymentId } = await it.held()
  const oneMoment = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
  try {
    for (const path of ['payments/:id/dispute', 'disputes/:id/withdraw', 'payments/:id/dispute']) {
      const reply = await it.ada.call(`POST /api/${path.replace(':id', String(paymentId))}`)
      expect(reply.statusCode, reply.body).toBe(200)
    }
  } finally {
    oneMoment.mockRestore()
  }
  const moments = await it.sql.query(
    'select distinct timestamp from dispute_timeline where dispute_id = $1',
    [paymentId],
  )
  expect(moments.rowCount).toBe(1)
  const { rows } = await it.sql.query(
    `select split_part(key, ':', 1) as told from notifications
     where user_id = $1 and payment_id = $2 and key like 'dispute%' order by id`,
    [it.bob.id, paymentId],
  )
  expect(rows.map(({ told }) => told)).toEqual(['dispute_filed', 'dispute_withdrawn', 'dispute_filed'])
})
