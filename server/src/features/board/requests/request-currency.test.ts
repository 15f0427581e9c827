import { expect, test } from 'vitest'
import { actDuringChange } from '../../../testing/blocked-statements.ts'
import { changeSettings } from '../../../testing/change-settings.ts'
import { openWorld } from '../../../testing/world.ts'

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh' }

async function openMarket() {
  const world = await openWorld({ RATE_LIMIT: 'off' })
  await changeSettings(world.services, { currencies: ['usd', 'jpy', 'kwd', 'idr', 'myr'] })
  const [ada, bob] = [await world.signUp('Ada'), await world.signUp('Bob')]
  const post = (request: object) => ada.call('POST /api/wanted-items', { ...lamp, ...request })
  const offer = (wantedItemId: number, amount: number, who = bob) =>
    who.call('POST /api/offers', { wantedItemId, receiverId: ada.id, amount })
  return { ...world, ada, bob, post, offer }
}

test('a request has the currency that its owner chose, and everything about it names it', async () => {
  const { ada, bob, visitor, post, offer } = await openMarket()
  expect((await post({})).json().currency).toBe('usd')
  const posted = (await post({ currency: 'jpy', maxBudget: 12_000 })).json()
  expect(posted).toMatchObject({ currency: 'jpy', maxBudget: 12_000 })
  expect((await visitor('GET /api/wanted-items')).json()).toMatchObject([
    { currency: 'jpy' },
    { currency: 'usd' },
  ])
  const made = (await offer(posted.id, 9_000)).json()
  expect(made).toMatchObject({ amount: 9_000, currency: 'jpy', request: { currency: 'jpy' } })
  await ada.call(`PATCH /api/offers/${made.id}/accept`)
  expect((await bob.call('GET /api/user/offers')).json()).toMatchObject([
    { currency: 'jpy', wantedItem: { currency: 'jpy' } },
  ])
  expect((await bob.call('GET /api/notifications')).body).toContain('¥9,000')
})

test.each([
  ['a currency that the market does not have', { currency: 'eur' }, 'currency_not_available'],
  ['an unknown currency', { currency: 'xau' }, 'invalid'],
  ['a budget with decimals in yen', { currency: 'jpy', maxBudget: 12.5 }, 'invalid'],
  ['a budget above the largest in dollars', { maxBudget: 20_000_001 }, 'invalid'],
])('a request is refused for %s', async (_, request, code) => {
  const { post } = await openMarket()
  const reply = await post(request)
  expect([reply.statusCode, reply.json().code]).toEqual([422, code])
})

test('budgets reach what the provider can charge', async () => {
  const { post } = await openMarket()
  expect((await post({ currency: 'idr', maxBudget: 9_999_999_999.99 })).json().maxBudget).toBe(
    9_999_999_999.99,
  )
  expect((await post({ currency: 'jpy', maxBudget: 12.5 })).json().issues).toEqual([
    { path: 'maxBudget', message: 'Must be a multiple of ¥1' },
  ])
})

test('the currency of a request can change until its first offer, and makes a version', async () => {
  const { ada, bob, post, offer } = await openMarket()
  const { id } = (await post({ maxBudget: 50 })).json()
  const edit = async (currency: string | undefined, rest: object = {}) => {
    const reply = await ada.call(`PUT /api/wanted-items/${id}`, { ...lamp, ...rest, currency })
    return [reply.statusCode, reply.json().code ?? reply.json().currency]
  }
  expect(await edit('eur')).toEqual([422, 'currency_not_available'])
  expect(await edit('jpy', { maxBudget: 5_000 })).toEqual([200, 'jpy'])
  // Without a currency, it keeps the one that it has.
  expect(await edit(undefined, { maxBudget: 6_000 })).toEqual([200, 'jpy'])
  const made = (await offer(id, 4_000)).json()
  expect(await edit('usd')).toEqual([409, 'currency_fixed'])
  await bob.call(`PATCH /api/offers/${made.id}/withdraw`)
  expect(await edit('usd')).toEqual([409, 'currency_fixed'])
  expect(await edit('jpy', { title: 'Green lamp' })).toEqual([200, 'jpy'])
  expect((await ada.call(`GET /api/wanted-items/${id}/versions`)).json()).toMatchObject([
    { version: 1, currency: 'usd' },
    { version: 2, currency: 'jpy' },
    { version: 3, currency: 'jpy' },
    { version: 4, currency: 'jpy', title: 'Green lamp' },
  ])
})

test('an offer waits for a change of the currency and is about the new one', async () => {
  const { sql, post, offer } = await openMarket()
  const { id } = (await post({})).json()
  const made = await actDuringChange(
    sql,
    [`update wanted_items set currency = 'jpy' where id = $1`, id],
    () => offer(id, 4_000),
  )
  expect(made.json()).toMatchObject({ currency: 'jpy', amount: 4_000 })
  await expect(sql.query(`update wanted_items set currency = 'usd' where id = $1`, [id])).rejects.toThrow(
    'offers_request_currency',
  )
})

test.each([
  ['kwd', 12_345, 'Must be a multiple of 0.010 KWD'],
  ['kwd', 100, 'Must be at least 0.160 KWD'],
  ['myr', 150, 'Must be at least RM2.00'],
  ['jpy', 49, 'Must be at least ¥50'],
  ['usd', 100_000_000, 'Must be at most $999,999.99'],
  ['idr', 839_999, 'Must be at least Rp8,400.00'],
])('an offer that the provider could not charge is refused: %s %i', async (currency, amount, message) => {
  const { post, offer } = await openMarket()
  const { id } = (await post({ currency })).json()
  const reply = await offer(id, amount)
  expect([reply.statusCode, reply.json()]).toMatchObject([
    422,
    { code: 'invalid', issues: [{ path: 'amount', message }] },
  ])
})

test('what the provider could not charge is refused when accepting and countering, too', async () => {
  const { ada, sql, post, offer } = await openMarket()
  const { id } = (await post({ currency: 'kwd' })).json()
  const { id: offerId } = (await offer(id, 12_340)).json()
  const countered = await ada.call(`POST /api/offers/${offerId}/counter`, { amount: 12_345 })
  expect(countered.json().issues).toMatchObject([{ path: 'amount' }])
  await sql.query('update offers set amount = 12345 where id = $1', [offerId])
  const accepted = await ada.call(`PATCH /api/offers/${offerId}/accept`)
  expect([accepted.statusCode, accepted.json().issues]).toEqual([
    422,
    [{ path: 'amount', message: 'Must be a multiple of 0.010 KWD' }],
  ])
})

test('a seller with a bank account offers only in the currency of its country', async () => {
  const { ada, bob, sql, post, offer } = await openMarket()
  const inDollars = (await post({})).json()
  const inYen = (await post({ currency: 'jpy' })).json()
  const saved = await bob.call('POST /api/seller/save-bank-account', {
    account_holder_name: 'Bob Tester',
    country: 'US',
    routing_number: '110000000',
    account_number: '000123456789',
  })
  expect(saved.statusCode, saved.body).toBe(200)
  expect((await offer(inDollars.id, 4_000)).statusCode).toBe(201)
  const refused = await offer(inYen.id, 4_000)
  expect([refused.statusCode, refused.json().code]).toEqual([422, 'currency_not_available'])
  // The provider converts what it pays to a connected account.
  await sql.query("update users set stripe_connect_account_id = 'acct_bob' where id = $1", [bob.id])
  expect((await offer(inYen.id, 4_000)).statusCode).toBe(201)
  expect((await ada.call(`GET /api/wanted-items/${inYen.id}/offers`)).json()).toHaveLength(1)
})

test('in a market with one currency, banks abroad convert', async () => {
  const { bob, services, post, offer } = await openMarket()
  const { id } = (await post({})).json()
  const saved = await bob.call('POST /api/seller/save-bank-account', {
    account_holder_name: 'Bob Tester',
    country: 'DE',
    iban: 'DE89370400440532013000',
  })
  expect(saved.statusCode, saved.body).toBe(200)
  expect((await offer(id, 4_000)).json().code).toBe('currency_not_available')
  await changeSettings(services, { currencies: ['usd'] })
  expect((await offer(id, 4_000)).statusCode).toBe(201)
})
