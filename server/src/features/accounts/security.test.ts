import { describe, expect, test } from 'vitest'
import { createToken } from '../../platform/link-tokens.ts'
import { eventually } from '../../testing/eventually.ts'
import { givenPayment } from '../../testing/given-payment.ts'
import { cookieOf, openWorld, PASSWORD, type Person, shareWorld, type World } from '../../testing/world.ts'
import { deviceName } from './device-name.ts'

const world = shareWorld({ RATE_LIMIT: 'off' })
const HOUR_MS = 3_600_000

const resetTokenFor = ({ services }: World, { id: userId, email }: Person) =>
  services.database.transact((tx) => createToken(tx, { userId, purpose: 'reset_password', email }))

const signInAs = (it: World, email: string, password: string, userAgent = 'curl/8') =>
  it.visitor('POST /api/auth/login', { email, password }, { headers: { 'user-agent': userAgent } })

const whoIs = (it: World, cookie: string) =>
  it.visitor('GET /api/auth/user', undefined, { headers: { cookie } })

async function mailKinds({ sql }: World, { id }: Person): Promise<string[]> {
  const { rows } = await sql.query('select kind, address from mails where user_id = $1 order by id', [id])
  return rows.map(({ kind }) => kind)
}

describe('a forgotten password', () => {
  test('a known and an unknown address get the same answer in about the same time', async () => {
    const it = world()
    const ada = await it.signUp('Ada')
    const ask = async (email: string) => {
      const start = performance.now()
      const reply = await it.visitor('POST /api/auth/forgot-password', { email })
      return { tookMs: performance.now() - start, status: reply.statusCode, body: reply.body }
    }
    const known = await ask('ADA@example.com')
    const unknown = await ask('nobody@example.com')
    expect(known).toMatchObject({ status: 200, body: '{"ok":true}' })
    expect(unknown).toMatchObject({ status: 200, body: '{"ok":true}' })
    // Looking and mailing take a few milliseconds, and both wait longer than that.
    expect(known.tookMs).toBeGreaterThan(195)
    expect(unknown.tookMs).toBeGreaterThan(195)
    expect(await mailKinds(it, ada)).toEqual(['verify_email', 'reset_password'])
  })

  test('the link sets a new one once, ends every session, proves the address and is told of', async () => {
    const it = world()
    const bob = await it.signUp('Bob')
    const thief = cookieOf(await signInAs(it, bob.email, PASSWORD))
    const [token, sibling] = [await resetTokenFor(it, bob), await resetTokenFor(it, bob)]
    const reset = (token: string, newPassword: string) =>
      it.visitor('POST /api/auth/reset-password', { token, newPassword })
    const short = await reset(token, '12345')
    expect(short.json()).toMatchObject({ issues: [{ path: 'newPassword' }] })
    const replies = await Promise.all(['first one', 'second one'].map((password) => reset(token, password)))
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, 409])
    expect((await reset(sibling, 'third one')).json().code).toBe('link_expired')

    const password = replies[0]?.statusCode === 200 ? 'first one' : 'second one'
    for (const cookie of [bob.cookie, thief]) expect((await whoIs(it, cookie)).statusCode).toBe(401)
    expect((await signInAs(it, bob.email, PASSWORD)).statusCode).toBe(401)
    expect((await signInAs(it, bob.email, password)).json()).toMatchObject({ emailVerified: true })
    expect((await mailKinds(it, bob)).slice(1)).toEqual(['password_changed'])
  })

  test('it lasts an hour', async () => {
    const it = await openWorld()
    const cal = await it.signUp('Cal')
    const token = await resetTokenFor(it, cal)
    it.turnClock(HOUR_MS + 1)
    const late = await it.visitor('POST /api/auth/reset-password', { token, newPassword: 'too late' })
    expect(late.json().code).toBe('link_expired')
    expect((await signInAs(it, cal.email, PASSWORD)).statusCode).toBe(200)
  })

  test('a change of address that somebody inside has begun is forgotten with it', async () => {
    const it = world()
    const dan = await it.signUp('Dan')
    const form = { firstName: 'Dan', lastName: 'Tester', email: 'thief@example.com' }
    await dan.call('PUT /api/user/profile', form)
    const theirs = await it.services.database.transact((tx) =>
      createToken(tx, { userId: dan.id, purpose: 'verify_email', email: 'thief@example.com' }),
    )
    const token = await resetTokenFor(it, dan)
    await it.visitor('POST /api/auth/reset-password', { token, newPassword: 'mine again' })
    expect((await it.visitor('POST /api/auth/verify-email', { token: theirs })).statusCode).toBe(409)
    expect((await signInAs(it, dan.email, 'mine again')).json()).toMatchObject({ pendingEmail: null })
  })

  test('somebody without a password gets one this way, and only this way', async () => {
    const it = world()
    const eve = await it.signUp('Eve')
    await it.sql.query(
      "update users set password = null, provider = 'google', provider_id = 'eve' where id = $1",
      [eve.id],
    )
    expect((await eve.call('GET /api/auth/user')).json()).toMatchObject({
      hasPassword: false,
      googleLinked: true,
    })
    const form = { currentPassword: 'anything', newPassword: 'a new one', confirmPassword: 'a new one' }
    const refused = await eve.call('POST /api/user/change-password', form)
    expect(refused.statusCode).toBe(409)
    expect(refused.json().code).toBe('no_password')
    await it.visitor('POST /api/auth/forgot-password', { email: eve.email })
    expect((await mailKinds(it, eve)).at(-1)).toBe('reset_password')
    const token = await resetTokenFor(it, eve)
    await it.visitor('POST /api/auth/reset-password', { token, newPassword: 'a new one' })
    expect((await signInAs(it, eve.email, 'a new one')).json()).toMatchObject({
      hasPassword: true,
      googleLinked: true,
    })
  })

  test('asking is limited, for an unknown address as for a known one', async () => {
    const it = await openWorld()
    const fay = await it.signUp('Fay')
    for (const email of [fay.email, 'nobody@example.com']) {
      const ask = () => it.visitor('POST /api/auth/forgot-password', { email })
      const replies = await Promise.all(Array.from({ length: 6 }, ask))
      expect(replies.map((reply) => reply.statusCode).sort()).toEqual([...Array(5).fill(200), 429])
    }
    expect((await mailKinds(it, fay)).filter((kind) => kind === 'reset_password')).toHaveLength(5)
    await it.sql.query(
      "insert into rate_limits (key, points, expire) values ('forgotten:address:192.0.2.1', 50, $1)",
      [Date.now() + 60_000],
    )
    const elsewhere = await it.visitor(
      'POST /api/auth/forgot-password',
      { email: 'gus@example.com' },
      { remoteAddress: '192.0.2.1' },
    )
    expect(elsewhere.statusCode).toBe(429)
  })
})

describe('changing the password', () => {
  const form = (currentPassword: string, newPassword = 'battery staple') => ({
    currentPassword,
    newPassword,
    confirmPassword: newPassword,
  })

  test('ends the other sessions, renews this one, and is told of', async () => {
    const it = world()
    const hal = await it.signUp('Hal')
    const other = cookieOf(await signInAs(it, hal.email, PASSWORD))
    const reply = await hal.call('POST /api/user/change-password', form(PASSWORD))
    expect(reply.json()).toEqual({ ok: true })
    const renewed = cookieOf(reply)
    expect(renewed).not.toBe(hal.cookie)
    expect((await whoIs(it, renewed)).statusCode).toBe(200)
    for (const cookie of [hal.cookie, other]) expect((await whoIs(it, cookie)).statusCode).toBe(401)
    expect((await signInAs(it, hal.email, PASSWORD)).statusCode).toBe(401)
    expect((await signInAs(it, hal.email, 'battery staple')).statusCode).toBe(200)
    expect((await mailKinds(it, hal)).slice(1)).toEqual(['password_changed'])
  })

  test('whoever was signing in with the old one meanwhile stays outside', async () => {
    const it = world()
    const gus = await it.signUp('Gus')
    const changing = await it.sql.connect()
    try {
      await changing.query('begin')
      await changing.query("update users set password = 'changed' where id = $1", [gus.id])
      const entering = signInAs(it, gus.email, PASSWORD)
      // The old password was right when it was looked at; now the person's row is waited for.
      const waiting =
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
      await eventually(async () => expect((await it.sql.query(waiting)).rowCount).toBe(1))
      await changing.query('commit')
      expect((await entering).statusCode).toBe(401)
    } finally {
      changing.release(true)
    }
  })

  test('makes links that were mailed before worthless', async () => {
    const it = world()
    const jan = await it.signUp('Jan')
    const token = await resetTokenFor(it, jan)
    await jan.call('POST /api/user/change-password', form(PASSWORD))
    const reset = await it.visitor('POST /api/auth/reset-password', { token, newPassword: 'thief’s own' })
    expect(reset.json().code).toBe('link_expired')
  })

  test('the wrong one is refused, and changes nothing', async () => {
    const it = world()
    const ida = await it.signUp('Ida')
    const reply = await ida.call('POST /api/user/change-password', form('wrong horse'))
    expect(reply.statusCode).toBe(403)
    expect(reply.json()).toEqual({
      code: 'wrong_password',
      message: 'The current password is incorrect.',
    })
    expect((await whoIs(it, ida.cookie)).statusCode).toBe(200)
    expect(await mailKinds(it, ida)).toEqual(['verify_email'])
  })

  test.each([
    ['currentPassword', { currentPassword: '' }, 'Current password is required'],
    [
      'newPassword',
      { newPassword: '12345', confirmPassword: '12345' },
      'New password must be at least 6 characters',
    ],
    ['confirmPassword', { confirmPassword: '' }, 'Please confirm your password'],
    ['confirmPassword', { confirmPassword: 'battery stable' }, "Passwords don't match"],
  ])('%s: %j', async (path, change, message) => {
    const jo = await world().signUp(`Jo${path}${message.length}`)
    const reply = await jo.call('POST /api/user/change-password', { ...form(PASSWORD), ...change })
    expect(reply.statusCode).toBe(422)
    expect(reply.json().issues).toContainEqual({ path, message })
  })

  test('guessing it from within a session is limited, by deleting too', async () => {
    const it = await openWorld()
    const kim = await it.signUp('Kim')
    for (let tries = 0; tries < 5; tries++) {
      await kim.call('POST /api/user/change-password', form('guess'))
      await kim.call('POST /api/user/delete-account', { password: 'guess' })
    }
    expect((await kim.call('POST /api/user/change-password', form(PASSWORD))).statusCode).toBe(429)
    expect((await kim.call('POST /api/user/delete-account', { password: PASSWORD })).statusCode).toBe(429)
  })
})

describe('devices', () => {
  const CHROME =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'
  const IPHONE =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

  test('are listed, the latest in use first, by names that lead to no session', async () => {
    const it = await openWorld()
    const ada = await it.signUp('Ada')
    it.turnClock(HOUR_MS / 2)
    const [windows, phone] = [
      cookieOf(await signInAs(it, ada.email, PASSWORD, CHROME)),
      cookieOf(await signInAs(it, ada.email, PASSWORD, IPHONE)),
    ]
    it.turnClock(HOUR_MS)
    const reply = await it.visitor('GET /api/user/devices', undefined, { headers: { cookie: windows } })
    const devices = reply.json()
    expect(
      devices.map(({ name, isThisOne }: { name: string; isThisOne: boolean }) => [name, isThisOne]),
    ).toEqual([
      ['Chrome on Windows', true],
      ['Safari on iPhone', false],
      ['Unknown browser', false],
    ])
    const { rows } = await it.sql.query('select sid from sessions')
    for (const { sid } of rows) expect(reply.body).not.toContain(sid)
    for (const cookie of [windows, phone]) expect(reply.body).not.toContain(cookie.slice(4, 40))
  })

  test('when one was in use is noted once an hour', async () => {
    const it = await openWorld()
    const { call } = await it.signUp('Ada')
    const seenAt = async () => {
      const [device] = (await call('GET /api/user/devices')).json()
      return Date.parse(device.seenAt)
    }
    const first = await seenAt()
    it.turnClock(HOUR_MS - 60_000)
    expect(await seenAt()).toBe(first)
    it.turnClock(61_000)
    const second = await seenAt()
    expect(second - first).toBeGreaterThanOrEqual(HOUR_MS)
    const [device] = (await call('GET /api/user/devices')).json()
    expect(Date.parse(device.signedInAt)).toBeLessThanOrEqual(first)
  })

  test('one is signed out, or all others, and never another person’s', async () => {
    const it = world()
    const [lea, mallory] = [await it.signUp('Lea'), await it.signUp('Mallory')]
    const others = [
      cookieOf(await signInAs(it, lea.email, PASSWORD, CHROME)),
      cookieOf(await signInAs(it, lea.email, PASSWORD, IPHONE)),
      cookieOf(await signInAs(it, lea.email, PASSWORD, CHROME)),
    ]
    const devices = (await lea.call('GET /api/user/devices')).json()
    const phone = devices.find(({ name }: { name: string }) => name === 'Safari on iPhone').id
    const stranger = await mallory.call(`DELETE /api/user/devices/${phone}`)
    expect(stranger.statusCode).toBe(404)
    expect(stranger.json().code).toBe('device_not_found')
    expect((await lea.call(`DELETE /api/user/devices/${phone}`)).json()).toEqual({ ok: true })
    expect((await lea.call(`DELETE /api/user/devices/${phone}`)).statusCode).toBe(404)
    const states = () =>
      Promise.all([lea.cookie, ...others].map(async (cookie) => (await whoIs(it, cookie)).statusCode))
    expect(await states()).toEqual([200, 200, 401, 200])
    await lea.call('POST /api/user/devices/sign-out-others')
    expect(await states()).toEqual([200, 401, 401, 401])
    expect((await whoIs(it, mallory.cookie)).statusCode).toBe(200)
  })

  test.each([
    ['Chrome on Windows', CHROME],
    ['Safari on iPhone', IPHONE],
    ['Edge on Windows', `${CHROME} Edg/130.0.0.0`],
    ['Opera on Windows', `${CHROME} OPR/115.0.0.0`],
    ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'],
    [
      'Safari on Mac',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    ],
    [
      'Chrome on iPhone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/130.0 Mobile/15E148 Safari/604.1',
    ],
    [
      'Chrome on Android',
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
    ],
    [
      'Samsung Internet on Android',
      'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36',
    ],
    [
      'Chrome on ChromeOS',
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
    ],
    ['Unknown browser on Linux', 'Wget (Linux)'],
    ['Unknown browser', 'curl/8.5.0'],
    ['Unknown browser', ''],
    ['Unknown browser', '<script>alert(1)</script>'],
    ['Unknown browser', 'Not-a-browser/1.0 of 2026'],
    [
      'Safari on iPad',
      'Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
    ],
  ])('%s', (name, userAgent) => {
    expect(deviceName(userAgent)).toBe(name)
  })
})

describe('taking one’s data along', () => {
  test('is everything that is one’s own, and nothing of others or of our secrets', async () => {
    const it = world()
    const [oda, pat, stranger] = [await it.signUp('Oda'), await it.signUp('Pat'), await it.signUp('Quin')]
    await it.sql.query('update users set phone = $2, bio = $3 where id = $1', [
      pat.id,
      '+60 999',
      'Pat’s own',
    ])
    const bank = {
      account_holder_name: 'Oda Tester',
      country: 'US',
      routing_number: '110000000',
      account_number: '000123456789',
      account_type: 'checking',
    }
    expect((await oda.call('POST /api/seller/save-bank-account', bank)).statusCode).toBe(200)
    const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh' }
    const { id: itemId } = (await oda.call('POST /api/wanted-items', lamp)).json()
    const about = { wantedItemId: itemId, receiverId: oda.id }
    for (let count = 1; count <= 130; count++) {
      await pat.call('POST /api/messages', { ...about, content: `Hello ${count}` })
    }
    await oda.call('POST /api/messages', { wantedItemId: itemId, receiverId: pat.id, content: 'Hello back' })
    await pat.call('POST /api/offers', { ...about, amount: 5_000 })
    const { id: strangers } = (await stranger.call('POST /api/wanted-items', lamp)).json()
    await pat.call('POST /api/messages', {
      wantedItemId: strangers,
      receiverId: stranger.id,
      content: 'Between us',
    })
    const bought = await givenPayment(it.sql, { buyer: oda, seller: pat })
    await oda.call(`POST /api/payments/${bought}/submit-rating`, { rating: 4, feedback: 'Fine' })
    const sold = await givenPayment(it.sql, { buyer: pat, seller: oda, status: 'disputed' })
    await pat.call(`POST /api/payments/${sold}/submit-rating`, { rating: 4 })
    await oda.call(`POST /api/disputes/${sold}/answer`, { content: 'It was green' })
    await pat.call(`POST /api/disputes/${sold}/answer`, { content: 'It was blue' })

    const reply = await oda.call('GET /api/user/data')
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    })
    expect(reply.headers['content-disposition']).toMatch(
      /^attachment; filename="sought-data-\d{4}-\d\d-\d\d\.json"$/,
    )
    const data = reply.json()
    expect(data).toMatchObject({
      profile: { email: 'oda@example.com', firstName: 'Oda' },
      mailSettings: { off: [] },
      bankAccount: {
        hasBankAccount: true,
        bankDetails: { account_holder_name: 'Oda Tester', account_number_last4: '6789' },
      },
      devices: [{ isThisOne: true }],
      requests: [{ title: 'Lamp' }, { title: 'Lamp' }],
      evidence: [{ content: 'It was green' }],
      ratingsGiven: [{ paymentId: bought, rating: 4, feedback: 'Fine' }],
      ratingsReceived: [],
      payouts: [],
    })
    expect(data.messages).toHaveLength(131)
    expect(data.messages[0].content).toBe('Hello back')
    expect(data.messages[130].content).toBe('Hello 1')
    expect(data.payments.map((pair: { payments: { id: number } }) => pair.payments.id)).toEqual([
      sold,
      bought,
    ])
    expect(data.offers.map((offer: { amount: number }) => offer.amount)).toEqual([12_000, 12_000, 5_000])
    expect(data.notifications.length).toBeGreaterThan(0)

    const { rows } = await it.sql.query(
      'select password, email, bank_account_details from users where id = any($1)',
      [[oda.id, pat.id]],
    )
    const secrets = rows.flatMap((row) => [row.password, row.bank_account_details]).filter(Boolean)
    for (const secret of [
      ...secrets,
      '000123456789',
      pat.email,
      '+60 999',
      'Pat’s own',
      'It was blue',
      'Between us',
    ]) {
      expect(reply.body).not.toContain(secret)
    }
    // What a row holds beyond what its call answers stays here too.
    for (const column of ['disputeWords', 'intentAttempt', 'askAt', '"words"']) {
      expect(reply.body).not.toContain(column)
    }
    expect((await it.visitor('GET /api/user/data')).statusCode).toBe(401)
  })

  test('of somebody who has done nothing is whole too', async () => {
    const { call } = await world().signUp('Rex')
    const data = (await call('GET /api/user/data')).json()
    expect(data).toMatchObject({ messages: [], payments: [], notifications: [], requests: [] })
  })

  test('is done ten times an hour', async () => {
    const it = await openWorld()
    const { id, call } = await it.signUp('Sam')
    await it.sql.query('insert into rate_limits (key, points, expire) values ($1, 9, $2)', [
      `data:account:${id}`,
      Date.now() + 60_000,
    ])
    expect((await call('GET /api/user/data')).statusCode).toBe(200)
    expect((await call('GET /api/user/data')).statusCode).toBe(429)
  })
})
