import { parseTransactionNumber } from '@sought/contract/transaction-number'
import { describe, expect, test } from 'vitest'
import { actDuringChange } from '../../../testing/blocked-statements.ts'
import { eventually } from '../../../testing/eventually.ts'
import { shareMoneyWorld } from '../../../testing/money-world.ts'
import type { Person } from '../../../testing/world.ts'

const shared = shareMoneyWorld()

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh' }

/** Bob's deal with Ada is paid, and Eve has an open offer on the same request. */
async function openReservation() {
  const world = await shared()
  const { ada, bob } = world
  const eve = await world.signUp('Eve')
  const { itemId, offerId, amount } = await world.agree()
  const offer = (who: Person, change: object = {}) =>
    who.call('POST /api/offers', { wantedItemId: itemId, receiverId: ada.id, amount: 9_000, ...change })
  const eveOffer = (await offer(eve)).json()
  const pay = async (deal: { itemId: number; offerId: number; amount: number }) => {
    const { clientSecret, paymentId } = await world.start(deal)
    expect((await world.enterCard(clientSecret)).status).toBe(200)
    return paymentId
  }
  const itemStatus = async () => (await world.visitor(`GET /api/wanted-items/${itemId}`)).json().status
  const titlesFor = async (who: Person) =>
    (await who.call('GET /api/notifications')).json().map(({ title }: { title: string }) => title)
  const deal = { itemId, offerId, amount }
  return { ...world, ada, bob, eve, deal, itemId, offer, eveOffer, pay, itemStatus, titlesFor }
}

type Reservation = Awaited<ReturnType<typeof openReservation>>

async function payDeal({ deal, pay, statusOf }: Reservation): Promise<number> {
  const paymentId = await pay(deal)
  await eventually(async () => expect(await statusOf(paymentId)).toBe('held_in_escrow'))
  return paymentId
}

const codeOf = (reply: { statusCode: number; json(): { code?: string } }) =>
  `${reply.statusCode} ${reply.json().code ?? ''}`.trim()

describe('a payment in escrow', () => {
  test('reserves its request, which leaves the board and can no longer change', async () => {
    const market = await openReservation()
    const { ada, bob, eve, itemId, offer, eveOffer, itemStatus, titlesFor } = market
    const late = await market.signUp('Late')
    await payDeal(market)
    expect(await itemStatus()).toBe('reserved')
    const board = (await market.visitor('GET /api/wanted-items?limit=100')).json()
    expect(board.map(({ id }: { id: number }) => id)).not.toContain(itemId)

    const refused = [
      await offer(late),
      await offer(eve, { amount: 8_000 }),
      await ada.call(`PATCH /api/offers/${eveOffer.id}/accept`),
      await ada.call(`POST /api/offers/${eveOffer.id}/counter`, { amount: 8_000 }),
      await ada.call(`PUT /api/wanted-items/${itemId}`, { ...lamp, title: 'Another lamp' }),
      await ada.call(`POST /api/wanted-items/${itemId}/close`),
      await ada.call(`POST /api/wanted-items/${itemId}/reopen`),
      await late.call('POST /api/messages', { wantedItemId: itemId, receiverId: ada.id, content: 'Hello' }),
    ]
    expect(refused.map(codeOf)).toEqual(refused.map(() => '409 item_reserved'))
    for (const who of [bob, eve]) {
      const sent = await who.call('POST /api/messages', {
        wantedItemId: itemId,
        receiverId: ada.id,
        content: 'Hello',
      })
      expect(sent.statusCode).toBe(201)
    }
    expect(await titlesFor(eve)).toContain('“Lamp” is reserved')
    expect(await titlesFor(bob)).not.toContain('“Lamp” is reserved')
    // The open offer stays, and its seller can withdraw it.
    expect((await eve.call(`PATCH /api/offers/${eveOffer.id}/withdraw`)).json().status).toBe('withdrawn')
  })

  test('keeps the request reserved during a dispute; a full refund reopens it and notifies waiting sellers', async () => {
    const market = await openReservation()
    const { ada, eve, eveOffer, itemStatus, titlesFor } = market
    const paymentId = await payDeal(market)
    await ada.call(`POST /api/payments/${paymentId}/dispute`, {})
    expect(await itemStatus()).toBe('reserved')
    await market.appoint(eve)
    const ruling = { action: 'refund_full' }
    const ruled = await eve.call(`POST /api/admin/disputes/${paymentId}/resolve`, ruling)
    expect(ruled.statusCode, ruled.body).toBe(200)
    expect(await itemStatus()).toBe('open')
    expect(await titlesFor(eve)).toContain('“Lamp” is open again')
    const accepted = await ada.call(`PATCH /api/offers/${eveOffer.id}/accept`)
    expect(accepted.json().status).toBe('accepted')
    await market.expectBooksRight()
  })

  test.each(['release_seller', 'split_difference'])('a ruling of %s fulfils its request', async (action) => {
    const market = await openReservation()
    const { ada, eve, deal, itemStatus } = market
    const paymentId = await payDeal(market)
    await ada.call(`POST /api/payments/${paymentId}/dispute`, {})
    await market.appoint(eve)
    await eve.call(`POST /api/admin/disputes/${paymentId}/resolve`, { action })
    expect(await itemStatus()).toBe('fulfilled')
    expect(codeOf(await ada.call('POST /api/create-escrow-payment', deal))).toBe('409 offer_already_paid')
  })

  test('refuses other payments: reserved, fulfilled and closed requests cannot be paid', async () => {
    const market = await openReservation()
    const { ada, eveOffer, itemId, itemStatus, sql } = market
    await ada.call(`PATCH /api/offers/${eveOffer.id}/accept`)
    const other = { itemId, offerId: eveOffer.id, amount: 9_000 }
    const start = async () => codeOf(await ada.call('POST /api/create-escrow-payment', other))
    const startShort = async () =>
      codeOf(await ada.call('POST /api/create-payment-intent', { itemId, amount: 9_000 }))
    await ada.call(`POST /api/wanted-items/${itemId}/close`)
    expect([await start(), await startShort()]).toEqual(['409 item_not_open', '409 item_not_open'])
    await ada.call(`POST /api/wanted-items/${itemId}/reopen`)
    const paymentId = await payDeal(market)
    expect([await start(), await startShort()]).toEqual(['409 item_reserved', '409 item_reserved'])
    await ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
    expect(await itemStatus()).toBe('fulfilled')
    expect([await start(), await startShort()]).toEqual(['409 item_not_open', '409 item_not_open'])
    const { rows } = await sql.query('select id from payments where wanted_item_id = $1', [itemId])
    expect(rows).toEqual([{ id: paymentId }])
  })

  test('a payment that is started while the request changes waits for the change', async () => {
    const market = await openReservation()
    const { ada, deal, itemId, sql } = market
    const closing = "update wanted_items set status = 'closed' where id = $1"
    const started = await actDuringChange(sql, [closing, itemId], () =>
      ada.call('POST /api/create-escrow-payment', deal),
    )
    expect(codeOf(started)).toBe('409 item_not_open')
  })

  test('the later of two card payments for one request is refunded, and both sides are notified', {
    tags: ['proof'],
  }, async () => {
    const market = await openReservation()
    const { ada, bob, eve, deal, eveOffer, itemId, statusOf, itemStatus, titlesFor } = market
    await ada.call(`PATCH /api/offers/${eveOffer.id}/accept`)
    const other = { itemId, offerId: eveOffer.id, amount: 9_000 }
    const [first, second] = [await market.start(deal), await market.start(other)]
    await Promise.all([market.enterCard(first.clientSecret), market.enterCard(second.clientSecret)])
    const statuses = async () => [await statusOf(first.paymentId), await statusOf(second.paymentId)]
    await eventually(async () => expect((await statuses()).sort()).toEqual(['held_in_escrow', 'refunded']))
    const isFirstHeld = (await statusOf(first.paymentId)) === 'held_in_escrow'
    const [kept, returned] = isFirstHeld ? [first, second] : [second, first]
    const returnedAmount = isFirstHeld ? 9_000 : 12_000

    await market.runJobs()
    const refunded = (await ada.call(`GET /api/payments/${returned.paymentId}`)).json()
    expect(refunded).toMatchObject({ status: 'refunded', fundsReleasedAt: null })
    expect(refunded.submittedAt).not.toBeNull()
    expect(await market.balanceOf(`escrow:${returned.paymentId}`)).toBe(0)
    expect(await market.balanceOf(`buyer:${ada.id}`)).toBe(0)
    const receipt = (await ada.call(`GET /api/payments/${returned.paymentId}/receipt`)).json()
    expect(receipt).toMatchObject({ status: 'refunded', returned: returnedAmount, total: 0, release: null })
    expect(await titlesFor(ada)).toContain('We refund your second payment for “Lamp”')
    expect(await titlesFor(isFirstHeld ? eve : bob)).toContain('The payment for “Lamp” is refunded')
    expect(await itemStatus()).toBe('reserved')
    expect(await statusOf(kept.paymentId)).toBe('held_in_escrow')
    await market.expectBooksRight()
  })

  test('the database refuses a second payment in escrow, and changes to a reserved request', async () => {
    const market = await openReservation()
    const { ada, eveOffer, itemId, sql } = market
    await ada.call(`PATCH /api/offers/${eveOffer.id}/accept`)
    const { paymentId } = await market.start({ itemId, offerId: eveOffer.id, amount: 9_000 })
    await payDeal(market)
    const change = (statement: string, id: number) => sql.query(statement, [id])
    await expect(
      change(
        "update payments set status = 'held_in_escrow', escrow_hold_until = now() where id = $1",
        paymentId,
      ),
    ).rejects.toMatchObject({ constraint: 'payments_one_per_request' })
    for (const field of ["title = 'Vase'", 'max_budget = 7', "status = 'open'", "status = 'closed'"])
      await expect(change(`update wanted_items set ${field} where id = $1`, itemId)).rejects.toMatchObject({
        constraint: 'wanted_items_reserved',
      })
  })
})

describe('a payment', () => {
  test('is a draft until the provider reports that its card step was submitted', async () => {
    const world = await shared()
    const { ada, bob } = world
    const { clientSecret, paymentId } = await world.start(await world.agree())
    const submit = (who: Person) => who.call(`POST /api/payments/${paymentId}/submitted`)
    const read = async () => (await bob.call(`GET /api/payments/${paymentId}`)).json()
    expect((await submit(ada)).json()).toMatchObject({ status: 'pending', submittedAt: null })
    expect(codeOf(await submit(bob))).toBe('403 not_the_buyer')
    expect(codeOf(await submit(await world.signUp('Eve')))).toBe('404 payment_not_found')
    // After a declined card, the payment is still a draft.
    await world.enterCard(clientSecret, '4000000000000002')
    expect((await submit(ada)).json().submittedAt).toBeNull()
    await world.enterCard(clientSecret)
    expect((await submit(ada)).json()).toMatchObject({ status: 'held_in_escrow' })
    expect((await read()).submittedAt).not.toBeNull()
    expect((await submit(ada)).statusCode).toBe(200)
  })

  test('has a transaction number by which its parties can find it', async () => {
    const world = await shared()
    const { ada, bob } = world
    const { paymentId } = await world.payIntoEscrow()
    await world.payIntoEscrow(5_000)
    const { transactionNumber } = (await ada.call(`GET /api/payments/${paymentId}`)).json()
    expect(parseTransactionNumber(transactionNumber)).toBe(transactionNumber)
    const find = async (who: Person, search: string) => {
      const reply = await who.call(`GET /api/payments?search=${encodeURIComponent(search)}`)
      expect(reply.statusCode, reply.body).toBe(200)
      return reply.json().map(({ payments }: { payments: { id: number } }) => payments.id)
    }
    const sloppy = transactionNumber.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')
    const wrong = transactionNumber.slice(0, -1) + (transactionNumber.endsWith('7') ? '8' : '7')
    expect(await find(ada, transactionNumber)).toEqual([paymentId])
    expect(await find(bob, sloppy)).toEqual([paymentId])
    expect(await find(ada, wrong)).toEqual([])
    expect(await find(await world.signUp('Eve'), transactionNumber)).toEqual([])
    expect(await find(ada, 'LAM')).toHaveLength(2)
    expect(await find(ada, 'bob test')).toHaveLength(2)
    expect(await find(ada, 'ada')).toEqual([])
    expect(await find(ada, '%')).toEqual([])
    const receipt = (await ada.call(`GET /api/payments/${paymentId}/receipt`)).json()
    expect(receipt.transactionNumber).toBe(transactionNumber)
    const summary = (await ada.call(`GET /api/payment/${paymentId}`)).json()
    expect(summary.transactionNumber).toBe(transactionNumber)

    await ada.call(`POST /api/payments/${paymentId}/dispute`, { reason: 'Broken' })
    const admin = await world.signUp('Admin', 'admin')
    const desk = await admin.call(`GET /api/admin/disputes?search=${encodeURIComponent(sloppy)}`)
    expect(desk.json()).toMatchObject([{ id: paymentId, transactionNumber }])
  })
})
