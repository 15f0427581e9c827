import { describe, expect, test } from 'vitest'
import { deviceName } from '../../../http/device-name.ts'
import { waitUntilBlocked } from '../../../testing/blocked-statements.ts'
import { eventually } from '../../../testing/eventually.ts'
import { cookieOf, openWorld, PASSWORD, type Person, shareWorld, type World } from '../../../testing/world.ts'
import { createToken } from '../../users/link-tokens.ts'

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

test('using a link waits for its concurrent revocation and does not deadlock', async () => {
  const it = world()
  const ada = await it.signUp('Ann')
  const { transact } = it.services.database
  for (const [purpose, call, form] of [
    ['reset_password', 'POST /api/auth/reset-password', { newPassword: 'battery staple' }],
    ['verify_email', 'POST /api/auth/verify-email', {}],
  ] as const) {
    const token = await transact((tx) => createToken(tx, { userId: ada.id, purpose, email: ada.email }))
    const other = await it.sql.connect()
    try {
      await other.query('begin')
      await other.query('select from users where id = $1 for update', [ada.id])
      const using = it.visitor(call, { token, ...form })
      await waitUntilBlocked(it.sql)
      await other.query('delete from account_tokens where user_id = $1', [ada.id])
      await other.query('commit')
      expect((await using).json().code).toBe('link_expired')
    } finally {
      other.release(true)
    }
  }
})

describe('a forgotten password', () => {
  test('a known and an unknown address get the same reply in about the same time', async () => {
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
    // The lookup and the email take a few milliseconds; both replies wait longer than that.
    expect(known.tookMs).toBeGreaterThan(195)
    expect(unknown.tookMs).toBeGreaterThan(195)
    expect(await mailKinds(it, ada)).toEqual(['verify_email', 'reset_password'])
  })

  test('the link works once, ends all sessions, verifies the address and sends an email', async () => {
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

  test('the link cannot verify an address', async () => {
    const it = world()
    const eli = await it.signUp('Eli')
    const token = await resetTokenFor(it, eli)
    expect((await it.visitor(`GET /api/auth/verify-email?token=${token}`)).json().code).toBe('link_expired')
    const verified = await it.visitor('POST /api/auth/verify-email', { token })
    expect(verified.json().code).toBe('link_expired')
  })

  test('the link expires after an hour', async () => {
    const it = await openWorld()
    const cal = await it.signUp('Cal')
    const token = await resetTokenFor(it, cal)
    it.advanceClock(HOUR_MS + 1)
    const late = await it.visitor('POST /api/auth/reset-password', { token, newPassword: 'too late' })
    expect(late.json().code).toBe('link_expired')
    expect((await signInAs(it, cal.email, PASSWORD)).statusCode).toBe(200)
  })

  test('a reset cancels a pending change of address', async () => {
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

  test('a user without a password can set one only with a reset', async () => {
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

  test('requests are limited, even for unknown addresses', async () => {
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

  test('ends other sessions, renews the current one and sends an email', async () => {
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

  test('a concurrent sign-in with the old password is refused', async () => {
    const it = world()
    const gus = await it.signUp('Gus')
    const changing = await it.sql.connect()
    try {
      await changing.query('begin')
      await changing.query("update users set password = 'changed' where id = $1", [gus.id])
      const entering = signInAs(it, gus.email, PASSWORD)
      // The old password was correct when it was checked; now the sign-in waits for the user's row.
      const waiting =
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
      await eventually(async () => expect((await it.sql.query(waiting)).rowCount).toBe(1))
      await changing.query('commit')
      expect((await entering).statusCode).toBe(401)
    } finally {
      changing.release(true)
    }
  })

  test('invalidates links that were sent before', async () => {
    const it = world()
    const jan = await it.signUp('Jan')
    const token = await resetTokenFor(it, jan)
    await jan.call('POST /api/user/change-password', form(PASSWORD))
    const reset = await it.visitor('POST /api/auth/reset-password', { token, newPassword: 'thief’s own' })
    expect(reset.json().code).toBe('link_expired')
  })

  test('a wrong current password is refused and changes nothing', async () => {
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
  ])('is refused for an invalid %s: %j', async (path, change, message) => {
    const jo = await world().signUp(`Jo${path}${message.length}`)
    const reply = await jo.call('POST /api/user/change-password', { ...form(PASSWORD), ...change })
    expect(reply.statusCode).toBe(422)
    expect(reply.json().issues).toContainEqual({ path, message })
  })

  test('guessing the password within a session is limited, including through account deletion', async () => {
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

  test('are listed by last use, with ids that do not reveal the session', async () => {
    const it = await openWorld()
    const ada = await it.signUp('Ada')
    it.advanceClock(HOUR_MS / 2)
    const [windows, phone] = [
      cookieOf(await signInAs(it, ada.email, PASSWORD, CHROME)),
      cookieOf(await signInAs(it, ada.email, PASSWORD, IPHONE)),
    ]
    it.advanceClock(HOUR_MS)
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

  test('the last use is saved once an hour', async () => {
    const it = await openWorld()
    const { call } = await it.signUp('Ada')
    const seenAt = async () => {
      const [device] = (await call('GET /api/user/devices')).json()
      return Date.parse(device.seenAt)
    }
    const first = await seenAt()
    it.advanceClock(HOUR_MS - 60_000)
    expect(await seenAt()).toBe(first)
    it.advanceClock(61_000)
    const second = await seenAt()
    expect(second - first).toBeGreaterThanOrEqual(HOUR_MS)
    const [device] = (await call('GET /api/user/devices')).json()
    expect(Date.parse(device.signedInAt)).toBeLessThanOrEqual(first)
  })

  test('one or all other devices can be signed out, but not those of another user', async () => {
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
