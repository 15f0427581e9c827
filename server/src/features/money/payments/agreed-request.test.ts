import { expect, test } from 'vitest'
import { openChargeback } from '../../../testing/chargebacks.ts'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'

const shared = shareMoneyWorld()

const lamp = {
  title: 'Brass lamp',
  description: 'Any condition',
  category: 'Other',
  location: 'Ipoh',
  minBudget: 10,
  maxBudget: 200,
}
const watch = {
  ...lamp,
  title: 'Rolex Submariner',
  description: 'With box and papers',
  category: 'Fashion',
  minBudget: 5_000,
  maxBudget: 10_000,
}
const agreed = {
  version: 1,
  title: 'Brass lamp',
  description: 'Any condition',
  category: 'Other',
  maxBudget: 200,
}

/** Ada asks for a lamp, and Bob offers one. */
async function openDeal() {
  const it = await shared()
  const { ada, bob } = it
  const { id: itemId } = (await ada.call('POST /api/wanted-items', lamp)).json()
  const offer = { wantedItemId: itemId, receiverId: ada.id, amount: 6_000 }
  const { id: offerId } = (await bob.call('POST /api/offers', offer)).json()
  await bob.call('POST /api/messages', { wantedItemId: itemId, receiverId: ada.id, content: 'It shines' })
  const edit = async () => {
    const reply = await ada.call(`PUT /api/wanted-items/${itemId}`, watch)
    expect(reply.statusCode, reply.body).toBe(200)
  }
  const accept = async () => {
    const accepted = await ada.call(`PATCH /api/offers/${offerId}/accept`)
    expect(accepted.json()).toMatchObject({ status: 'accepted', request: agreed })
  }
  const pay = async () => {
    const { clientSecret, paymentId } = await it.start({ itemId, offerId, amount: 6_000 })
    expect((await it.enterCard(clientSecret)).status).toBe(200)
    expect((await ada.call(`POST /api/payments/${paymentId}/submitted`)).json().status).toBe('held_in_escrow')
    return paymentId
  }
  return { ...it, itemId, offerId, edit, accept, pay }
}

/** What the parties see of their deal. None of it may name the watch. */
async function readDeal({ ada, bob }: MoneyWorld, itemId: number, paymentId: number) {
  const read = async (person: typeof ada, path: string) => (await person.call(`GET ${path}`)).json()
  const shown: Record<string, unknown> = {
    receipt: await read(ada, `/api/payments/${paymentId}/receipt`),
    purchases: await read(ada, '/api/user/purchases'),
    summary: await read(ada, `/api/payment/${paymentId}`),
    search: await read(ada, '/api/payments?search=brass%20la'),
    ownOffers: (await read(bob, '/api/user/offers')).map(
      ({ request, wantedItem }: Record<string, object>) => ({
        request,
        wantedItem,
      }),
    ),
  }
  for (const [name, person] of Object.entries({ ada, bob })) {
    shown[`${name}, payment`] = await read(person, `/api/payments/${paymentId}`)
    shown[`${name}, payments`] = await read(person, '/api/payments')
    shown[`${name}, offers`] = await read(person, `/api/offers?wantedItemId=${itemId}`)
    shown[`${name}, messages`] = await read(person, `/api/messages?wantedItemId=${itemId}`)
    shown[`${name}, conversations`] = await read(person, '/api/conversations')
    shown[`${name}, notifications`] = await read(person, '/api/notifications')
  }
  return shown
}

function expectLamp(shown: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(shown)) {
    const text = JSON.stringify(value)
    expect(text, name).toContain('Brass lamp')
    expect(text, name).not.toMatch(/Rolex|papers/)
  }
}

test('a deal stays about what the offer answered, although its buyer edits the request before accepting', {
  tags: ['proof'],
}, async () => {
  const it = await openDeal()
  await it.edit()
  await it.accept()
  const paymentId = await it.pay()
  await it.ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
  await it.ada.call(`POST /api/payments/${paymentId}/submit-rating`, { rating: 5 })
  await it.bob.call(`POST /api/payments/${paymentId}/review`, { rating: 5 })
  const { rows } = await it.sql.query("select to_char(now() at time zone 'UTC', 'YYYY-MM') as month")
  const shown: Record<string, unknown> = {
    ...(await readDeal(it, it.itemId, paymentId)),
    statement: (await it.bob.call(`GET /api/seller/statements/${rows[0].month}`)).json(),
    payouts: (await it.bob.call('GET /api/seller/payouts')).json(),
    feedback: (await it.ada.call(`GET /api/users/${it.bob.id}/feedback`)).json(),
    reviews: (await it.ada.call(`GET /api/users/${it.bob.id}/reviews`)).json(),
  }
  expectLamp(shown)
  expect(shown['bob, payment']).toMatchObject({ wantedItem: agreed })
  expect(shown['bob, payments']).toMatchObject([{ wantedItem: agreed, wanted_items: agreed }])
  expect(shown['bob, offers']).toMatchObject([{ request: agreed, currentVersion: 2 }])
  expect(shown.receipt).toMatchObject({ itemTitle: 'Brass lamp', itemDescription: 'Any condition' })
  // The board shows what the request says now.
  const { title } = (await it.bob.call(`GET /api/wanted-items/${it.itemId}`)).json()
  expect(title).toBe('Rolex Submariner')
})

test('the desk and the bank see the agreed request, although its buyer edits it before paying', async () => {
  const it = await openDeal()
  const admin = await it.signUp('Root', 'admin')
  await it.accept()
  await it.edit()
  const paymentId = await it.pay()
  const filed = await it.ada.call('POST /api/initiate-dispute', { paymentId, reason: 'This is no watch' })
  expect(filed.json()).toMatchObject({ wantedItems: agreed })
  const chargeback = await openChargeback(it, paymentId)
  await it.runJobs()
  const sent = await admin.call(`POST /api/admin/disputes/${paymentId}/send-evidence`)
  expect(sent.statusCode, sent.body).toBe(200)
  const { evidence } = await it.stripe<{ evidence: object }>('GET', `/v1/disputes/${chargeback}`)
  const read = async (path: string) => (await admin.call(`GET ${path}`)).json()
  const shown = {
    ...(await readDeal(it, it.itemId, paymentId)),
    evidence,
    disputes: await read(`/api/admin/disputes?search=brass%20lamp`),
    disputesAsCsv: (await admin.call(`GET /api/admin/disputes/export?search=${paymentId}`)).body,
    dispute: await read(`/api/admin/disputes/${paymentId}/details`),
    messages: await read(`/api/admin/disputes/${paymentId}/messages`),
    deal: await read(`/api/admin/deals/${paymentId}`),
    found: (await read(`/api/admin/lookup?q=${it.ada.email}`)).deals,
    foundByTitle: (await read('/api/admin/lookup?q=brass%20lamp')).deals,
    party: (await it.ada.call(`GET /api/disputes/${paymentId}`)).json(),
  }
  const { dispute: details, ...named } = shown
  expectLamp(named)
  expect(JSON.stringify(details)).not.toContain('Rolex')
  expect(shown.disputes).toMatchObject([{ wantedItems: agreed }])
  expect(shown.deal).toMatchObject({ itemTitle: 'Brass lamp', wantedItem: agreed })
  expect(await read('/api/admin/disputes?search=rolex')).toEqual([])
})

test('a receipt and a statement stay as they were, although the buyer edits the request after a refund', async () => {
  const it = await openDeal()
  await it.accept()
  const paymentId = await it.pay()
  const read = () => readDeal(it, it.itemId, paymentId)
  await it.bob.call(`POST /api/payments/${paymentId}/cancel`, { reason: 'Broken' })
  await it.runJobs('retry-refunds')
  const before = await read()
  await it.edit()
  const after = await read()
  expectLamp(after)
  expect(after.receipt).toEqual(before.receipt)
  expect(await it.statusOf(paymentId)).toBe('refunded')
})

test('the notifications about an offer name the request as the offer answers it', async () => {
  const it = await openDeal()
  const titles = async (person: typeof it.ada) =>
    (await person.call('GET /api/notifications')).json().map(({ title }: { title: string }) => title)
  await it.edit()
  expect(await titles(it.ada)).toEqual([
    `New message from ${'Bob Tester'}`,
    'Bob Tester offers “Brass lamp” for $60.00',
  ])
  expect(await titles(it.bob)).toEqual(['“Brass lamp” has changed since your offer'])
})
