import { expect, test } from 'vitest'
import { findIgnoredCurrency } from '../../../database/market-settings.ts'
import { changeSettings } from '../../../testing/change-settings.ts'
import { openMoneyWorld } from '../../../testing/money-world.ts'
import { openWorld } from '../../../testing/world.ts'

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh' }

async function openMarket(env: Record<string, string> = {}) {
  const world = await openWorld({ RATE_LIMIT: 'off', ...env })
  const [ada, bob] = [await world.signUp('Ada'), await world.signUp('Bob')]
  const admin = await world.signUp('Root', 'admin')
  const change = (settings: object, by = admin) => by.call('PATCH /api/admin/settings', settings)
  const post = (request: object) => ada.call('POST /api/wanted-items', { ...lamp, ...request })
  const offer = (wantedItemId: number, amount: number) =>
    bob.call('POST /api/offers', { wantedItemId, receiverId: ada.id, amount })
  return { ...world, ada, bob, admin, change, post, offer }
}

test('the first start stores CURRENCY, and a different one later is a warning', async () => {
  const { visitor, services, change, post } = await openMarket({ CURRENCY: 'eur' })
  expect((await visitor('GET /api/config')).json()).toMatchObject({
    currency: 'eur',
    currencies: [{ code: 'eur', decimals: 2, minCharge: 50, maxCharge: 99_999_999 }],
  })
  expect((await post({})).json().currency).toBe('eur')
  const warning = (currency: 'eur' | 'myr', isCurrencyGiven = true) =>
    findIgnoredCurrency(services.database.read, { currency, isCurrencyGiven })
  expect(await warning('eur')).toBeNull()
  expect(await warning('myr', false)).toBeNull()
  expect(await warning('myr')).toBe(
    'CURRENCY=myr is ignored: the market uses eur. Change its currencies in the settings',
  )
  await change({ currencies: ['jpy', 'eur'] })
  expect(await warning('jpy' as 'eur')).toBeNull()
  expect(await warning('eur')).toContain('the market uses jpy, eur')
})

test('an operator chooses the currencies, and the first one is the default', async () => {
  const { visitor, change, post } = await openMarket()
  for (const currencies of [[], ['usd', 'usd'], ['xau'], ['USD'], 'usd'])
    expect((await change({ currencies })).json()).toMatchObject({ code: 'invalid' })
  expect((await change({ currencies: ['jpy', 'usd', 'kwd'] })).json()).toMatchObject({
    currencies: ['jpy', 'usd', 'kwd'],
    maxOfferCents: 1_000_000,
    processingFeeCents: 30,
    byCurrency: { usd: { highValueCents: 50_000 }, kwd: { highValueCents: 160_000 } },
  })
  const config = (await visitor('GET /api/config')).json()
  expect(config).toMatchObject({
    currency: 'jpy',
    currencies: [
      { code: 'jpy', decimals: 0, minCharge: 50, maxCharge: 99_999_999 },
      { code: 'usd', decimals: 2, minCharge: 50, maxCharge: 99_999_999 },
      { code: 'kwd', decimals: 3, minCharge: 160, maxCharge: 99_999_990 },
    ],
    market: { maxOfferCents: 1_000_000, byCurrency: { kwd: { fees: { processingFeeCents: 100 } } } },
  })
  expect((await post({})).json().currency).toBe('jpy')
})

test('fees and limits are set for one currency, by default for the first', async () => {
  const { admin, change } = await openMarket()
  await change({ currencies: ['usd', 'kwd'] })
  const reply = await change({ currency: 'kwd', minimumFee: 50, platformFeePercent: 4, ratingMinCents: 900 })
  expect(reply.json()).toMatchObject({
    minimumFee: 0,
    platformFeePercent: 3,
    ratingMinCents: 500,
    byCurrency: {
      usd: { minimumFee: 0, platformFeePercent: 3, ratingMinCents: 500 },
      kwd: { minimumFee: 50, platformFeePercent: 4, ratingMinCents: 900 },
    },
  })
  await change({ minimumFee: 70 })
  expect((await admin.call('GET /api/admin/settings')).json()).toMatchObject({
    minimumFee: 70,
    byCurrency: { usd: { minimumFee: 70 }, kwd: { minimumFee: 50 } },
  })
  // The limits follow their currency to the first place.
  expect((await change({ currencies: ['kwd', 'usd'] })).json()).toMatchObject({
    ratingMinCents: 900,
    byCurrency: { usd: { ratingMinCents: 500 }, kwd: { ratingMinCents: 900 } },
  })
  const history = (await admin.call('GET /api/admin/settings/history')).json()
  expect(history.map(({ changes }: { changes: object[] }) => changes)).toEqual([
    [{ field: 'currencies', from: ['usd', 'kwd'], to: ['kwd', 'usd'] }],
    [{ field: 'minimumFee', from: 0, to: 70 }],
    [
      { field: 'ratingMinCents', currency: 'kwd', from: 1_600, to: 900 },
      { field: 'platformFeePercent', currency: 'kwd', from: 3, to: 4 },
      { field: 'minimumFee', currency: 'kwd', from: 0, to: 50 },
    ],
    [{ field: 'currencies', from: ['usd'], to: ['usd', 'kwd'] }],
  ])
})

test('an amount that does not fit its currency is refused with its bound', async () => {
  const { change } = await openMarket()
  await change({ currencies: ['usd', 'kwd'] })
  const issuesOf = async (settings: object) => (await change(settings)).json().issues
  expect(await issuesOf({ currency: 'kwd', minimumFee: 55 })).toEqual([
    { path: 'minimumFee', message: 'Must be a multiple of 0.010 KWD' },
  ])
  expect(await issuesOf({ processingFeeCents: 100_01 })).toEqual([
    { path: 'processingFeeCents', message: 'Must be between $0.00 and $100.00' },
  ])
  expect(await issuesOf({ currency: 'kwd', maxOfferCents: 150 })).toMatchObject([{ path: 'maxOfferCents' }])
  expect((await change({ currency: 'eur', minimumFee: 50 })).json()).toMatchObject({
    code: 'currency_not_available',
  })
  expect((await change({ currency: 'kwd', name: 'Souk' })).json()).toMatchObject({
    issues: [{ path: 'currency' }],
  })
})

test('a currency that a request, an offer or a deal uses cannot be removed', async () => {
  const { ada, change, post, offer, given } = await openMarket()
  await change({ currencies: ['usd', 'eur'] })
  const { id } = (await post({ currency: 'eur' })).json()
  const remove = async (currency: 'eur' | 'usd') => {
    const reply = await change({ currencies: currency === 'eur' ? ['usd'] : ['eur'] })
    return [reply.statusCode, reply.json().code]
  }
  expect(await remove('eur')).toEqual([409, 'currency_in_use'])
  await offer(id, 4_500)
  await ada.call(`POST /api/wanted-items/${id}/close`)
  expect(await remove('eur')).toEqual([200, undefined])
  const reopened = await ada.call(`POST /api/wanted-items/${id}/reopen`)
  expect([reopened.statusCode, reopened.json().code]).toEqual([422, 'currency_not_available'])
  await change({ currencies: ['eur', 'usd'] })
  await given.completedDeal({ buyer: ada })
  // Everybody has been paid, or is still owed.
  await ada.call(`POST /api/wanted-items/${id}/close`)
  expect(await remove('usd')).toEqual([200, undefined])
  await change({ currencies: ['usd', 'eur'] })
  await given.heldPayment()
  expect(await remove('usd')).toEqual([409, 'currency_in_use'])
})

test('raising the limit of goodwill needs two admins in each currency', async () => {
  const { admin, signUp, change, sql } = await openMarket()
  const other = await signUp('Eve', 'admin')
  await change({ currencies: ['usd', 'jpy'] })
  const raise = async (by: typeof admin, goodwillApprovalCents: number) => {
    const reply = await change({ currency: 'jpy', goodwillApprovalCents }, by)
    return reply.json().code ?? reply.json().byCurrency.jpy.goodwillApprovalCents
  }
  expect(await raise(admin, 20_000)).toBe('second_admin_required')
  expect(await raise(admin, 20_000)).toBe('second_admin_required')
  expect(await raise(other, 20_000)).toBe(20_000)
  expect(await raise(admin, 5_000)).toBe(5_000)
  expect(await raise(admin, 1_000_001)).toBe('invalid')
  const { rows } = await sql.query('select settings from market_settings order by id desc limit 1')
  const raised = { ...rows[0].settings, limits: { jpy: { goodwillApprovalCents: 5_001 } } }
  await expect(
    sql.query('insert into market_settings (settings, changed_by) values ($1, $2)', [raised, admin.id]),
  ).rejects.toThrow('second admin')
})

test('payments from the high value of their currency are held longer', async () => {
  const world = await openMoneyWorld()
  await changeSettings(world.services, { currencies: ['myr', 'usd'], highValueCents: 10_000 })
  const daysOf = async (amount: number) => {
    const { paymentId } = await world.payIntoEscrow(amount)
    const { rows } = await world.sql.query(
      `select currency, round(extract(epoch from escrow_hold_until - now()) / 86400)::int as days
       from payments where id = $1`,
      [paymentId],
    )
    return rows[0]
  }
  expect(await daysOf(9_999)).toEqual({ currency: 'myr', days: 7 })
  expect(await daysOf(10_000)).toEqual({ currency: 'myr', days: 14 })
})
