import { expect, test } from 'vitest'
import { createPushService, generatePushKeys } from '../../providers/push/push-service.ts'
import { waitUntilBlocked } from '../../testing/blocked-statements.ts'
import { createPushBrowser, openPushService, readVapid } from '../../testing/push-browser.ts'
import { runEmailJobs } from '../../testing/run-email-jobs.ts'
import { cookieOf, openWorld, PASSWORD, type Person, shareWorld } from '../../testing/world.ts'

const HOUR_MS = 3_600_000
const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 500 }

const world = shareWorld()

/** Ada requests a lamp and gets push notifications in one browser; Bob sells one. */
async function openMarket() {
  const service = await openPushService()
  const [ada, bob] = [await world().signUp('Ada'), await world().signUp('Bob')]
  const browser = createPushBrowser(`${service.url}/ada`)
  const subscribe = (who: Person = ada, subscription = browser.subscription) =>
    who.call('POST /api/push/subscriptions', subscription)
  expect((await subscribe()).json()).toEqual({ ok: true })
  const { id: itemId } = (await ada.call('POST /api/wanted-items', lamp)).json()
  const write = () =>
    bob.call('POST /api/messages', { content: 'Hello', wantedItemId: itemId, receiverId: ada.id })
  const offer = () =>
    bob.call('POST /api/offers', { wantedItemId: itemId, receiverId: ada.id, amount: 4_000 })
  const paths = () => service.received.map(({ path }) => path)
  const settingsOf = async (who: Person) => (await who.call('GET /api/user/push-settings')).json()
  return { service, ada, bob, browser, subscribe, itemId, write, offer, paths, settingsOf }
}

const jobsLeft = async () =>
  (await world().sql.query("select * from graphile_worker.jobs where task_identifier = 'send-push'")).rows

test('a browser gets the encrypted and signed notification with its text and path', async () => {
  const { service, ada, bob, browser, itemId, offer, settingsOf } = await openMarket()
  expect(await settingsOf(ada)).toEqual({ off: [], subscribed: true })
  await offer()
  await runEmailJobs(world())

  expect(service.received).toHaveLength(1)
  const [{ path, headers, body } = expect.fail()] = service.received
  const { id } = (await ada.call('GET /api/notifications')).json()[0]
  expect(path).toBe('/ada')
  expect(browser.read(body)).toEqual({
    title: 'Bob Tester offers “Lamp” for $40.00',
    text: expect.any(String),
    path: `/messages?itemId=${itemId}&userId=${bob.id}`,
    tag: String(id),
  })
  expect(headers).toMatchObject({ ttl: '86400', 'content-encoding': 'aes128gcm' })
  const { publicKey } = (await world().visitor('GET /api/push/key')).json()
  expect(readVapid(headers.authorization, publicKey)).toMatchObject({ aud: service.url })
})

test('the keys are generated once, and the private key is encrypted', async () => {
  const { visitor, sql } = await openWorld()
  const other = await sql.connect()
  try {
    await other.query('begin; lock table push_keys in share mode')
    const asked = Promise.all([visitor('GET /api/push/key'), visitor('GET /api/push/key')])
    await waitUntilBlocked(sql, 2)
    await other.query('commit')
    const [one, two] = (await asked).map((reply) => reply.json().publicKey)
    expect(one).toBe(two)
    const { rows } = await sql.query('select * from push_keys')
    expect(rows).toEqual([
      expect.objectContaining({ public_key: one, private_key: expect.stringMatching(/^v1:/) }),
    ])
  } finally {
    other.release(true)
  }
})

test('keys from the environment replace the generated ones', async () => {
  const keys = { VAPID_PUBLIC_KEY: 'a public key', VAPID_PRIVATE_KEY: 'a private key' }
  const { visitor, sql } = await openWorld(keys)
  expect((await visitor('GET /api/push/key')).json()).toEqual({ publicKey: 'a public key' })
  expect((await sql.query('select from push_keys')).rowCount).toBe(0)
})

test('topics can be switched off', async () => {
  const { service, ada, offer, write, browser } = await openMarket()
  const off = ['offers', 'offers']
  const changed = await ada.call('PUT /api/user/push-settings', { off })
  expect(changed.json()).toEqual({ off: ['offers'], subscribed: true })
  await offer()
  await write()
  await runEmailJobs(world())
  expect(service.received.map(({ body }) => browser.read(body).title)).toEqual([
    'New message from Bob Tester',
  ])
})

test('messages wait while a page is open, and are dropped if they are read', async () => {
  const { service, ada, bob, itemId, write } = await openMarket()
  const { sql, services } = world()
  await sql.query('insert into presence (user_id, seen_at) values ($1, $2)', [ada.id, services.clock()])
  await write()
  await runEmailJobs(world())
  expect(service.received).toEqual([])
  expect(await jobsLeft()).toHaveLength(1)

  await ada.call('PATCH /api/messages/mark-read', { wantedItemId: itemId, otherUserId: bob.id })
  world().advanceClock(HOUR_MS / 60)
  await runEmailJobs(world(), { overdue: true })
  expect(service.received).toEqual([])
  expect(await jobsLeft()).toEqual([])

  await write()
  world().advanceClock(HOUR_MS / 60)
  await runEmailJobs(world(), { overdue: true })
  expect(service.received).toHaveLength(1)
})

test.each([404, 410])('a subscription is removed if its push service answers %i', async (status) => {
  const { service, ada, offer, settingsOf } = await openMarket()
  service.status = status
  await offer()
  await runEmailJobs(world())
  expect(service.received).toHaveLength(1)
  expect(await settingsOf(ada)).toEqual({ off: [], subscribed: false })
  expect(await jobsLeft()).toEqual([])
})

test('a failed push notification is retried for a day', async () => {
  const { service, ada, offer, write, settingsOf } = await openMarket()
  service.status = 503
  await offer()
  await runEmailJobs(world())
  expect(service.received).toHaveLength(1)
  expect(await settingsOf(ada)).toMatchObject({ subscribed: true })
  service.status = 201
  await runEmailJobs(world(), { overdue: true })
  expect(service.received).toHaveLength(2)

  service.status = 503
  await write()
  await runEmailJobs(world())
  expect(service.received).toHaveLength(3)
  world().advanceClock(25 * HOUR_MS)
  await runEmailJobs(world(), { overdue: true })
  expect(service.received).toHaveLength(3)
  expect(await jobsLeft()).toEqual([])
})

test('a subscription ends with its session, and moves to a renewed session', async () => {
  const { service, ada, offer } = await openMarket()
  const form = { currentPassword: PASSWORD, newPassword: 'battery staple', confirmPassword: 'battery staple' }
  const renewed = await ada.call('POST /api/user/change-password', form)
  expect(renewed.statusCode).toBe(200)
  const cookie = cookieOf(renewed)
  const settings = await world().visitor('GET /api/user/push-settings', undefined, { headers: { cookie } })
  expect(settings.json()).toMatchObject({ subscribed: true })

  await world().visitor('GET /api/logout', undefined, { headers: { cookie } })
  await offer()
  await runEmailJobs(world())
  expect(service.received).toEqual([])
  const { rowCount } = await world().sql.query('select from push_subscriptions where user_id = $1', [ada.id])
  expect(rowCount).toBe(0)
})

test('a browser belongs to the person who subscribed last', async () => {
  const { service, ada, bob, subscribe, offer, settingsOf } = await openMarket()
  await offer()
  await subscribe(bob)
  await runEmailJobs(world())
  expect(service.received).toEqual([])
  expect(await settingsOf(ada)).toMatchObject({ subscribed: false })
  expect(await settingsOf(bob)).toMatchObject({ subscribed: true })
})

test('a session has at most one browser, which can unsubscribe', async () => {
  const { service, ada, subscribe, offer, paths, settingsOf } = await openMarket()
  const addresses = ['a', 'b', 'c', 'd'].map((name) => createPushBrowser(`${service.url}/${name}`))
  const replies = await Promise.all(addresses.map(({ subscription }) => subscribe(ada, subscription)))
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  await subscribe(ada, createPushBrowser(`${service.url}/new`).subscription)
  await offer()
  await runEmailJobs(world())
  expect(paths()).toEqual(['/new'])
  expect((await ada.call('DELETE /api/push/subscriptions')).json()).toEqual({ ok: true })
  expect(await settingsOf(ada)).toMatchObject({ subscribed: false })
})

test('addresses that are not public or not https are refused', async () => {
  const { ada, browser, subscribe } = await openMarket()
  const { keys } = browser.subscription
  const refused = await subscribe(ada, { endpoint: 'https://10.0.0.1/ada', keys })
  expect(refused.statusCode).toBe(422)
  expect(refused.json()).toMatchObject({ code: 'push_service_refused' })

  const push = createPushService({
    readKeys: async () => generatePushKeys(),
    publicUrl: 'https://sought.example',
    allowLoopback: false,
  })
  for (const endpoint of [
    'http://push.example/ada',
    'https://127.0.0.1/ada',
    'http://127.0.0.1:8080/ada',
    'https://[::1]/ada',
    'https://10.0.0.1/ada',
    'https://8.8.8.8/ada',
    'https://localhost/ada',
    'https://localhost./ada',
    'https://LOCALHOST./ada',
    'https://db.localhost/ada',
    'https://printer.LOCAL/ada',
    'https://push.internal./ada',
    'https://push../ada',
    'https://push.example:8443/ada',
    'https://user:secret@push.example/ada',
  ])
    expect(push.accepts(endpoint), endpoint).toBe(false)
  expect(push.accepts('https://push.example/ada')).toBe(true)
  // Host names are resolved only when a notification is sent.
  const outcome = push.send({ endpoint: 'https://localhost/ada', ...keys }, { payload: {}, ttlSeconds: 60 })
  expect(await outcome).toBe('gone')
})

test('a subscription with invalid keys ends', async () => {
  const { ada, subscribe, browser, offer, service, settingsOf } = await openMarket()
  const keys = { ...browser.subscription.keys, p256dh: `B${'a'.repeat(86)}` }
  await subscribe(ada, { ...browser.subscription, keys })
  await offer()
  await runEmailJobs(world())
  expect(service.received).toEqual([])
  expect(await settingsOf(ada)).toMatchObject({ subscribed: false })
})

test('the ten latest browsers of a person stay subscribed', async () => {
  const { ada, service } = await openMarket()
  const { sql } = world()
  await sql.query(
    `with added as (insert into sessions (sid, sess, expire)
       select 'old-' || n, json_build_object('userId', $1::text), now() + interval '1 day' from generate_series(1, 12) n returning sid)
     insert into push_subscriptions (user_id, sid, endpoint, p256dh, auth, created_at)
     select $1, sid, sid, '', '', '2020-01-01' from added`,
    [ada.id],
  )
  await ada.call('POST /api/push/subscriptions', createPushBrowser(`${service.url}/eleventh`).subscription)
  const { rows } = await sql.query('select endpoint from push_subscriptions where user_id = $1', [ada.id])
  expect(rows).toHaveLength(10)
  expect(rows).toContainEqual({ endpoint: `${service.url}/eleventh` })
})
