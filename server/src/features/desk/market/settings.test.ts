import { expect, test } from 'vitest'
import { openWorld, type World } from '../../../testing/world.ts'

const DAY_MS = 86_400_000

async function openMarket() {
  const world = await openWorld({ RATE_LIMIT: 'off' })
  return { ...world, admin: await world.signUp('Root', 'admin') }
}

const after = ({ services }: World, ms: number) => new Date(services.clock().getTime() + ms).toISOString()

const inDollars = {
  maxOfferCents: 1_000_000,
  goodwillApprovalCents: 10_000,
  ratingMinCents: 500,
  highValueCents: 50_000,
  platformFeePercent: 3,
  processingFeePercent: 2.9,
  processingFeeCents: 30,
  minimumFee: 0,
  feeTiers: [],
  feesFrom: '1970-01-01T00:00:00.000Z',
  scheduledFees: [],
}

test('a market starts with the settings of the specification', async () => {
  const { admin } = await openMarket()
  const reply = await admin.call('GET /api/admin/settings')
  expect(reply.json()).toEqual({
    name: 'Sought',
    categories: [
      'Electronics',
      'Home & Garden',
      'Automotive',
      'Fashion',
      'Sports',
      'Music',
      'Books & Media',
      'Other',
    ],
    mode: 'open',
    currencies: ['usd'],
    paymentMethods: ['card', 'link'],
    debtWriteOffDays: 365,
    holdDays: 7,
    holdDaysHighValue: 14,
    offerExpiryDays: 7,
    openRequestsMax: 50,
    cancellationFeePayer: 'seller',
    cancellationsMax: 5,
    requireVerifiedEmail: false,
    payoutDelayHours: 0,
    newSellerPayoutDelayDays: 0,
    accentColor: null,
    logoUrl: null,
    ...inDollars,
    byCurrency: { usd: inDollars },
  })
  expect((await admin.call('GET /api/admin/settings/history')).json()).toEqual([])
})

test('a payment method that only a newer release knows is ignored', async () => {
  const { admin, sql, visitor } = await openMarket()
  await sql.query(
    `insert into market_settings (settings) values ('{"name":"Moon","paymentMethods":["card","moon_dust"]}')`,
  )
  expect((await visitor('GET /api/config')).statusCode).toBe(200)
  const { paymentMethods, name } = (await admin.call('GET /api/admin/settings')).json()
  expect({ paymentMethods, name }).toEqual({ paymentMethods: ['card'], name: 'Moon' })
})

test('only methods that can be held are chosen, and cards always', async () => {
  const { admin } = await openMarket()
  const choose = (...paymentMethods: string[]) => admin.call('PATCH /api/admin/settings', { paymentMethods })
  expect((await choose('card', 'ideal', 'us_bank_account')).json()).toMatchObject({
    paymentMethods: ['card', 'ideal', 'us_bank_account'],
  })
  for (const methods of [[], ['link'], ['card', 'card'], ['card', 'oxxo']])
    expect((await choose(...methods)).statusCode).toBe(422)
})

test('settings that protect people default to the deployment until the operator sets them', async () => {
  const { admin, services } = await openMarket()
  const defaults = { requireVerifiedEmail: true, payoutDelayHours: 24, newSellerPayoutDelayDays: 7 }
  services.config.settingDefaults = defaults
  expect((await admin.call('GET /api/admin/settings')).json()).toMatchObject(defaults)
  const changed = await admin.call('PATCH /api/admin/settings', { payoutDelayHours: 3 })
  expect(changed.json()).toMatchObject({ ...defaults, payoutDelayHours: 3 })
})

test('changing some settings keeps the others, and the whole market uses the change at once', async () => {
  const { admin, visitor } = await openMarket()
  await visitor('GET /api/config')
  const change = { name: 'Bazaar', holdDays: 10, platformFeePercent: 4.25 }
  const reply = await admin.call('PATCH /api/admin/settings', change)
  expect(reply.json()).toMatchObject({
    ...change,
    processingFeePercent: 2.9,
    mode: 'open',
    holdDaysHighValue: 14,
  })
  expect((await admin.call('GET /api/admin/settings')).json()).toEqual(reply.json())
  expect((await visitor('GET /api/config')).json().market).toMatchObject({
    name: 'Bazaar',
    holdDays: 10,
    fees: {
      platformFeeBasisPoints: 425,
      processingFeeBasisPoints: 290,
      processingFeeCents: 30,
      minimumFeeCents: 0,
      feeTiers: [],
    },
  })
})

test('after saving, every process sends pages with the new settings', async () => {
  const { admin, services } = await openMarket()
  const { databaseDirectUrl: DATABASE_URL = '' } = services.config
  const other = await openWorld({ DATABASE_URL, RATE_LIMIT: 'off' })
  await other.visitor('GET /api/config')
  await admin.call('PATCH /api/admin/settings', { name: 'Bazaar' })
  expect((await other.visitor('GET /api/config')).json().market.name).toBe('Bazaar')
})

test('settings outside their limits are refused, and nothing is changed', async () => {
  const { admin, ...world } = await openMarket()
  const names = (count: number) => Array.from({ length: count }, (_, index) => `Category ${index}`)
  const refused: object[] = [
    { name: '' },
    { name: ' ' },
    { name: 'x'.repeat(41) },
    { categories: [] },
    { categories: names(51) },
    { categories: ['Music', 'Music'] },
    { categories: ['Home & Garden', 'home garden'] },
    { categories: ['Music', '&'] },
    { categories: [''] },
    { platformFeePercent: -0.01 },
    { platformFeePercent: 50.01 },
    { platformFeePercent: 3.001 },
    { platformFeePercent: '3' },
    { processingFeePercent: 20.01 },
    { processingFeePercent: 2.999 },
    { processingFeeCents: -1 },
    { processingFeeCents: 0.5 },
    { processingFeeCents: 10_001 },
    { minimumFee: -1 },
    { minimumFee: 0.5 },
    { feeTiers: [{ from: -1, percent: 1 }] },
    { feeTiers: [{ from: 0.5, percent: 1 }] },
    { feeTiers: [{ from: 1, percent: 100.01 }] },
    { feeTiers: [{ from: 1, percent: -1 }] },
    { feeTiers: [{ from: 1 }] },
    { feeTiers: [{ from: 1, percent: 1, to: 2 }] },
    {
      feeTiers: [
        { from: 1, percent: 2 },
        { from: 1, percent: 1 },
      ],
    },
    {
      feeTiers: [
        { from: 2, percent: 2 },
        { from: 1, percent: 3 },
      ],
    },
    { feeTiers: Array.from({ length: 11 }, (_, from) => ({ from, percent: 1 })) },
    { platformFeePercent: 4, feesFrom: 'tomorrow' },
    { platformFeePercent: 4, feesFrom: after(world, -1) },
    { feesFrom: after(world, DAY_MS) },
    { mode: 'closed' },
    { holdDays: 0 },
    { holdDays: 61, holdDaysHighValue: 61 },
    { holdDays: 15 },
    { holdDaysHighValue: 6 },
    { offerExpiryDays: 0 },
    { maxOfferCents: 99 },
    { openRequestsMax: 0 },
    { goodwillApprovalCents: -1 },
    { cancellationFeePayer: 'buyer' },
    { cancellationsMax: 0 },
    { ratingMinCents: -1 },
    { requireVerifiedEmail: 'yes' },
    { payoutDelayHours: 721 },
    { newSellerPayoutDelayDays: 91 },
    { platformFee: 4 },
    { accentColor: 'red' },
    { accentColor: '#fff' },
    { accentColor: '#1f5c43;}' },
    { logoUrl: '/files/x.webp' },
  ]
  for (const change of refused) {
    const reply = await admin.call('PATCH /api/admin/settings', { name: 'Bazaar', ...change })
    expect([change, reply.statusCode, reply.json().code]).toEqual([change, 422, 'invalid'])
  }
  expect((await admin.call('GET /api/admin/settings')).json().name).toBe('Sought')
  const accepted = {
    name: 'x'.repeat(40),
    categories: names(50),
    platformFeePercent: 50,
    processingFeePercent: 20,
    processingFeeCents: 10_000,
    holdDays: 60,
    holdDaysHighValue: 60,
    maxOfferCents: 100,
    openRequestsMax: 1,
    goodwillApprovalCents: 0,
    cancellationFeePayer: 'market',
    cancellationsMax: 1,
    ratingMinCents: 0,
    requireVerifiedEmail: true,
    payoutDelayHours: 720,
    newSellerPayoutDelayDays: 90,
    accentColor: '#1F5c43',
  }
  const reply = await admin.call('PATCH /api/admin/settings', accepted)
  expect([reply.statusCode, reply.json()]).toEqual([200, expect.objectContaining(accepted)])
})

test('concurrent changes of different settings are all kept', { tags: ['proof'] }, async () => {
  const { admin } = await openMarket()
  const changes: object[] = [
    { name: 'Bazaar' },
    { categories: ['Lamps'] },
    { holdDays: 5 },
    { offerExpiryDays: 3 },
    { maxOfferCents: 5_000 },
    { openRequestsMax: 9 },
    { goodwillApprovalCents: 5_000 },
    { platformFeePercent: 5 },
    { processingFeePercent: 1.5 },
    { processingFeeCents: 25 },
  ]
  const replies = await Promise.all(changes.map((change) => admin.call('PATCH /api/admin/settings', change)))
  expect(replies.map(({ statusCode }) => statusCode)).toEqual(changes.map(() => 200))
  const settings = (await admin.call('GET /api/admin/settings')).json()
  expect(settings).toMatchObject(Object.assign({}, ...changes))
  expect((await admin.call('GET /api/admin/settings/history')).json()).toHaveLength(changes.length)
})

test('raising the limit of goodwill needs two admins, and lowering it one', async () => {
  const { admin, ...world } = await openMarket()
  const bob = await world.signUp('Bob', 'admin')
  const set = async (by: typeof bob, goodwillApprovalCents: number, rest: object = {}) => {
    const reply = await by.call('PATCH /api/admin/settings', { goodwillApprovalCents, ...rest })
    return reply.json().code ?? reply.json().goodwillApprovalCents
  }
  const settings = async () => (await admin.call('GET /api/admin/settings')).json()
  const proposal = (cents: number, by: typeof bob) => ({
    goodwillApprovalCents: 10_000,
    proposedGoodwillApprovalCents: cents,
    goodwillApprovalProposedBy: by.id,
  })
  expect(await set(admin, 20_000, { name: 'Bazaar' })).toBe('second_admin_required')
  expect(await settings()).toMatchObject({ ...proposal(20_000, admin), name: 'Sought' })
  expect(await set(admin, 20_000)).toBe('second_admin_required')
  // Another value is another proposal.
  expect(await set(bob, 30_000)).toBe('second_admin_required')
  expect(await settings()).toMatchObject(proposal(30_000, bob))
  // The present value withdraws the proposal.
  expect(await set(admin, 10_000)).toBe(10_000)
  expect(await settings()).not.toHaveProperty('proposedGoodwillApprovalCents')
  expect(await set(bob, 20_000)).toBe('second_admin_required')
  expect(await set(admin, 20_000)).toBe(20_000)
  expect(await settings()).not.toHaveProperty('goodwillApprovalProposedBy')
  expect(await set(bob, 5_000)).toBe(5_000)
  const history = (await admin.call('GET /api/admin/settings/history')).json()
  const field = 'proposedGoodwillApprovalCents'
  expect(history.slice(1, 3)).toMatchObject([
    {
      changedBy: { id: admin.id },
      changes: [
        { field: 'goodwillApprovalCents', from: 10_000, to: 20_000 },
        { field, from: 20_000, to: null },
      ],
    },
    { changedBy: { id: bob.id }, changes: [{ field, from: null, to: 20_000 }] },
  ])
})

test('the database refuses a limit of goodwill that one admin raised, or that is too high', async () => {
  const { admin, ...world } = await openMarket()
  const insert = (settings: object) =>
    world.sql.query('insert into market_settings (settings, changed_by) values ($1, $2)', [
      settings,
      admin.id,
    ])
  for (const goodwillApprovalCents of [10_001, 1_000_001])
    await expect(insert({ goodwillApprovalCents })).rejects.toMatchObject({
      constraint: 'market_settings_goodwill',
    })
  const own = { proposedGoodwillApprovalCents: 10_001, goodwillApprovalProposedBy: admin.id }
  await insert(own)
  await expect(insert({ goodwillApprovalCents: 10_001 })).rejects.toThrow('second admin')
})

test('a limit of goodwill from before the highest one counts as the highest', async () => {
  const { admin, ...world } = await openMarket()
  await world.sql.query('alter table market_settings disable trigger market_settings_goodwill')
  await world.sql.query('insert into market_settings (settings) values ($1)', [
    { goodwillApprovalCents: 9_000_000 },
  ])
  await world.sql.query('alter table market_settings enable trigger market_settings_goodwill')
  expect((await admin.call('GET /api/admin/settings')).json().goodwillApprovalCents).toBe(1_000_000)
  const renamed = await admin.call('PATCH /api/admin/settings', { name: 'Bazaar' })
  expect([renamed.statusCode, renamed.json().goodwillApprovalCents]).toEqual([200, 1_000_000])
})

test('the history shows who changed which setting from which value, newest first', async () => {
  const { admin, ...world } = await openMarket()
  const bob = await world.signUp('Bob', 'admin')
  const feesFrom = after(world, 10 * DAY_MS)
  await admin.call('PATCH /api/admin/settings', { name: 'Bazaar', holdDays: 7 })
  await bob.call('PATCH /api/admin/settings', { mode: 'open', platformFeePercent: 4, feesFrom })
  await bob.call('PATCH /api/admin/settings', { mode: 'open', name: 'Bazaar' })
  await admin.call('PATCH /api/admin/settings', { categories: ['Lamps'], platformFeePercent: 5, feesFrom })
  const history = (await admin.call('GET /api/admin/settings/history')).json()
  const { categories } = (
    await openMarket().then(({ admin: other }) => other.call('GET /api/admin/settings'))
  ).json()
  expect(history).toMatchObject([
    {
      changedBy: { id: admin.id, name: 'Root Tester' },
      changes: [
        { field: 'categories', from: categories, to: ['Lamps'] },
        { field: 'platformFeePercent', from: 4, to: 5 },
      ],
      feesFrom,
    },
    { changedBy: { id: bob.id }, changes: [{ field: 'platformFeePercent', from: 3, to: 4 }], feesFrom },
    {
      changedBy: { id: admin.id },
      changes: [{ field: 'name', from: 'Sought', to: 'Bazaar' }],
      feesFrom: null,
    },
  ])
  const page = await admin.call(`GET /api/admin/settings/history?limit=1&cursor=${history[0].id}`)
  expect(page.json()).toEqual([history[1]])
  expect(page.headers.link).toContain(`cursor=${history[1].id}`)
  const log = (await admin.call('GET /api/admin/audit-log?action=settings_changed')).json()
  expect(log).toHaveLength(3)
  expect(log[0]).toMatchObject({
    actor: { id: admin.id },
    details: { settingsId: history[0].id, fields: 'categories, platformFeePercent', mode: 'open' },
  })
})

test('scheduled fees are listed until they are in force, and can be replaced or cancelled', async () => {
  const { admin, advanceClock, ...world } = await openMarket()
  const settings = async () => (await admin.call('GET /api/admin/settings')).json()
  const soon = after({ advanceClock, ...world }, DAY_MS)
  const later = after({ advanceClock, ...world }, 2 * DAY_MS)
  await admin.call('PATCH /api/admin/settings', { platformFeePercent: 4, feesFrom: soon })
  await admin.call('PATCH /api/admin/settings', { processingFeeCents: 50, feesFrom: later })
  const standard = {
    platformFeePercent: 3,
    processingFeePercent: 2.9,
    processingFeeCents: 30,
    minimumFee: 0,
    feeTiers: [],
  }
  expect(await settings()).toMatchObject({
    ...standard,
    scheduledFees: [
      { ...standard, platformFeePercent: 4, feesFrom: soon },
      { ...standard, platformFeePercent: 4, processingFeeCents: 50, feesFrom: later },
    ],
  })
  await admin.call('PATCH /api/admin/settings', { platformFeePercent: 3, feesFrom: soon })
  expect((await settings()).scheduledFees).toEqual([
    { ...standard, platformFeePercent: 4, processingFeeCents: 50, feesFrom: later },
  ])
  advanceClock(2 * DAY_MS)
  expect(await settings()).toMatchObject({ platformFeePercent: 4, feesFrom: later, scheduledFees: [] })
})

test('fees start at midnight UTC of a date, and immediately if the date is today', async () => {
  const { admin, ...world } = await openMarket()
  const dayAfter = (days: number) => after(world, days * DAY_MS).slice(0, 10)
  const setFees = async (platformFeePercent: number, feesFrom: string) =>
    admin.call('PATCH /api/admin/settings', { platformFeePercent, feesFrom })
  expect((await setFees(4, dayAfter(0))).json()).toMatchObject({ platformFeePercent: 4, scheduledFees: [] })
  expect((await setFees(5, dayAfter(2))).json()).toMatchObject({
    platformFeePercent: 4,
    scheduledFees: [{ platformFeePercent: 5, feesFrom: `${dayAfter(2)}T00:00:00.000Z` }],
  })
  for (const refused of [dayAfter(-1), '2026-02-30', 'tomorrow'])
    expect([refused, (await setFees(6, refused)).statusCode]).toEqual([refused, 422])
})

test('a person cannot have more open requests than the market allows', async () => {
  const { admin, signUp } = await openMarket()
  const ada = await signUp('Ada')
  const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh' }
  await admin.call('PATCH /api/admin/settings', { openRequestsMax: 2 })
  const posts = [1, 2, 3, 4].map(() => ada.call('POST /api/wanted-items', lamp))
  const replies = await Promise.all(posts)
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 409, 409])
  const [first] = replies.filter(({ statusCode }) => statusCode === 201)
  await ada.call(`POST /api/wanted-items/${first?.json().id}/close`)
  expect((await ada.call('POST /api/wanted-items', lamp)).statusCode).toBe(201)
  const reopened = await ada.call(`POST /api/wanted-items/${first?.json().id}/reopen`)
  expect([reopened.statusCode, reopened.json().code]).toEqual([409, 'too_many_requests'])
})

test('the expiry and the maximum amount of offers follow the settings', async () => {
  const { admin, signUp, services } = await openMarket()
  const ada = await signUp('Ada')
  const bob = await signUp('Bob')
  await admin.call('PATCH /api/admin/settings', { offerExpiryDays: 3, maxOfferCents: 50_000 })
  const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh' }
  const { id: wantedItemId } = (await ada.call('POST /api/wanted-items', lamp)).json()
  const offer = (amount: number) => bob.call('POST /api/offers', { wantedItemId, receiverId: ada.id, amount })
  expect((await offer(50_001)).json().code).toBe('offer_out_of_range')
  const made = (await offer(50_000)).json()
  const days = (Date.parse(made.expiresAt) - services.clock().getTime()) / DAY_MS
  expect(days).toBeGreaterThan(2.9)
  expect(days).toBeLessThanOrEqual(3)
  await admin.call('PATCH /api/admin/settings', { maxOfferCents: 40_000 })
  const accepted = await ada.call(`PATCH /api/offers/${made.id}/accept`)
  expect(accepted.json().code).toBe('offer_out_of_range')
})
