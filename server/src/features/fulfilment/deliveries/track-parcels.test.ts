import { expect, test } from 'vitest'
import type { TrackingProvider } from '../../../providers/tracking/tracking-provider.ts'
import { SIGNATURE_HEADER } from '../../../providers/tracking/webhook-signature.ts'
import { waitUntilBlocked } from '../../../testing/blocked-statements.ts'
import { EASYPOST_ENV, startFakeEasyPost } from '../../../testing/fake-easypost.ts'
import { openWorld, shareWorld, type World } from '../../../testing/world.ts'
import { checkTrackers, startTracking, stopTracking } from './track-parcels.ts'

const world = shareWorld({ RATE_LIMIT: 'off' })
const HOUR_MS = 3_600_000

let parcels = 0

/** A payment whose parcel is tracked. Each parcel has its own number. */
async function givenParcel(it: World = world(), number = `1Z${String(++parcels).padStart(16, '0')}`) {
  const [buyer, seller] = [await it.signUp('Ada'), await it.signUp('Bob')]
  const { paymentId } = await it.given.heldPayment({ buyer, seller })
  const { database, tracking } = it.services
  const start = (carrier: 'ups' | 'other', of = number) =>
    database.transact((tx) => startTracking(tx, tracking, { paymentId, carrier, number: of }))
  await start('ups')
  return {
    paymentId,
    number,
    start,
    row: async () => {
      const { rows } = await it.sql.query('select * from trackers where payment_id = $1', [paymentId])
      return rows[0]
    },
    statusNow: async () =>
      (await it.sql.query('select status from trackers where payment_id = $1', [paymentId])).rows[0]?.status,
  }
}

const move = ({ visitor }: World, number: string, status: string) =>
  visitor(`POST /dev/parcels/${number}`, { status })

/** A tracking service that replies with the given report, as late as the test wants. */
function answerWith(report: () => Promise<Awaited<ReturnType<TrackingProvider['fetch']>>>): TrackingProvider {
  return { supports: () => true, register: report, fetch: report, parseWebhook: () => undefined }
}

test('the sweep registers a parcel, and each step arrives immediately by webhook', async () => {
  const parcel = await givenParcel()
  expect(await parcel.row()).toMatchObject({ tracker_id: null, status: 'unknown', checked_at: null })
  await checkTrackers(world().services)
  expect(await parcel.row()).toMatchObject({
    tracker_id: expect.stringMatching(/^trk_\w{32}$/),
    carrier: 'ups',
    number: parcel.number,
    status: 'pre_transit',
    checked_at: expect.any(Date),
  })
  for (const status of ['in_transit', 'out_for_delivery', 'delivered']) {
    const reply = await move(world(), parcel.number, status)
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      { trackingNumber: parcel.number, status, parcels: 1 },
    ])
    expect(await parcel.statusNow()).toBe(status)
  }
  expect(await parcel.row()).toMatchObject({ next_check_at: null })
})

test('a delivered or returned parcel keeps its status', async () => {
  for (const end of ['delivered', 'return_to_sender']) {
    const parcel = await givenParcel()
    await checkTrackers(world().services)
    for (const status of [end, 'in_transit', 'failure', 'delivered'])
      await move(world(), parcel.number, status)
    expect(await parcel.statusNow()).toBe(end)
  }
})

test('a database trigger refuses to undo a delivery', async () => {
  const parcel = await givenParcel()
  await checkTrackers(world().services)
  await move(world(), parcel.number, 'delivered')
  await expect(
    world().sql.query(`update trackers set status = 'in_transit' where payment_id = $1`, [parcel.paymentId]),
  ).rejects.toMatchObject({ constraint: 'trackers_stay_delivered' })
})

test('a delivery can succeed after a failed attempt', async () => {
  const parcel = await givenParcel()
  await checkTrackers(world().services)
  await move(world(), parcel.number, 'failure')
  expect(await parcel.statusNow()).toBe('failure')
  await move(world(), parcel.number, 'delivered')
  expect(await parcel.statusNow()).toBe('delivered')
})

test('parcels are polled less and less often, and not at all after 90 days', async () => {
  const it = await openWorld({ RATE_LIMIT: 'off' })
  const parcel = await givenParcel(it)
  const minutesToNextCheck = async () => {
    await checkTrackers(it.services)
    const { next_check_at, checked_at } = await parcel.row()
    return next_check_at && Math.round((next_check_at.getTime() - checked_at.getTime()) / 60_000)
  }
  expect(await minutesToNextCheck()).toBe(15)
  it.advanceClock(20 * HOUR_MS)
  expect(await minutesToNextCheck()).toBe(120)
  it.advanceClock(10 * 24 * HOUR_MS)
  expect(await minutesToNextCheck()).toBe(360)
  it.advanceClock(90 * 24 * HOUR_MS)
  expect(await minutesToNextCheck()).toBeNull()
})

test('a corrected number replaces the parcel, and reports about the old number are ignored', async () => {
  const parcel = await givenParcel()
  await checkTrackers(world().services)
  await move(world(), parcel.number, 'in_transit')
  await parcel.start('ups', `${parcel.number}9`)
  expect(await parcel.row()).toMatchObject({
    tracker_id: null,
    status: 'unknown',
    number: `${parcel.number}9`,
  })
  await move(world(), parcel.number, 'delivered')
  await checkTrackers(world().services)
  expect(await parcel.statusNow()).toBe('pre_transit')

  await parcel.start('other')
  expect(await parcel.row()).toBeUndefined()
})

test('a report about a number that is corrected in the meantime is ignored', async () => {
  const it = world()
  const parcel = await givenParcel()
  const report = {
    trackerId: 'trk_1',
    status: 'delivered',
    reportedAt: new Date(),
    deliveredAt: null,
  } as const
  const tracking = answerWith(async () => {
    await parcel.start('ups', `${parcel.number}9`)
    return report
  })
  await checkTrackers({ ...it.services, tracking })
  expect(await parcel.row()).toMatchObject({ tracker_id: null, status: 'unknown' })
})

test('reports that arrive in the wrong order do not undo newer ones', async () => {
  const it = world()
  const parcel = await givenParcel()
  const report = (status: 'in_transit' | 'out_for_delivery', at: string) =>
    answerWith(async () => ({ trackerId: 'trk_2', status, reportedAt: new Date(at), deliveredAt: null }))
  const check = async (tracking: TrackingProvider) => {
    // Not now: PostgreSQL's clock has microseconds, so the parcel would be due only in the next millisecond of ours.
    await it.sql.query(`update trackers set next_check_at = '-infinity' where payment_id = $1`, [
      parcel.paymentId,
    ])
    await checkTrackers({ ...it.services, tracking })
    return parcel.statusNow()
  }
  expect(await check(report('out_for_delivery', '2026-03-04T12:00:00Z'))).toBe('out_for_delivery')
  expect(await check(report('in_transit', '2026-03-03T12:00:00Z'))).toBe('out_for_delivery')
  expect(await check(report('in_transit', '2026-03-05T12:00:00Z'))).toBe('in_transit')
})

test('two concurrent reports are saved one after the other', async () => {
  const it = world()
  const parcel = await givenParcel()
  const other = await it.sql.connect()
  // While we wait for the reply, another process learns of the delivery. It commits when our report waits for
  // the lock.
  const tracking = answerWith(async () => {
    await other.query('begin')
    await other.query(`update trackers set status = 'delivered' where payment_id = $1`, [parcel.paymentId])
    return { trackerId: 'trk_4', status: 'in_transit', reportedAt: new Date(), deliveredAt: null }
  })
  const checking = checkTrackers({ ...it.services, tracking })
  await waitUntilBlocked(it.sql)
  await other.query('commit')
  other.release()
  await checking
  expect(await parcel.statusNow()).toBe('delivered')
})

test('a parcel that arrived before the deal belongs to another deal', async () => {
  const it = world()
  const parcel = await givenParcel()
  const deliveredAt = new Date(Date.now() - 24 * HOUR_MS)
  const report = { trackerId: 'trk_3', status: 'delivered', reportedAt: deliveredAt, deliveredAt } as const
  await checkTrackers({ ...it.services, tracking: answerWith(async () => report) })
  expect(await parcel.row()).toMatchObject({ tracker_id: 'trk_3', status: 'unknown' })
})

test('a parcel of two payments is delivered for both', async () => {
  const one = await givenParcel()
  const two = await givenParcel(world(), one.number)
  await checkTrackers(world().services)
  expect((await move(world(), one.number, 'delivered')).json().parcels).toBe(1)
  expect([await one.statusNow(), await two.statusNow()]).toEqual(['delivered', 'delivered'])
})

test('a parcel that is no longer tracked is not polled', async () => {
  const it = world()
  const parcel = await givenParcel()
  await it.services.database.transact((tx) => stopTracking(tx, parcel.paymentId))
  await checkTrackers(it.services)
  expect(await parcel.row()).toBeUndefined()
})

test('an unexpected error is not handled like an error of the tracking service', async () => {
  const it = world()
  await givenParcel()
  const tracking = { ...it.services.tracking, register: () => Promise.reject(new TypeError('a bug')) }
  const services = { ...it.services, tracking } as typeof it.services
  await expect(checkTrackers(services)).rejects.toThrow('a bug')
  await checkTrackers(it.services)
})

test('only known parcels can be moved by hand, and only in development', async () => {
  expect((await move(world(), 'UNKNOWN12345', 'delivered')).statusCode).toBe(404)
  expect((await move(world(), 'a%2Fb', 'delivered')).statusCode).toBe(404)
  const parcel = await givenParcel()
  await checkTrackers(world().services)
  expect((await move(world(), parcel.number, 'lost')).statusCode).toBe(422)

  const production = await openWorld({
    NODE_ENV: 'production',
    SESSION_SECRET: 'a secret of 16 characters',
    DATA_KEY: 'a key of 16 characters',
  })
  expect(production.services.tracking).toBeNull()
  expect((await move(production, parcel.number, 'delivered')).statusCode).toBe(404)
  const webhook = { headers: { [SIGNATURE_HEADER]: 'hmac-sha256-hex=00' } }
  expect((await production.visitor('POST /api/tracking/webhook', {}, webhook)).statusCode).toBe(400)
})

test('with an API key, EasyPost tracks the parcels by webhook and polling', async () => {
  const easyPost = await startFakeEasyPost()
  const it = await openWorld({ ...EASYPOST_ENV, EASYPOST_API_URL: easyPost.url, RATE_LIMIT: 'off' })
  const parcel = await givenParcel(it)
  const deliver = ({ payload, signature }: { payload: string; signature?: string }) =>
    it.app.inject({
      method: 'POST',
      url: '/api/tracking/webhook',
      payload,
      headers: { 'content-type': 'application/json', ...(signature && { [SIGNATURE_HEADER]: signature }) },
    })
  await checkTrackers(it.services)
  expect(await parcel.row()).toMatchObject({ tracker_id: easyPost.idOf(parcel.number), status: 'unknown' })

  // The content of the webhook is ignored. Only EasyPost's reply counts.
  easyPost.scan(parcel.number, 'in_transit')
  const event = easyPost.event(parcel.number)
  easyPost.scan(parcel.number, 'out_for_delivery')
  expect((await deliver(event)).json()).toEqual({ received: true })
  expect(await parcel.statusNow()).toBe('out_for_delivery')

  // Unsigned, forged, altered and too large webhooks are refused.
  easyPost.scan(parcel.number, 'delivered')
  const asked = easyPost.requests.length
  for (const [bad, status] of [
    [{ payload: event.payload }, 400],
    [{ ...event, signature: 'hmac-sha256-hex=00' }, 400],
    [{ ...event, payload: `${event.payload} ` }, 400],
    [{ ...event, payload: 'x'.repeat(1024 * 1024 + 1) }, 413],
  ] as const) {
    expect((await deliver(bad)).statusCode).toBe(status)
  }
  expect(easyPost.requests).toHaveLength(asked)

  // EasyPost is unavailable, so the sweep asks later.
  easyPost.failWith.push(503)
  expect((await deliver(easyPost.event(parcel.number))).statusCode).toBe(200)
  expect(await parcel.statusNow()).toBe('out_for_delivery')
  await checkTrackers(it.services)
  expect(await parcel.statusNow()).toBe('delivered')

  expect((await move(it, parcel.number, 'failure')).statusCode).toBe(404)
})
