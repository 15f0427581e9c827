import { calls } from '@sought/contract/calls'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { openMoneyWorld } from '../testing/money-world.ts'
import { uploadOf } from '../testing/multipart.ts'
import { type Person, shareWorld } from '../testing/world.ts'
import { createLimits } from './limits.ts'

const world = shareWorld()
const DAY_MS = 86_400_000
const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh' }

/** Simulates this many attempts in the current window. */
const setAttempts = (key: string, points: number) =>
  world().sql.query(
    `insert into rate_limits (key, points, expire) values ($1, $2, $3)
     on conflict (key) do update set points = $2, expire = $3`,
    [key, points, Date.now() + 600_000],
  )

const multipart = (field: string) => uploadOf(field, Buffer.from('x'))

async function openRequest() {
  const [buyer, seller] = [await world().signUp('Buyer'), await world().signUp('Seller')]
  const post = async (): Promise<number> => (await buyer.call('POST /api/wanted-items', lamp)).json().id
  const id = await post()
  const write = (by: Person, to: Person, wantedItemId = id, remoteAddress = '192.0.2.1') =>
    by.call('POST /api/messages', { wantedItemId, receiverId: to.id, content: 'Hello' }, { remoteAddress })
  const offer = (wantedItemId = id, remoteAddress = '192.0.2.1') =>
    seller.call('POST /api/offers', { wantedItemId, receiverId: buyer.id, amount: 4500 }, { remoteAddress })
  return { buyer, seller, id, post, write, offer }
}

test('an address gets 300 passkey challenges in a quarter of an hour', async () => {
  const ada = await world().signUp('Ada')
  const remoteAddress = '192.0.2.70'
  const ask = (purpose: string) => ada.call('POST /api/auth/passkey/options', { purpose }, { remoteAddress })
  const add = () => ada.call('POST /api/user/passkeys/options', undefined, { remoteAddress })
  await setAttempts(`passkey:address:${remoteAddress}`, 297)
  for (const reply of [await ask('sign_in'), await ask('confirm'), await add()])
    expect(reply.statusCode).toBe(200)
  for (const reply of [await ask('sign_in'), await ask('confirm'), await add()]) {
    expect([reply.statusCode, reply.json().code]).toEqual([429, 'too_many'])
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  }
})

describe('an hour allows', () => {
  test('60 offers and counter-offers of a person, and 600 from an address', async () => {
    const { buyer, seller, offer } = await openRequest()
    await setAttempts(`offers:account:${seller.id}`, 59)
    const last = await offer()
    expect(last.statusCode).toBe(201)
    const refused = await offer()
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    const counter = () => buyer.call(`POST /api/offers/${last.json().id}/counter`, { amount: 4000 })
    expect((await counter()).statusCode).toBe(201)
    await setAttempts(`offers:account:${buyer.id}`, 60)
    expect((await counter()).statusCode).toBe(429)
    const other = await openRequest()
    await setAttempts('offers:address:192.0.2.60', 600)
    expect((await other.offer(other.id, '192.0.2.60')).statusCode).toBe(429)
    expect((await other.offer(other.id, '192.0.2.61')).statusCode).toBe(201)
  })

  test('180 messages of a person, and 1800 from an address', async () => {
    const { buyer, seller, id, write } = await openRequest()
    await setAttempts(`messages:account:${seller.id}`, 179)
    expect((await write(seller, buyer)).statusCode).toBe(201)
    expect((await write(seller, buyer)).statusCode).toBe(429)
    await setAttempts('messages:address:192.0.2.62', 1800)
    expect((await write(buyer, seller, id, '192.0.2.62')).statusCode).toBe(429)
    expect((await write(buyer, seller)).statusCode).toBe(201)
  })

  test('120 uploads of a person to any call, and 1200 from an address', async () => {
    const uploader = await world().signUp('Uploader', 'admin')
    // Only admins can upload the market's logo.
    const uploads = Object.values(calls).filter(({ upload }) => upload)
    expect(uploads.length).toBeGreaterThan(2)
    const send = ({ method, path, upload }: (typeof uploads)[number], remoteAddress = '192.0.2.1') =>
      uploader.call(`${method} ${path.replace(/:\w+/g, '1')}`, undefined, {
        ...multipart(upload?.field ?? ''),
        remoteAddress,
      })
    for (const call of uploads) {
      await setAttempts(`uploads:account:${uploader.id}`, 119)
      expect((await send(call)).statusCode, call.path).not.toBe(429)
      expect((await send(call)).statusCode, call.path).toBe(429)
      expect(call.refuses, call.path).toContain('too_many')
    }
    await setAttempts(`uploads:account:${uploader.id}`, 0)
    await setAttempts('uploads:address:192.0.2.63', 1200)
    for (const call of uploads) expect((await send(call, '192.0.2.63')).statusCode).toBe(429)
  })
})

describe('a day allows', () => {
  test('20 posts and 60 edits of a new account, and 40 and 120 of an older one', async () => {
    const poster = await world().signUp('Poster')
    const post = (remoteAddress = '192.0.2.1') =>
      poster.call('POST /api/wanted-items', lamp, { remoteAddress })
    const first = await post()
    for (let round = 2; round <= 20; round++) expect((await post()).statusCode).toBe(201)
    const refused = await post()
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toEqual({
      code: 'too_many',
      message: 'Too many attempts. Please try again in 24 hours.',
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000)
    const { id } = first.json()
    const changes = [
      () => poster.call(`PUT /api/wanted-items/${id}`, lamp),
      () => poster.call(`POST /api/wanted-items/${id}/reopen`),
      () => poster.call(`POST /api/wanted-items/${id}/renew`),
    ]
    await setAttempts(`edits:new-account:${poster.id}`, 57)
    for (const change of changes) expect((await change()).statusCode).toBe(200)
    for (const change of changes) expect((await change()).json().code).toBe('too_many')

    const age = 'update users set created_at = $2 where id = $1'
    await world().sql.query(age, [poster.id, new Date(Date.now() - DAY_MS)])
    await setAttempts(`posts:account:${poster.id}`, 39)
    await setAttempts(`edits:account:${poster.id}`, 119)
    expect((await post()).statusCode).toBe(201)
    expect((await post()).statusCode).toBe(429)
    expect((await changes[0]?.())?.statusCode).toBe(200)
    expect((await changes[0]?.())?.statusCode).toBe(429)

    const other = await world().signUp('Poster')
    await setAttempts('posts:address:192.0.2.80', 400)
    const from = (remoteAddress: string) => other.call('POST /api/wanted-items', lamp, { remoteAddress })
    expect((await from('192.0.2.80')).statusCode).toBe(429)
    expect((await from('192.0.2.81')).statusCode).toBe(201)
  })

  test('6 settlement proposals of each party of a dispute', async () => {
    const { given } = await openMoneyWorld()
    const { paymentId, buyer, seller } = await given.dispute()
    for (const party of [buyer, seller]) {
      const propose = (refundAmount: number) =>
        party.call(`POST /api/disputes/${paymentId}/settlement`, { refundAmount })
      for (let cents = 1; cents <= 6; cents++) expect((await propose(cents)).statusCode).toBe(200)
      expect((await propose(7)).json().code).toBe('too_many')
    }
  })

  test('20 first contacts of a new account, by message or offer; conversations can continue', async () => {
    const { buyer, seller, post, write, offer } = await openRequest()
    await setAttempts(`first-contacts:new-account:${seller.id}`, 19)
    expect((await write(seller, buyer)).statusCode).toBe(201)
    const another = await post()
    expect((await write(seller, buyer, another)).json().code).toBe('too_many')
    expect((await offer(another)).statusCode).toBe(429)
    expect((await write(seller, buyer)).statusCode).toBe(201)
    expect((await offer()).statusCode).toBe(201)
    // The owner's answer is not a first contact.
    await setAttempts(`first-contacts:new-account:${buyer.id}`, 20)
    expect((await write(buyer, seller)).statusCode).toBe(201)
  })

  test('60 first contacts of an account that is a day old, and 600 from an address', async () => {
    const { buyer, seller, post, write } = await openRequest()
    const age = 'update users set created_at = $2 where id = $1'
    await world().sql.query(age, [seller.id, new Date(Date.now() - DAY_MS)])
    await setAttempts(`first-contacts:new-account:${seller.id}`, 20)
    await setAttempts(`first-contacts:account:${seller.id}`, 59)
    expect((await write(seller, buyer)).statusCode).toBe(201)
    expect((await write(seller, buyer, await post())).statusCode).toBe(429)
    const other = await openRequest()
    await setAttempts('first-contacts:address:192.0.2.64', 600)
    expect((await other.write(other.seller, other.buyer, other.id, '192.0.2.64')).statusCode).toBe(429)
  })

  test('10 resets of the payout account, and 10 new accounts at the provider', async () => {
    const { bob, services } = await openMoneyWorld()
    const created: unknown[] = []
    const { cards } = services
    if (!cards) throw new Error('this world has a provider')
    services.cards = {
      ...cards,
      createAccount(seller) {
        created.push(seller)
        return cards.createAccount(seller)
      },
    }
    const setUp = () => bob.call('POST /api/seller/setup-stripe-connect', { country: 'US' })
    const reset = () => bob.call('POST /api/seller/reset-stripe-connect')
    for (let round = 0; round < 10; round++) {
      expect((await setUp()).statusCode).toBe(200)
      expect((await reset()).statusCode).toBe(200)
    }
    expect((await reset()).json().code).toBe('too_many')
    expect((await setUp()).json().code).toBe('too_many')
    expect(created).toHaveLength(10)
  })
})

test('a minute allows 60 questions to the card provider about a payment, and 120 of a person', async () => {
  const { sql, services, given } = await openMoneyWorld()
  const {
    paymentId: id,
    itemId,
    offerId,
    amount,
    buyer: alice,
    seller: bob,
  } = await given.payment({ status: 'held_in_escrow' })
  let asked = 0
  const { cards } = services
  if (!cards) throw new Error('this world has a provider')
  const counted = <Args extends unknown[], Answer>(ask: (...args: Args) => Answer) => {
    return (...args: Args) => {
      asked++
      return ask(...args)
    }
  }
  services.cards = {
    ...cards,
    readIntent: counted(cards.readIntent),
    readAccount: counted(cards.readAccount),
  }
  const start = { itemId, amount }
  const calls = [
    () => alice.call('POST /api/create-payment-intent', start),
    () => alice.call('POST /api/create-escrow-payment', { ...start, offerId }),
    () => alice.call(`POST /api/payments/${id}/submitted`),
    () => alice.call(`POST /api/payments/${id}/confirm-delivery`),
    () => alice.call(`POST /api/manual-delivery-confirm/${id}`),
    () => alice.call(`POST /api/disputes/${id}/settlement/accept`, { refundAmount: 100 }),
    () => bob.call(`POST /api/payments/${id}/handover`, { code: '123456' }),
  ]
  const limit = (key: string, points: number) =>
    sql.query(
      `insert into rate_limits (key, points, expire) values ($1, $2, $3)
       on conflict (key) do update set points = $2, expire = $3`,
      [key, points, Date.now() + 60_000],
    )
  for (const person of [alice, bob])
    for (const about of [id, `request ${itemId}`]) await limit(`provider:payment:${person.id}:${about}`, 60)
  for (const [index, call] of calls.entries())
    expect((await call()).json().code, String(index)).toBe('too_many')
  await limit(`provider:account:${bob.id}`, 120)
  for (const call of ['GET /api/seller/stripe-connect-status', 'POST /api/seller/setup-stripe-connect'])
    expect((await bob.call(call, call.startsWith('POST') ? { country: 'US' } : undefined)).json().code).toBe(
      'too_many',
    )
  expect(asked).toBe(0)
})

test('RATE_LIMIT=off turns all limits off', async () => {
  const { services } = await openMoneyWorld({ env: { RATE_LIMIT: 'off' } })
  for (const limit of Object.values(services.limits))
    for (let attempt = 0; attempt < 5; attempt++) await limit.count('somebody')
  const { rows } = await services.database.pool.query('select count(*)::int from rate_limits')
  expect(rows).toEqual([{ count: 0 }])
})

test('an attempt that cannot be counted is answered as a database fault, not as one attempt too many', async () => {
  const pool = new pg.Pool({ connectionString: 'postgres://127.0.0.1:1/none' })
  const limits = createLimits(pool, true)
  await expect(limits.offersByAccount.count('somebody')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await pool.end()
})
