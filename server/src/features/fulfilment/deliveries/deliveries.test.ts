import sharp from 'sharp'
import { expect, test } from 'vitest'
import { sweeps } from '../../../jobs/sweeps.ts'
import { ADAS_ADDRESS } from '../../../market-builder/given.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import { uploadOf } from '../../../testing/multipart.ts'
import type { Person } from '../../../testing/world.ts'

const openMarket = shareMoneyWorld()
const DAY_MS = 86_400_000
const SHIPPING = { delivery: 'shipping', shipWithinDays: 4 } as const

const later = (time: string, days: number) => new Date(Date.parse(time) + days * DAY_MS).toISOString()

async function sweep({ services }: MoneyWorld): Promise<void> {
  for (const name of ['release-due', 'notify-hold-ending', 'cancel-unshipped', 'remind-sellers'] as const)
    await sweeps[name](services, new AbortController().signal)
  await sweeps['erase-addresses'](services, new AbortController().signal)
}

const read = async (person: Person, paymentId: number) =>
  (await person.call(`GET /api/payments/${paymentId}`)).json()

const answerOf = async (reply: ReturnType<Person['call']>) => {
  const answer = await reply
  return [answer.statusCode, answer.json().code]
}

/** The titles of a person's notifications about deliveries, oldest first. */
async function toldOf({ call }: Person): Promise<string[]> {
  const lines: { kind: string; title: string }[] = (await call('GET /api/notifications?limit=100')).json()
  const kinds = ['parcel', 'ship_reminder', 'cancellation']
  return lines
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ title }) => title)
    .reverse()
}

const form = (field: string, bytes: Uint8Array, fields: Record<string, string> = {}) =>
  uploadOf(field, bytes, { fields })

const picture = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#284' } })
    .png()
    .toBuffer()

test('an offer has delivery terms, which counter-offers and the payment keep', async () => {
  const it = await openMarket()
  const item = (
    await it.ada.call('POST /api/wanted-items', {
      title: 'Lamp',
      description: 'Green',
      category: 'Other',
      location: 'Ipoh',
      maxBudget: 0,
    })
  ).json()
  const offer = (terms: object) =>
    it.bob.call('POST /api/offers', { wantedItemId: item.id, receiverId: it.ada.id, amount: 9_000, ...terms })
  expect((await offer({})).json()).toMatchObject({ delivery: 'arranged', shipWithinDays: null })
  expect((await offer({ delivery: 'in_person' })).json()).toMatchObject({
    delivery: 'in_person',
    shipWithinDays: null,
  })
  expect((await offer({ delivery: 'shipping' })).json()).toMatchObject({ shipWithinDays: 3 })
  for (const wrong of [
    { delivery: 'shipping', shipWithinDays: 0 },
    { delivery: 'shipping', shipWithinDays: 15 },
    { delivery: 'in_person', shipWithinDays: 3 },
    { shipWithinDays: 3 },
    { delivery: 'pigeon' },
  ])
    expect((await offer(wrong)).statusCode, JSON.stringify(wrong)).toBe(422)
  const made = (await offer({ delivery: 'shipping', shipWithinDays: 14 })).json()
  const counter = (await it.ada.call(`POST /api/offers/${made.id}/counter`, { amount: 8_000 })).json()
  expect(counter).toMatchObject({ delivery: 'shipping', shipWithinDays: 14 })
  await it.bob.call(`PATCH /api/offers/${counter.id}/accept`)
  const terms = { itemId: item.id, offerId: counter.id, amount: 8_000 }
  const { paymentId } = await it.start({ ...terms, deliveryAddress: ADAS_ADDRESS })
  expect(await read(it.bob, paymentId)).toMatchObject({
    delivery: 'shipping',
    shipWithinDays: 14,
    shipBy: null,
    deliveryAddress: null,
  })
})

test('only the seller of a paid deal sees the address, until 30 days after its end', async () => {
  const it = await openMarket()
  const deal = await it.agree(12_000, SHIPPING)
  const start = (terms: object) => it.ada.call('POST /api/create-escrow-payment', { ...deal, ...terms })
  const missing = await start({ deliveryAddress: undefined })
  expect([missing.statusCode, missing.json().issues]).toEqual([
    422,
    [{ path: 'deliveryAddress', message: 'Please say where the item goes' }],
  ])
  expect((await start({ deliveryAddress: { ...ADAS_ADDRESS, postalCode: '1' } })).statusCode).toBe(422)
  const intent = { itemId: deal.itemId, amount: deal.amount }
  expect((await it.ada.call('POST /api/create-payment-intent', intent)).statusCode).toBe(422)
  const { paymentId } = (await start({ saveAddress: true })).json()
  const moved = { ...ADAS_ADDRESS, line1: 'Lindenallee 9' }
  const { clientSecret } = (await start({ deliveryAddress: moved })).json()
  expect((await it.ada.call('GET /api/user/delivery-address')).json()).toEqual({
    deliveryAddress: ADAS_ADDRESS,
  })
  expect((await read(it.ada, paymentId)).deliveryAddress).toEqual(moved)
  expect((await read(it.bob, paymentId)).deliveryAddress).toBeNull()
  await it.enterCard(clientSecret)
  await eventually(async () => expect(await it.statusOf(paymentId)).toBe('held_in_escrow'))

  expect((await read(it.bob, paymentId)).deliveryAddress).toEqual(moved)
  const { rows } = await it.sql.query('select delivery_address from payments where id = $1', [paymentId])
  expect(rows[0].delivery_address).toMatch(/^v1:[\w-]+:[\w-]{8}$/)
  const [{ payments: listed }] = (await it.bob.call('GET /api/payments')).json()
  expect(listed).toMatchObject({ id: paymentId, delivery: 'shipping' })
  expect(JSON.stringify(listed)).not.toContain('Lindenallee')
  expect((await (await it.signUp('Eve')).call(`GET /api/payments/${paymentId}`)).statusCode).toBe(404)

  await it.bob.call(`POST /api/payments/${paymentId}/ship`, { carrier: 'dhl' })
  await it.ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
  it.advanceClock(29 * DAY_MS)
  await sweep(it)
  expect((await read(it.bob, paymentId)).deliveryAddress).toEqual(moved)
  it.advanceClock(DAY_MS)
  await it.sql.query('update sessions set expire = $1', [new Date(Date.now() + 400 * DAY_MS)])
  expect((await read(it.bob, paymentId)).deliveryAddress).toBeNull()
  await sweep(it)
  expect(
    (await it.sql.query('select delivery_address from payments where id = $1', [paymentId])).rows,
  ).toEqual([{ delivery_address: null }])
})

test('a parcel is shipped, corrected and delivered, and the hold is extended accordingly', async () => {
  const it = await openMarket()
  const { paymentId } = await it.payIntoEscrow(12_000, SHIPPING)
  const path = `POST /api/payments/${paymentId}`
  const paid = await read(it.bob, paymentId)
  const heldAt = later(paid.escrowHoldUntil, -7)
  expect(paid.shipBy).toBe(later(heldAt, 4))
  const shipment = { carrier: 'ups', trackingNumber: '1z 999-aa1 0123', note: 'Mind the glass' }
  expect(await answerOf(it.ada.call(`${path}/ship`, shipment))).toEqual([403, 'not_the_seller'])
  expect(await answerOf((await it.signUp('Eve')).call(`${path}/ship`, shipment))).toEqual([
    404,
    'payment_not_found',
  ])
  expect(await answerOf(it.bob.call(`${path}/delivered`, {}))).toEqual([409, 'payment_wrong_state'])
  for (const wrong of [{}, { carrier: 'owl' }, { carrier: 'ups', trackingNumber: 'a"b' }])
    expect((await it.bob.call(`${path}/ship`, wrong)).statusCode).toBe(422)

  it.advanceClock(2.5 * DAY_MS)
  await sweep(it)
  await sweep(it)
  it.advanceClock(1.5 * DAY_MS)
  await sweep(it)
  await sweep(it)
  expect(await toldOf(it.bob)).toEqual(['Please ship “Lamp” soon', '“Lamp” has to be shipped today'])
  it.advanceClock(4 * DAY_MS)
  await sweep(it)
  // The hold is over, but nothing was shipped.
  expect(await it.statusOf(paymentId)).toBe('held_in_escrow')

  const shipped = (await it.bob.call(`${path}/ship`, shipment)).json()
  expect(shipped).toMatchObject({
    carrier: 'ups',
    trackingNumber: '1Z999AA10123',
    trackingUrl: 'https://www.ups.com/track?tracknum=1Z999AA10123',
    shipmentNote: 'Mind the glass',
    escrowHoldUntil: later(shipped.shippedAt, 10),
    deliveredAt: null,
  })
  const corrected = (
    await it.bob.call(`${path}/ship`, { ...shipment, trackingNumber: '1Z999AA10124' })
  ).json()
  expect(corrected).toMatchObject({ trackingNumber: '1Z999AA10124', shippedAt: shipped.shippedAt })
  const [line] = (await it.ada.call('GET /api/notifications')).json()
  expect(line).toMatchObject({
    kind: 'parcel',
    title: '“Lamp” is on its way',
    text: 'It was sent with UPS. Follow the parcel: https://www.ups.com/track?tracknum=1Z999AA10124',
    path: `/deal/${paymentId}`,
  })

  it.advanceClock(9 * DAY_MS)
  expect(await answerOf(it.ada.call(`${path}/delivered`, {}))).toEqual([403, 'not_the_seller'])
  const delivered = (await it.bob.call(`${path}/delivered`, {})).json()
  expect(delivered.escrowHoldUntil).toBe(later(delivered.deliveredAt, 3))
  expect(await answerOf(it.bob.call(`${path}/ship`, shipment))).toEqual([409, 'not_shippable'])
  expect(await answerOf(it.bob.call(`${path}/delivered`, {}))).toEqual([409, 'payment_wrong_state'])
  it.advanceClock(2.9 * DAY_MS)
  await sweep(it)
  expect(await it.statusOf(paymentId)).toBe('held_in_escrow')
  it.advanceClock(0.2 * DAY_MS)
  await sweep(it)
  expect(await it.statusOf(paymentId)).toBe('completed')
  await it.expectBooksRight()
})

test('photos and proofs are private files for the parties, and for admins in a dispute', async () => {
  const it = await openMarket()
  const { paymentId } = await it.given.heldPayment(SHIPPING)
  const path = `POST /api/payments/${paymentId}`
  const [eve, root] = [await it.signUp('Eve'), await it.signUp('Root', 'admin')]
  const bytes = await picture()
  const stored = async () =>
    (await it.sql.query(`select id from files where owner_id = $1 and kind = 'parcel'`, [it.bob.id])).rowCount
  expect(
    (await it.ada.call(`${path}/ship`, undefined, form('photo', bytes, { carrier: 'dhl' }))).json().code,
  ).toBe('not_the_seller')
  const noImage = form('photo', Buffer.from('no image'), { carrier: 'dhl' })
  expect((await it.bob.call(`${path}/ship`, undefined, noImage)).json().code).toBe('not_an_image')
  const shipped = await it.bob.call(`${path}/ship`, undefined, form('photo', bytes, { carrier: 'dhl' }))
  const { shipmentPhoto } = shipped.json()
  expect(shipmentPhoto).toBe(`/api/payments/${paymentId}/files/shipment-photo`)
  await it.bob.call(`${path}/ship`, undefined, form('photo', bytes, { carrier: 'fedex' }))
  expect(await stored()).toBe(1)
  const kept = (await it.bob.call(`${path}/ship`, { carrier: 'dhl' })).json()
  expect(kept.shipmentPhoto).toBe(shipmentPhoto)

  expect(await answerOf(it.ada.call(`GET /api/payments/${paymentId}/files/delivery-proof`))).toEqual([
    404,
    'payment_not_found',
  ])

  const proof = await it.bob.call(`${path}/delivered`, {})
  expect([proof.statusCode, proof.json().issues[0].path]).toEqual([422, 'proof'])
  const script = form('proof', Buffer.from('<script>alert(1)</script>'))
  expect((await it.bob.call(`${path}/delivered`, undefined, script)).json().code).toBe('wrong_type')
  const pdf = form('proof', Buffer.from('%PDF-1.7\n%%EOF'))
  const { deliveryProof } = (await it.bob.call(`${path}/delivered`, undefined, pdf)).json()
  for (const person of [it.ada, it.bob]) {
    const photo = await person.call(`GET ${shipmentPhoto}`)
    expect([photo.statusCode, photo.headers['content-type']]).toEqual([200, 'image/webp'])
    const document = await person.call(`GET ${deliveryProof}`)
    expect(document.headers['content-disposition']).toMatch(/^attachment; filename="delivery-proof.pdf"/)
  }
  for (const person of [eve, root])
    expect((await person.call(`GET ${deliveryProof}`)).json().code).toBe('payment_not_found')

  await it.ada.call(`${path}/dispute`, { reason: 'It is broken' })
  expect((await it.bob.call(`GET /api/disputes/${paymentId}`)).json().dispute).toMatchObject({
    carrier: 'dhl',
    shipmentPhoto,
    deliveryProof,
  })
  expect((await root.call(`GET ${deliveryProof}`)).statusCode).toBe(200)
  expect((await eve.call(`GET ${deliveryProof}`)).statusCode).toBe(404)
  // A request for a file that does not exist is not recorded.
  const { paymentId: unshippedId } = await it.given.heldPayment(SHIPPING)
  await it.ada.call(`POST /api/payments/${unshippedId}/dispute`, { reason: 'It never came' })
  expect((await root.call(`GET /api/payments/${unshippedId}/files/shipment-photo`)).statusCode).toBe(404)
  const { rows } = await it.sql.query(
    `select subject_id, details from audit_log where action = 'parcel_file_viewed' and actor_id = $1`,
    [root.id],
  )
  expect(rows).toEqual([{ subject_id: it.bob.id, details: { paymentId, file: 'delivery-proof' } }])
})

test('the seller enters the buyer’s code at the handover, and can guess five times an hour', async () => {
  const it = await openMarket()
  const { paymentId, itemId } = await it.payIntoEscrow(12_000, { delivery: 'in_person' })
  const path = `POST /api/payments/${paymentId}`
  const { handoverCode } = await read(it.ada, paymentId)
  expect(handoverCode).toMatch(/^\d{6}$/)
  expect((await read(it.bob, paymentId)).handoverCode).toBeNull()
  const { rows } = await it.sql.query('select handover_code from payments where id = $1', [paymentId])
  expect(rows[0].handover_code).toMatch(/^v1:[\w-]+:[\w-]{8}$/)
  const enter = (person: Person, code: string) => person.call(`${path}/handover`, { code })
  const wrong = handoverCode === '000000' ? '000001' : '000000'
  expect(await answerOf(enter(it.ada, handoverCode))).toEqual([403, 'not_the_seller'])
  expect(await answerOf(enter(await it.signUp('Eve'), handoverCode))).toEqual([404, 'payment_not_found'])
  expect(await answerOf(enter(it.bob, '12345'))).toEqual([422, 'invalid'])
  expect(await answerOf(it.bob.call(`${path}/ship`, { carrier: 'dhl' }))).toEqual([409, 'not_shippable'])

  const guesses = await Promise.all(Array.from({ length: 9 }, () => enter(it.bob, wrong)))
  expect(guesses.map(({ statusCode }) => statusCode).sort()).toEqual([
    ...Array(5).fill(403),
    ...Array(4).fill(429),
  ])
  const locked = await enter(it.bob, handoverCode)
  expect([locked.statusCode, locked.json().code]).toEqual([429, 'handover_locked'])
  expect(Number(locked.headers['retry-after'])).toBeGreaterThan(3_500)
  it.advanceClock(DAY_MS / 24)
  expect((await enter(it.bob, wrong)).statusCode).toBe(403)
  const setNeedsCheck = (needsCheck: boolean) =>
    it.sql.query('update payments set needs_check = $2 where id = $1', [paymentId, needsCheck])
  await setNeedsCheck(true)
  expect(await answerOf(enter(it.bob, handoverCode))).toEqual([409, 'payment_needs_check'])
  await setNeedsCheck(false)
  const handed = await enter(it.bob, handoverCode)
  expect([handed.statusCode, handed.json()]).toMatchObject([
    200,
    { status: 'completed', buyerConfirmedAt: expect.any(String), handoverCode: null },
  ])
  expect(await answerOf(enter(it.bob, handoverCode))).toEqual([409, 'payment_wrong_state'])
  expect((await read(it.ada, paymentId)).handoverCode).toBeNull()
  expect((await it.ada.call(`GET /api/wanted-items/${itemId}`)).json().status).toBe('fulfilled')
  expect(await it.balanceOf(`seller:${it.bob.id}`)).toBe(11_262)
  await it.expectBooksRight()
})

test('a deal without a handover in person has no handover code', async () => {
  const it = await openMarket()
  const { paymentId } = await it.given.heldPayment()
  expect((await read(it.ada, paymentId)).handoverCode).toBeNull()
  expect(await answerOf(it.bob.call(`POST /api/payments/${paymentId}/handover`, { code: '123456' }))).toEqual(
    [409, 'payment_wrong_state'],
  )
})

const cancelledDeals = async ({ ada, bob }: MoneyWorld) =>
  (await ada.call(`GET /api/users/${bob.id}`)).json().cancelledDeals

test('a cancellation by the seller before shipping refunds the buyer in full and reopens the request', async () => {
  const it = await openMarket()
  const { paymentId, itemId } = await it.payIntoEscrow(12_000, SHIPPING)
  const cancel = (person: Person, body: object = { reason: 'It broke' }) =>
    person.call(`POST /api/payments/${paymentId}/cancel`, body)
  expect((await cancel(it.bob, {})).statusCode).toBe(422)
  expect((await cancel(it.bob, { reason: ' ' })).statusCode).toBe(422)
  expect(await answerOf(cancel(await it.signUp('Eve')))).toEqual([404, 'payment_not_found'])
  expect((await cancel(it.bob)).json()).toMatchObject({
    status: 'refunded',
    cancelledBy: 'seller',
    cancelReason: 'It broke',
    fundsReleasedAt: null,
  })
  expect(await answerOf(cancel(it.bob))).toEqual([409, 'not_cancellable'])
  expect(await it.balanceOf(`buyer:${it.ada.id}`)).toBe(12_000)
  await it.runJobs()
  expect(await it.balanceOf(`buyer:${it.ada.id}`)).toBe(0)
  expect((await it.ada.call(`GET /api/wanted-items/${itemId}`)).json().status).toBe('open')
  expect(await cancelledDeals(it)).toBe(1)
  expect(await toldOf(it.ada)).toEqual(['The deal about “Lamp” was cancelled'])
  const receipt = (await it.ada.call(`GET /api/payments/${paymentId}/receipt`)).json()
  expect(receipt).toMatchObject({ status: 'refunded', returned: 12_000, total: 0, release: null })
  await it.expectBooksRight()
})

test('an early cancellation by the buyer needs the seller’s consent, and does not count against the seller', async () => {
  const it = await openMarket()
  const { paymentId } = await it.given.heldPayment(SHIPPING)
  const cancel = (person: Person, reason: string) =>
    person.call(`POST /api/payments/${paymentId}/cancel`, { reason })
  expect((await cancel(it.ada, 'Found another')).json()).toMatchObject({
    status: 'held_in_escrow',
    cancelRequestedAt: expect.any(String),
    cancelReason: 'Found another',
    cancelledBy: null,
  })
  await cancel(it.ada, 'I found another one')
  expect(await toldOf(it.bob)).toEqual(['Ada Tester would like to cancel “Lamp”'])
  expect((await cancel(it.bob, 'Fine')).json()).toMatchObject({
    status: 'refunded',
    cancelledBy: 'buyer',
    cancelReason: 'I found another one',
  })
  expect(await cancelledDeals(it)).toBe(0)
})

test('shipping ends a request to cancel, and a shipped deal cannot be cancelled', async () => {
  const it = await openMarket()
  const { paymentId } = await it.given.heldPayment()
  const path = `POST /api/payments/${paymentId}`
  await it.ada.call(`${path}/cancel`, { reason: 'Found another' })
  expect((await it.bob.call(`${path}/ship`, { carrier: 'other' })).json()).toMatchObject({
    cancelRequestedAt: null,
    cancelReason: null,
    trackingUrl: null,
  })
  for (const person of [it.ada, it.bob])
    expect(await answerOf(person.call(`${path}/cancel`, { reason: 'Late' }))).toEqual([
      409,
      'not_cancellable',
    ])
  expect(await toldOf(it.ada)).toEqual(['“Lamp” is on its way'])
})

test('a late deal can be cancelled by the buyer, and is cancelled by the clock a week after the ship-by date', async () => {
  const it = await openMarket()
  const [first, second] = [
    await it.payIntoEscrow(12_000, { delivery: 'shipping', shipWithinDays: 1 }),
    await it.payIntoEscrow(60_000, { delivery: 'shipping', shipWithinDays: 1 }),
  ]
  it.advanceClock(3 * DAY_MS)
  const late = await it.ada.call(`POST /api/payments/${first.paymentId}/cancel`, { reason: 'Too late' })
  expect(late.json()).toMatchObject({ status: 'refunded', cancelledBy: 'buyer' })
  await sweep(it)
  expect(await it.statusOf(second.paymentId)).toBe('held_in_escrow')
  it.advanceClock(5 * DAY_MS)
  await sweep(it)
  expect(await read(it.bob, second.paymentId)).toMatchObject({
    status: 'refunded',
    cancelledBy: 'clock',
    cancelReason: 'The seller did not ship in time',
  })
  expect(await cancelledDeals(it)).toBe(2)
  await it.runJobs()
  await it.expectBooksRight()
})

test('a dispute pauses the time to ship', async () => {
  const it = await openMarket()
  const { paymentId } = await it.given.heldPayment({ delivery: 'shipping', shipWithinDays: 1 })
  const { shipBy } = await read(it.ada, paymentId)
  await it.ada.call(`POST /api/payments/${paymentId}/dispute`, { reason: 'No answer' })
  expect(await answerOf(it.bob.call(`POST /api/payments/${paymentId}/cancel`, { reason: 'No' }))).toEqual([
    409,
    'not_cancellable',
  ])
  it.advanceClock(9 * DAY_MS)
  await sweep(it)
  await it.ada.call(`POST /api/disputes/${paymentId}/withdraw`)
  await sweep(it)
  const resumed = await read(it.ada, paymentId)
  expect(resumed.status).toBe('held_in_escrow')
  expect(Date.parse(resumed.shipBy) - Date.parse(shipBy)).toBeGreaterThanOrEqual(9 * DAY_MS)
})

test('the carrier reports the delivery, even during a dispute, and problems on the way', async () => {
  const it = await openMarket()
  const given = async (number: string) => {
    const { paymentId } = await it.given.heldPayment(SHIPPING)
    await it.bob.call(`POST /api/payments/${paymentId}/ship`, { carrier: 'ups', trackingNumber: number })
    await sweeps['check-trackers'](it.services)
    return paymentId
  }
  const move = (number: string, status: string) => it.visitor(`POST /dev/parcels/${number}`, { status })
  const arrived = await given('PARCEL00001')
  await move('PARCEL00001', 'in_transit')
  await move('PARCEL00001', 'delivered')
  const delivered = await read(it.ada, arrived)
  expect(delivered.deliveredAt).not.toBeNull()
  expect(await toldOf(it.bob)).toEqual(['“Lamp” was delivered'])
  const disputed = await given('PARCEL00002')
  await it.ada.call(`POST /api/payments/${disputed}/dispute`, { reason: 'Broken' })
  await move('PARCEL00002', 'delivered')
  expect(await read(it.ada, disputed)).toMatchObject({
    status: 'disputed',
    deliveredAt: expect.any(String),
  })
  await given('PARCEL00003')
  await move('PARCEL00003', 'failure')
  await move('PARCEL00003', 'return_to_sender')
  for (const person of [it.ada, it.bob])
    expect((await toldOf(person)).slice(-2)).toEqual([
      'The carrier could not deliver “Lamp”',
      'The parcel with “Lamp” is going back',
    ])
})

test('a cancellation refunds the money still in escrow, once the bank has decided', async () => {
  const it = await openMarket()
  const { paymentId } = await it.payIntoEscrow(12_000, SHIPPING)
  const row = async () => (await it.sql.query('select * from payments where id = $1', [paymentId])).rows[0]
  const intent = (await row()).stripe_payment_intent_id
  await it.stripe('POST', '/v1/refunds', { payment_intent: intent, amount: '2000' })
  await eventually(async () => expect((await row()).returned_cents).toBe(2_000))
  await it.bob.call(`POST /api/payments/${paymentId}/cancel`, { reason: 'Sold' })
  await it.press(`/sandbox/payments/${intent}/dispute`)
  await eventually(async () => expect((await row()).bank_decides).toBe(true))
  await it.runJobs()
  expect(await row()).toMatchObject({ status: 'refunded', refund_cents: 10_000, refunded_at: null })
  const { rows } = await it.sql.query('select id from chargebacks where payment_id = $1', [paymentId])
  await it.press(`/sandbox/disputes/${rows[0].id}/won`)
  await eventually(async () => expect((await row()).bank_decides).toBe(false))
  await it.sql.query('update payments set refund_try_at = $1 where id = $2', [new Date(0), paymentId])
  // A sweep skips payments that are locked, for example by another report about the charge.
  await eventually(async () => {
    await it.runJobs('retry-refunds')
    expect((await row()).refunded_at).not.toBeNull()
  })
  expect(await it.balanceOf(`buyer:${it.ada.id}`)).toBe(0)
  await it.expectBooksRight()
})

test.each([
  ['payments_unshipped', `status = 'completed', completed_at = now()`],
  ['payments_shipped', 'shipped_at = now()'],
  ['payments_delivered', 'delivered_at = now()'],
  ['payments_cancellation', `cancelled_by = 'seller'`],
  ['payments_ship_within', 'ship_within_days = 15'],
  ['payments_ship_by', 'ship_by = null'],
  ['payments_delivery_terms', `delivery = 'arranged', ship_within_days = null, ship_by = null`],
  ['payments_handover_failures', 'handover_failures = 6'],
])('the database refuses a violation of %s', async (constraint, change) => {
  const it = await openMarket()
  const { paymentId } = await it.given.heldPayment(SHIPPING)
  await expect(
    it.sql.query(`update payments set ${change} where id = $1`, [paymentId]),
  ).rejects.toMatchObject({ constraint })
})
