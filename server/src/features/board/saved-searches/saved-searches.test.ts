import { Logger, runOnce } from 'graphile-worker'
import { expect, test } from 'vitest'
import { buildTasks } from '../../../jobs/worker.ts'
import { eventually } from '../../../testing/eventually.ts'
import { openMailbox, type Received } from '../../../testing/mailbox.ts'
import { openWorld, type Person, shareWorld, type World } from '../../../testing/world.ts'
import { matchSearches } from './match-searches.ts'
import { sendDigests } from './send-digests.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const lamp = { title: 'Brass lamp', description: 'Green shade', category: 'Other', location: 'Ipoh' }

const world = shareWorld({ RATE_LIMIT: 'off' })

const save = async (person: Person, filters: object, alerts = 'immediately') => {
  const reply = await person.call('POST /api/saved-searches', { name: 'Lamps', filters, alerts })
  expect(reply.statusCode).toBe(201)
  return reply.json() as { id: number }
}
const post = async (person: Person, changes: object = {}) =>
  (await person.call('POST /api/wanted-items', { ...lamp, ...changes })).json().id as number

/** Runs every queued job, such as those of posted requests and of emails. */
async function runJobs({ services, sql }: World = world()): Promise<void> {
  await runOnce({
    pgPool: services.database.pool,
    taskList: buildTasks(services),
    logger: new Logger(() => () => {}),
    noHandleSignals: true,
  })
  // graphile-worker saves the result of the last job shortly after runOnce resolves.
  const locked = 'select from graphile_worker.jobs where locked_at is not null'
  await eventually(async () => expect((await sql.query(locked)).rowCount).toBe(0))
}

const bell = async (person: Person) =>
  (await person.call('GET /api/notifications')).json() as { kind: string; path: string; title: string }[]
const alertsOf = async (person: Person) => (await bell(person)).map(({ title }) => title)

test('only its owner can list, change and delete a saved search', async () => {
  const { signUp, visitor } = world()
  const [ada, bob] = [await signUp('Ada'), await signUp('Bob')]
  const saved = await ada.call('POST /api/saved-searches', {
    filters: { search: ' brass  lamp ', category: 'Music', urgency: '' },
    alerts: 'daily',
  })
  expect([saved.statusCode, saved.json()]).toEqual([
    201,
    {
      id: expect.any(Number),
      name: 'brass  lamp · Music',
      filters: { search: 'brass  lamp', category: 'Music' },
      alerts: 'daily',
      createdAt: expect.any(String),
    },
  ])
  const { id } = saved.json()
  const second = await save(ada, { category: 'Sports' }, 'off')
  const list = async ({ call } = ada) => (await call('GET /api/saved-searches')).json()
  expect((await list()).map((search: { id: number }) => search.id)).toEqual([second.id, id])
  expect(await list(bob)).toEqual([])

  const path = `/api/saved-searches/${id}`
  for (const call of [`PATCH ${path}`, `DELETE ${path}`]) {
    const refused = await bob.call(call, { name: 'Mine' })
    expect([refused.statusCode, refused.json().code]).toEqual([404, 'saved_search_not_found'])
    expect((await visitor(call, { name: 'Mine' })).statusCode).toBe(401)
  }
  const changed = await ada.call(`PATCH ${path}`, { name: 'Lamps', alerts: 'off' })
  expect(changed.json()).toEqual({ ...saved.json(), name: 'Lamps', alerts: 'off' })
  const filters = { search: 'organ' }
  expect((await ada.call(`PATCH ${path}`, { filters })).json().filters).toEqual(filters)

  expect((await ada.call(`DELETE ${path}`)).json()).toEqual({ ok: true })
  expect(await list()).toMatchObject([{ id: second.id }])
  expect((await ada.call(`DELETE ${path}`)).statusCode).toBe(404)
})

test('invalid filters, names and alert times are refused', async () => {
  const ada = await world().signUp('Ada')
  const pathsOf = async (body: object) => {
    const reply = await ada.call('POST /api/saved-searches', body)
    return [reply.statusCode, reply.json().issues?.map(({ path }: { path: string }) => path)]
  }
  const filters = { search: 'lamp' }
  expect(await pathsOf({})).toEqual([422, ['filters']])
  expect(await pathsOf({ filters: {} })).toEqual([422, ['filters']])
  expect(await pathsOf({ filters: { search: ' ', unknown: 'x' } })).toEqual([422, ['filters']])
  expect(await pathsOf({ filters: { sort: 'budget', radiusKm: 5 } })).toEqual([422, ['filters']])
  expect(await pathsOf({ filters: { minBudget: 20, maxBudget: '10' } })).toEqual([422, ['filters.minBudget']])
  expect(await pathsOf({ filters: { near: 'Nowhere at all' } })).toEqual([422, ['near']])
  expect(await pathsOf({ filters: { urgency: 'now' } })).toEqual([422, ['filters.urgency']])
  expect(await pathsOf({ filters: { search: ['lamp'] } })).toEqual([422, ['filters.search']])
  expect(await pathsOf({ filters, alerts: 'weekly' })).toEqual([422, ['alerts']])
  expect(await pathsOf({ filters, name: ' ' })).toEqual([422, ['name']])
  expect((await ada.call('GET /api/saved-searches')).json()).toEqual([])
})

test('a person can save 50 searches, even with many concurrent calls', { tags: ['proof'] }, async () => {
  const ada = await world().signUp('Ada')
  const replies = await Promise.all(
    Array.from({ length: 55 }, (_, n) =>
      ada.call('POST /api/saved-searches', { filters: { search: `lamp ${n}` } }),
    ),
  )
  const codes = replies.map((reply) => reply.json().code ?? reply.statusCode)
  expect(codes.filter((code) => code === 201)).toHaveLength(50)
  expect(codes.filter((code) => code === 'too_many_saved_searches')).toHaveLength(5)
  expect((await ada.call('GET /api/saved-searches')).json()).toHaveLength(50)
})

test('a new request alerts each person with a matching search once, but not its owner', async () => {
  const { signUp, services, sql } = world()
  const [ada, bob, cyd, dan] = [
    await signUp('Ada'),
    await signUp('Bob'),
    await signUp('Cyd'),
    await signUp('Dan'),
  ]
  await save(ada, { search: 'organ' })
  await save(bob, { search: 'organ' })
  await save(bob, { category: 'Music', search: 'pipe' })
  await save(bob, { search: 'organ' }, 'daily')
  await save(cyd, { search: 'organ' }, 'off')
  await save(dan, { search: 'organ', category: 'Sports' })
  for (const filters of [
    { search: 'organ', minBudget: 501 },
    { search: 'organ', maxBudget: '99.99' },
    { search: 'organ', location: 'Paris' },
    { search: 'organ', near: '48.85,2.35' },
    { search: 'organ', hasImage: true },
    { search: 'organ', since: '2999-01-01' },
    { search: 'organ', urgency: 'high' },
  ])
    await save(dan, filters)
  const before = new Date()
  const itemId = await post(ada, { title: 'Pipe organ', category: 'Music', minBudget: 100, maxBudget: 500 })
  await runJobs()
  expect(await bell(bob)).toMatchObject([
    {
      kind: 'search_match',
      title: 'New request: “Pipe organ”',
      text: 'It matches your saved search “Lamps”.',
      path: `/item/${itemId}`,
      actor: { id: ada.id },
    },
  ])
  for (const person of [ada, cyd, dan]) expect(await alertsOf(person)).toEqual([])

  await Promise.all([1, 2, 3].map(() => matchSearches(services, { itemId, at: services.clock() })))
  expect(await alertsOf(bob)).toHaveLength(1)
  const alerts = await sql.query('select from search_alerts where wanted_item_id = $1', [itemId])
  expect(alerts.rowCount).toBe(1)

  const eve = await signUp('Eve')
  await save(eve, { search: 'organ' })
  await matchSearches(services, { itemId, at: before })
  expect(await alertsOf(eve)).toEqual([])
})

test('a request is compared only with searches that share its rarest word, square or budget', async () => {
  const { signUp, sql } = world()
  const ada = await signUp('Ada')
  const keysOf = async (filters: object) => {
    const { id } = await save(ada, filters)
    return (await sql.query('select keys from saved_searches where id = $1', [id])).rows[0].keys
  }
  await post(ada, { title: 'Mandolin with case', minBudget: 10, maxBudget: 20 })
  expect(await keysOf({ search: 'with contrabassoon' })).toEqual(['contrabass'])
  expect(await keysOf({ category: 'Other', near: '12.6,34.1', radiusKm: 1 })).toEqual([':s410,856'])
  expect(await keysOf({ minBudget: 18_000_000 })).toEqual([':>0', ':>22.8', ':>22.9', ':>23'])
  expect(await keysOf({ category: 'Books & Media', since: '2026-01-01' })).toEqual([':cBooks & Media'])
  expect(await keysOf({ hasImage: false })).toEqual([':p0'])
  expect(await keysOf({ since: new Date().toISOString() })).toEqual([''])

  const bob = await signUp('Bob')
  await save(bob, { search: 'mandolin' })
  await sql.query(`update saved_searches set keys = '{mandolins}' where user_id = $1`, [bob.id])
  await post(ada, { title: 'Mandolin' })
  await runJobs()
  expect(await alertsOf(bob)).toEqual([])
})

test('a request closed before the alert alerts nobody, and alerts people once when it is reopened', async () => {
  const { signUp } = world()
  const [ada, bob] = [await signUp('Ada'), await signUp('Bob')]
  await save(bob, { search: 'sextant' })
  const id = await post(ada, { title: 'Sextant' })
  await ada.call(`POST /api/wanted-items/${id}/close`)
  await runJobs()
  expect(await alertsOf(bob)).toEqual([])
  await ada.call(`POST /api/wanted-items/${id}/reopen`)
  await runJobs()
  expect(await alertsOf(bob)).toEqual(['New request: “Sextant”'])
  await ada.call(`POST /api/wanted-items/${id}/close`)
  await ada.call(`POST /api/wanted-items/${id}/reopen`)
  await runJobs()
  expect(await alertsOf(bob)).toHaveLength(1)
})

test('a changed request alerts people whose search did not match it before', async () => {
  const { signUp } = world()
  const [ada, bob, cyd] = [await signUp('Ada'), await signUp('Bob'), await signUp('Cyd')]
  const id = await post(ada, { title: 'Astrolabe' })
  await runJobs()
  await save(bob, { search: 'astrolabe' })
  await save(cyd, { search: 'astrolabe silver' })
  const edit = (description: string) =>
    ada.call(`PUT /api/wanted-items/${id}`, { ...lamp, title: 'Astrolabe', description })
  await edit('Made of silver')
  await runJobs()
  expect([await alertsOf(bob), await alertsOf(cyd)]).toEqual([[], ['New request: “Astrolabe”']])
  await edit('Made of brass')
  await edit('Made of silver after all')
  await runJobs()
  expect([await alertsOf(bob), await alertsOf(cyd)]).toEqual([[], ['New request: “Astrolabe”']])
})

test('a picture on another site matches the picture filter before it is copied', async () => {
  const { signUp, services } = world()
  const [ada, bob, cyd] = [await signUp('Ada'), await signUp('Bob'), await signUp('Cyd')]
  await save(bob, { search: 'orrery', hasImage: true })
  await save(cyd, { search: 'orrery', hasImage: false })
  const itemId = await post(ada, { title: 'Orrery', imageUrl: 'https://pictures.example/orrery.png' })
  await matchSearches(services, { itemId, at: services.clock() })
  expect([await alertsOf(bob), await alertsOf(cyd)]).toEqual([['New request: “Orrery”'], []])
})

test('a deleted account has no saved searches and gets no alerts', async () => {
  const { signUp, sql } = world()
  const [ada, bob] = [await signUp('Ada'), await signUp('Bob')]
  await save(bob, { search: 'zither' }, 'daily')
  await post(ada, { title: 'Zither' })
  await runJobs()
  const data = (await bob.call('GET /api/user/data')).json()
  expect(data.savedSearches).toMatchObject([{ name: 'Lamps', filters: { search: 'zither' } }])
  expect((await bob.call('POST /api/user/delete-account', { password: 'correct horse' })).statusCode).toBe(
    200,
  )
  for (const table of ['saved_searches', 'search_alerts'])
    expect((await sql.query(`select from ${table} where user_id = $1`, [bob.id])).rowCount).toBe(0)
})

/** Bob has saved a search for lamps, and a test mail server is running. */
async function openMarket(alerts: string) {
  const mailbox = await openMailbox()
  const market = await openWorld({
    SMTP_URL: mailbox.url,
    PUBLIC_URL: 'https://sought.example',
    RATE_LIMIT: 'off',
  })
  const [ada, bob] = [await market.signUp('Ada'), await market.signUp('Bob')]
  const { id } = await save(bob, { search: 'lamp' }, alerts)
  await runJobs(market)
  mailbox.emails.length = 0
  return { ...market, market, mailbox, ada, bob, id }
}

const subjects = (emails: Received[]) => emails.map(({ subject }) => subject)

test('an alert is emailed unless it is switched off or the request is no longer open', async () => {
  const { market, mailbox, ada, bob } = await openMarket('immediately')
  const id = await post(ada)
  await runJobs(market)
  await eventually(() => expect(subjects(mailbox.emails)).toEqual(['New request: “Brass lamp”']))
  const [email] = mailbox.emails
  expect(email?.text).toContain(`https://sought.example/item/${id}`)

  const closed = await post(ada, { title: 'Lamp that was found' })
  await matchSearches(market.services, { itemId: closed, at: market.services.clock() })
  await ada.call(`POST /api/wanted-items/${closed}/close`)
  await runJobs(market)
  expect(mailbox.emails).toHaveLength(1)

  const [, link = ''] = email?.header('list-unsubscribe')?.match(/<https:\/\/sought\.example(.+)>/) ?? []
  expect((await market.visitor(`POST ${link}`)).statusCode).toBe(200)
  await post(ada, { title: 'Another lamp' })
  await runJobs(market)
  expect(mailbox.emails).toHaveLength(1)
  expect(await alertsOf(bob)).toEqual([
    'New request: “Another lamp”',
    'New request: “Lamp that was found”',
    'New request: “Brass lamp”',
  ])
})

test('a digest is sent a day after the last one, with new requests that are still open', {
  tags: ['proof'],
}, async () => {
  const { market, mailbox, ada, bob, id, services, sql, advanceClock } = await openMarket('daily')
  const sweep = async () => {
    await runJobs(market)
    await Promise.all([sendDigests(services), sendDigests(services)])
    await runJobs(market)
  }
  const found = await post(ada, { title: 'Reading <lamp>', minBudget: 20, maxBudget: 50 })
  const closed = await post(ada, { title: 'Lamp that was found' })
  advanceClock(DAY_MS - HOUR_MS)
  await sweep()
  expect([mailbox.emails, await alertsOf(bob)]).toEqual([[], []])

  await ada.call(`POST /api/wanted-items/${closed}/close`)
  advanceClock(HOUR_MS)
  await sweep()
  const title = 'New requests match your saved searches'
  expect([subjects(mailbox.emails), await alertsOf(bob)]).toEqual([[title], [title]])
  const [email] = mailbox.emails
  expect(email?.text).toContain(
    `Reading <lamp>\n$20 – $50 · Other · Ipoh\nhttps://sought.example/item/${found}`,
  )
  expect(email?.html).toContain(`href="https://sought.example/item/${found}">Reading &#60;lamp&#62;</a>`)
  expect(email?.text).not.toContain('Lamp that was found')
  expect(email?.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')

  // Without new requests there is no digest. With new ones, the next digest comes a day after the last.
  advanceClock(2 * DAY_MS)
  await sweep()
  expect(mailbox.emails).toHaveLength(1)
  await post(ada, { title: 'Lamp of tomorrow' })
  await sweep()
  expect(mailbox.emails).toHaveLength(2)
  expect(mailbox.emails[1]?.text).not.toContain('Reading')
  await post(ada, { title: 'Lamp of the same day' })
  await sweep()
  expect(mailbox.emails).toHaveLength(2)

  // Pending alerts are not sent once alerts are off, even after they are switched on again.
  await bob.call(`PATCH /api/saved-searches/${id}`, { alerts: 'off' })
  advanceClock(DAY_MS)
  await sweep()
  await bob.call(`PATCH /api/saved-searches/${id}`, { alerts: 'daily' })
  await post(ada, { title: 'Lamp of today' })
  await sweep()
  expect(mailbox.emails).toHaveLength(2)

  // The next digest depends on the time of the last one, or of saving the search.
  await sql.query(`update saved_searches set digest_at = digest_at - interval '1 day'`)
  await sweep()
  expect(mailbox.emails).toHaveLength(3)
  await post(ada, { title: 'Lamp of tonight' })
  await sweep()
  expect(mailbox.emails).toHaveLength(3)
  await sql.query('update saved_searches set digest_at = null')
  await sweep()
  expect(mailbox.emails).toHaveLength(4)
})
