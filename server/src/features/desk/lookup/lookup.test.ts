import { expect, test } from 'vitest'
import { findFullScans } from '../../../testing/full-scans.ts'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import type { Person } from '../../../testing/world.ts'

const newWorld = shareMoneyWorld()

async function openMarket() {
  const world = await newWorld()
  const admin = await world.signUp('Root', 'admin')
  const find = async (q: string) => {
    const reply = await admin.call(`GET /api/admin/lookup?q=${encodeURIComponent(q)}`)
    expect(reply.statusCode, reply.body).toBe(200)
    return reply.json()
  }
  return { world, admin, find }
}

const idsOf = (rows: { id: unknown }[]) => rows.map(({ id }) => id)

const lastAudit = async ({ sql }: MoneyWorld, action: string, admin: Person) =>
  (
    await sql.query(
      'select subject_id, details from audit_log where action = $1 and actor_id = $2 order by id desc limit 1',
      [action, admin.id],
    )
  ).rows[0]

test('people are found by id, email and the beginning of a name, with their requests and deals', async () => {
  const { world, admin, find } = await openMarket()
  const { ada } = world
  const { paymentId } = await world.given.heldPayment()
  const { rows } = await world.sql.query('select wanted_item_id from payments where id = $1', [paymentId])
  const itemId = rows[0].wanted_item_id
  const name = `Zoe${ada.id.replace(/\W/g, '').slice(0, 6)}`
  await world.sql.query('update users set first_name = $2, last_name = $3 where id = $1', [
    ada.id,
    name,
    'Quill%_Marsh',
  ])
  for (const q of [ada.id, ada.email, ada.email.toUpperCase(), name, name.slice(0, -1), `${name} quill%_m`]) {
    const found = await find(q)
    expect(idsOf(found.people), q).toContain(ada.id)
    expect(idsOf(found.requests), q).toContain(itemId)
    expect(idsOf(found.deals), q).toContain(paymentId)
  }
  expect((await find(name.slice(1))).people).toEqual([])
  expect((await find('quill%marsh')).people).toEqual([])
  const entry = await lastAudit(world, 'people_searched', admin)
  expect(entry).toEqual({ subject_id: null, details: { people: 0, requests: 0, deals: 0 } })
})

test('requests are found by id and words of their title', async () => {
  const { world, find } = await openMarket()
  const lamp = { title: 'Rare Xylophone stand', description: 'Red', category: 'Other', location: 'Ipoh' }
  const { id } = (await world.ada.call('POST /api/wanted-items', lamp)).json()
  for (const q of [String(id), 'xylo', 'rare xylophone'])
    expect(idsOf((await find(q)).requests), q).toContain(id)
})

test('deals are found by number, card, parcel and the ids of the provider', async () => {
  const { world, find } = await openMarket()
  const account = await world.connectBob()
  const { paymentId } = await world.payIntoEscrow(12_000, { delivery: 'shipping', shipWithinDays: 2 })
  await world.bob.call(`POST /api/payments/${paymentId}/ship`, {
    carrier: 'dhl',
    trackingNumber: `JD0146${paymentId}0099`,
  })
  await world.ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
  await world.runJobs()
  const { rows } = await world.sql.query(
    `select transaction_number as number, stripe_payment_intent_id as intent, provider_id as transfer
     from payments join payouts on payment_id = payments.id where payments.id = $1`,
    [paymentId],
  )
  const [{ number, intent, transfer }] = rows
  const { latest_charge: charge } = await world.stripe<{ latest_charge: string }>(
    'GET',
    `/v1/payment_intents/${intent}`,
  )
  const parcel = `jd01 46${paymentId} 0099`
  for (const q of [String(paymentId), number, number.toLowerCase(), '4242', parcel, intent, charge, transfer])
    expect(idsOf((await find(q)).deals), q).toContain(paymentId)
  const found = await find(account)
  expect(idsOf(found.people)).toEqual([world.bob.id])
  expect(found.deals[0]).toMatchObject({ id: paymentId, cardLast4: '4242', status: 'completed' })
})

test('a search needs an id or 2 to 200 characters', async () => {
  const { admin } = await openMarket()
  for (const q of ['', '0', 'a', '%20a%20', 'a'.repeat(201)])
    expect((await admin.call(`GET /api/admin/lookup?q=${q}`)).statusCode, q).toBe(422)
  expect((await admin.call('GET /api/admin/lookup')).statusCode).toBe(422)
})

test('the page of a person has a paged timeline and no secrets, and its view is recorded', async () => {
  const { world, admin } = await openMarket()
  const { bob } = world
  const bank = {
    account_holder_name: 'Bob Secret',
    country: 'US',
    routing_number: '110000000',
    account_number: '000987654321',
    account_type: 'checking',
  }
  await bob.call('POST /api/seller/save-bank-account', bank)
  const { paymentId } = await world.given.heldPayment()
  await bob.call('POST /api/support/tickets', { topic: 'other', subject: 'Fees', message: 'Which?' })
  const reply = await admin.call(`GET /api/admin/people/${bob.id}`)
  const person = reply.json()
  expect(person).toMatchObject({
    id: bob.id,
    email: bob.email,
    role: null,
    verification: { payouts: 'manual', secondFactor: false },
    figures: { requests: 0, offers: 1, bought: 0, sold: 1, disputes: 0 },
    deals: [{ id: paymentId }],
    tickets: [{ subject: 'Fees' }],
    relatedAccounts: [],
  })
  const kinds = person.timeline.map(({ kind, detail }: { kind: string; detail: string }) => [kind, detail])
  expect(kinds.slice(0, 2)).toEqual([
    ['recorded', 'person_viewed'],
    ['ticket_opened', 'Fees'],
  ])
  expect(kinds).toContainEqual(['sold', 'held_in_escrow'])
  expect(reply.body).not.toMatch(/000987654321|Bob Secret|argon2/)
  const ids: string[] = []
  let next: string | undefined = `/api/admin/people/${bob.id}/timeline?limit=2`
  while (next) {
    const page = await admin.call(`GET ${next}`)
    ids.push(...idsOf(page.json()).map(String))
    next = /<(.*)>; rel="next"/.exec(String(page.headers.link))?.[1]
  }
  // The first page begins with the view that reading it recorded.
  expect(ids.slice(1)).toEqual(idsOf(person.timeline))
  expect(await lastAudit(world, 'person_viewed', admin)).toEqual({ subject_id: bob.id, details: {} })
  expect((await admin.call('GET /api/admin/people/nobody')).statusCode).toBe(404)
  const noDate = `/api/admin/people/${bob.id}/timeline?cursor=2026-05-36T04:03:18.710Z/sold:1`
  expect((await admin.call(`GET ${noDate}`)).statusCode).toBe(422)
})

test('the page of a person shows verified facts, the payout method and the end of the payout wait', async () => {
  const { world, admin } = await openMarket()
  const { bob, sql } = world
  async function verificationWith(columns: Record<string, unknown>) {
    const names = Object.keys(columns)
    const changes = names.map((name, index) => `${name} = $${index + 2}`).join(', ')
    await sql.query(`update users set ${changes} where id = $1`, [bob.id, ...Object.values(columns)])
    return (await admin.call(`GET /api/admin/people/${bob.id}`)).json().verification
  }
  const nothing = { email: false, phone: false, secondFactor: false, payouts: 'none', payoutsWaitUntil: null }
  expect(await verificationWith({ email_verified_at: null })).toEqual(nothing)
  expect(await verificationWith({ email_verified_at: new Date() })).toEqual({ ...nothing, email: true })

  const [first, second] = ['+60123456789', '+60198765432']
  expect(await verificationWith({ phone: first })).toMatchObject({ phone: false })
  expect(await verificationWith({ verified_phone: first })).toMatchObject({ phone: true })
  expect(await verificationWith({ phone: second })).toMatchObject({ phone: false })

  const account = 'acct_of_bob'
  expect(await verificationWith({ stripe_connect_account_id: account })).toMatchObject({ payouts: 'none' })
  expect(await verificationWith({ payouts_enabled: true })).toMatchObject({ payouts: 'transfer' })
  const noAccount = { stripe_connect_account_id: null }
  expect(await verificationWith(noAccount)).toMatchObject({ payouts: 'none' })

  const [sooner, later] = ['2030-01-01T00:00:00.000Z', '2030-02-01T00:00:00.000Z']
  for (const [changed, delayed, until] of [
    [sooner, null, sooner],
    [null, sooner, sooner],
    [sooner, later, later],
    [later, sooner, later],
  ])
    expect(
      await verificationWith({ payouts_wait_until: changed, payouts_delayed_until: delayed }),
    ).toMatchObject({ payoutsWaitUntil: until })
})

test('the page of a deal has messages, ledger, provider objects and possible actions, and its view is recorded', async () => {
  const { world, admin } = await openMarket()
  const { ada, bob } = world
  const { paymentId, itemId } = await world.payIntoEscrow()
  await ada.call('POST /api/messages', { content: 'Is it green?', wantedItemId: itemId, receiverId: bob.id })
  await ada.call('POST /api/initiate-dispute', { paymentId, reason: 'It is blue' })
  await admin.call('POST /api/admin/goodwill', { paymentId, to: 'buyer', amount: 500, reason: 'Sorry' })
  const deal = (await admin.call(`GET /api/admin/deals/${paymentId}`)).json()
  expect(deal).toMatchObject({
    id: paymentId,
    status: 'disputed',
    buyer: { id: ada.id, email: ada.email },
    seller: { id: bob.id },
    goodwill: [{ to: 'buyer', amount: 500, status: 'done' }],
    actions: ['rule', 'give_goodwill'],
    fees: {
      platformFeeBasisPoints: 300,
      processingFeeBasisPoints: 290,
      processingFeeCents: 30,
      minimumFeeCents: 0,
    },
  })
  expect(deal.messages.map(({ content }: { content: string }) => content)).toContain('Is it green?')
  const held = deal.ledger.filter(({ key }: { key: string }) => key === `hold:${paymentId}`)
  expect(held.map(({ account, amount }: { account: string; amount: number }) => [account, amount])).toEqual([
    ['provider', -12_000],
    [`escrow:${paymentId}`, 12_000],
  ])
  expect(deal.provider.intentId).toMatch(/^pi_/)
  const kinds = deal.timeline.map(({ kind }: { kind: string }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(['goodwill_requested', 'card_charged', 'payment_started']))
  expect(kinds.at(-1)).toBe('payment_started')
  expect(await lastAudit(world, 'deal_viewed', admin)).toEqual({
    subject_id: null,
    details: { paymentId },
  })
  expect((await admin.call('GET /api/admin/deals/999999')).statusCode).toBe(404)
})

test('an admin who is a party of a deal cannot act on it', async () => {
  const { world } = await openMarket()
  const { paymentId } = await world.given.heldPayment()
  await world.appoint(world.bob)
  expect((await world.bob.call(`GET /api/admin/deals/${paymentId}`)).json().actions).toEqual([])
})

let paidMarket: ReturnType<typeof openPaidMarket> | undefined

/** A market with a deal, which the tests that only read share. */
async function openPaidMarket() {
  const market = await openMarket()
  await market.world.payIntoEscrow()
  return market
}

test.each([
  ['a name', 'Ada'],
  ['an id or a card', '4242'],
  ['an object of the provider', 'pi_1'],
  ['a tracking number', 'JD014600003SE'],
])('searching for %s needs no full table scan', async (_, q) => {
  paidMarket ??= openPaidMarket()
  const { world, find } = await paidMarket
  expect(await findFullScans(world.sql, () => find(q))).toEqual([])
})

test('the page of a person needs no full table scan', async () => {
  paidMarket ??= openPaidMarket()
  const { world, admin } = await paidMarket
  expect(await findFullScans(world.sql, () => admin.call(`GET /api/admin/people/${world.ada.id}`))).toEqual(
    [],
  )
})
