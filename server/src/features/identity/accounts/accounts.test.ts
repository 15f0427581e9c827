import { describe, expect, test } from 'vitest'
import {
  cookieOf,
  hashAsInProduction,
  openWorld,
  PASSWORD,
  shareWorld,
  type World,
} from '../../../testing/world.ts'
import { grantRole } from './actions.ts'

const ada = { email: 'Ada@Example.com', password: PASSWORD, firstName: 'Ada', lastName: 'Lovelace' }
const credentials = { email: ada.email, password: ada.password }
const DAY_MS = 86_400_000

const shared = shareWorld()
const sharedWithoutLimits = shareWorld({ RATE_LIMIT: 'off' })

/** A shared world in which nobody has signed up or tried to. */
async function emptyWorld(world: World = shared()): Promise<World> {
  // Without triggers, because nobody may change the audit log.
  await world.sql.query(`
    set local session_replication_role = replica;
    delete from users; delete from sessions; delete from admins;
    delete from rate_limits; delete from mails; delete from audit_log`)
  return world
}

describe('sign-up', () => {
  test('creates an account, signs in and returns the user', async () => {
    const { visitor, sql } = await emptyWorld()
    const reply = await visitor('POST /api/auth/signup', ada)
    expect(reply.statusCode).toBe(201)
    expect(reply.json()).toMatchObject({
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: 'Lovelace',
      provider: 'email',
      rating: 0,
    })
    const user = await visitor('GET /api/auth/user', undefined, { headers: { cookie: cookieOf(reply) } })
    expect(user.json()).toEqual(reply.json())
    const { rows } = await sql.query('select password from users')
    expect(rows[0].password).toMatch(/^\$argon2id\$/)
  })

  test('does not return secrets', async () => {
    const { visitor } = await emptyWorld()
    const reply = await visitor('POST /api/auth/signup', ada)
    expect(Object.keys(reply.json()).sort()).toEqual(
      (
        'bio createdAt email emailVerified firstName googleLinked hasPassword id lastName location name ' +
        'pendingEmail phone profileImageUrl provider rating restrictedUntil selling suspendedUntil updatedAt'
      ).split(' '),
    )
  })

  test('treats an email as taken regardless of case', async () => {
    const { visitor } = await emptyWorld()
    await visitor('POST /api/auth/signup', ada)
    const again = await visitor('POST /api/auth/signup', { ...ada, email: 'ADA@example.COM' })
    expect(again.statusCode).toBe(409)
    expect(again.json()).toEqual({
      code: 'email_taken',
      message: 'An account with this email already exists.',
    })
  })

  test('creates one account for ten concurrent calls with one email', async () => {
    const { visitor, sql } = await emptyWorld(sharedWithoutLimits())
    const replies = await Promise.all(Array.from({ length: 10 }, () => visitor('POST /api/auth/signup', ada)))
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([201, ...Array(9).fill(409)])
    const { rows } = await sql.query('select count(*)::int from users')
    expect(rows).toEqual([{ count: 1 }])
  })

  test.each([
    ['a short password', { password: '12345' }, 'password', 'Password must be at least 6 characters long'],
    ['no first name', { firstName: ' ' }, 'firstName', 'First name is required'],
    ['no last name', { lastName: '' }, 'lastName', 'Last name is required'],
    [
      'a first name that is too long',
      { firstName: 'a'.repeat(51) },
      'firstName',
      'Must be at most 50 characters',
    ],
    ['an invalid email', { email: 'ada' }, 'email', 'Invalid email address'],
    ['a NUL', { firstName: 'A\u0000da' }, 'firstName', 'Contains a character that cannot be stored'],
  ])('with %s is refused with the field name', async (_, change, path, message) => {
    const { visitor, sql } = await emptyWorld()
    const reply = await visitor('POST /api/auth/signup', { ...ada, ...change })
    expect(reply.statusCode).toBe(422)
    expect(reply.json()).toMatchObject({ code: 'invalid', issues: [{ path, message }] })
    expect((await sql.query('select 1 from users')).rowCount).toBe(0)
  })

  test('ignores other properties of the body', async () => {
    const { visitor, sql } = await emptyWorld()
    const reply = await visitor('POST /api/auth/signup', {
      ...ada,
      id: 'mine',
      rating: 5,
      provider: 'google',
      isAdmin: true,
      stripeConnectAccountId: 'acct_1',
    })
    expect(reply.json()).toMatchObject({ rating: 0, provider: 'email' })
    expect(reply.json().id).not.toBe('mine')
    expect((await sql.query('select 1 from admins')).rowCount).toBe(0)
  })
})

describe('sign-in', () => {
  test('returns the user and starts a new session each time', async () => {
    const { visitor, sql } = await emptyWorld()
    await visitor('POST /api/auth/signup', ada)
    const first = await visitor('POST /api/auth/login', credentials)
    expect(first.statusCode).toBe(200)
    expect(first.json().name).toBe('Ada Lovelace')
    // An existing session is ended, so that a session id known before sign-in is useless.
    const second = await visitor('POST /api/auth/login', credentials, {
      headers: { cookie: cookieOf(first) },
    })
    expect(cookieOf(second)).not.toBe(cookieOf(first))
    const old = await visitor('GET /api/auth/user', undefined, { headers: { cookie: cookieOf(first) } })
    expect(old.statusCode).toBe(401)
    expect((await sql.query('select 1 from sessions')).rowCount).toBe(2)
  })

  test('gives the same reply to a wrong password and an unknown email', async () => {
    const { visitor } = await emptyWorld()
    await visitor('POST /api/auth/signup', ada)
    const wrong = await visitor('POST /api/auth/login', { ...credentials, password: 'wrong horse' })
    const unknown = await visitor('POST /api/auth/login', { ...credentials, email: 'eve@example.com' })
    expect(wrong.statusCode).toBe(401)
    expect(wrong.json()).toEqual({ code: 'wrong_credentials', message: 'Please check your credentials' })
    expect(unknown.statusCode).toBe(wrong.statusCode)
    expect(unknown.body).toBe(wrong.body)
  })

  test('takes the same time for a wrong password and an unknown email', { tags: ['proof'] }, async () => {
    hashAsInProduction()
    const { visitor, sql } = await emptyWorld(sharedWithoutLimits())
    await visitor('POST /api/auth/signup', ada)
    const { rows } = await sql.query('select password from users')
    expect(rows[0].password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const timeOf = async (email: string) => {
      const start = performance.now()
      await visitor('POST /api/auth/login', { email, password: 'wrong horse' })
      return performance.now() - start
    }
    const known: number[] = []
    const unknown: number[] = []
    for (let round = 0; round < 15; round++) {
      known.push(await timeOf(ada.email))
      unknown.push(await timeOf(`nobody${round}@example.com`))
    }
    // Without the dummy hash, an unknown email would be answered about ten times faster.
    expect(median(unknown) / median(known)).toBeGreaterThan(0.6)
    expect(median(unknown) / median(known)).toBeLessThan(1.6)
  })
})

function median(values: number[]): number {
  return values.toSorted((one, two) => one - two)[Math.floor(values.length / 2)] ?? 0
}

describe('sessions', () => {
  test('the cookie is HttpOnly, SameSite=Lax and valid for thirty days', async () => {
    const { visitor } = await emptyWorld()
    const reply = await visitor('POST /api/auth/signup', ada)
    const [sid] = reply.cookies
    expect(sid).toMatchObject({ name: 'sid', httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 2_592_000 })
    expect(sid).not.toHaveProperty('secure')
  })

  test('the cookie is Secure and bound to the host in production, and a cookie without the prefix does not sign in', async () => {
    const { visitor } = await openWorld({
      NODE_ENV: 'production',
      SESSION_SECRET: 's'.repeat(32),
      DATA_KEY: 'd'.repeat(32),
    })
    const reply = await visitor('POST /api/auth/signup', ada)
    expect(reply.cookies[0]).toMatchObject({ name: '__Host-sid', secure: true, path: '/' })
    expect(reply.cookies[0]).not.toHaveProperty('domain')
    const whoIs = (cookie: string) => visitor('GET /api/auth/user', undefined, { headers: { cookie } })
    expect((await whoIs(cookieOf(reply))).json().email).toBe('ada@example.com')

    // Another host of our domain can set this cookie.
    const unprefixed = cookieOf(reply).replace('__Host-', '')
    expect((await whoIs(unprefixed)).statusCode).toBe(401)
    expect((await whoIs(`${unprefixed}; ${cookieOf(reply)}`)).json().email).toBe('ada@example.com')
    const left = await visitor('GET /api/logout', undefined, { headers: { cookie: cookieOf(reply) } })
    expect(left.cookies.map(({ name, value }) => name + value)).toEqual(['__Host-sid'])
  })

  test.each([
    ['missing', ''],
    ['forged', 'sid=anything'],
    [
      'signed with another secret',
      'sid=7FJZ-QIPLziYmaxciqIDVNJH.PngUtwndAqlvEVDY7gkZrfgLN1lhFTka9kCdmyNtWRY',
    ],
    ['malformed', 'sid=%E0%A4%A; sid==;;'],
  ])('a %s cookie does not sign in', async (_, cookie) => {
    const { visitor } = await emptyWorld()
    const reply = await visitor('GET /api/auth/user', undefined, { headers: { cookie } })
    expect(reply.statusCode).toBe(401)
    expect(reply.json()).toEqual({ code: 'signed_out', message: 'Please sign in first.' })
  })

  test('a session in use is extended; an unused one expires after thirty days', async () => {
    const { signUp, advanceClock } = await emptyWorld(sharedWithoutLimits())
    const { call } = await signUp('Ada')
    advanceClock(29 * DAY_MS)
    const renewed = await call('GET /api/auth/user')
    expect(renewed.statusCode).toBe(200)
    expect(renewed.cookies[0]).toMatchObject({ name: 'sid', maxAge: 2_592_000 })
    advanceClock(29 * DAY_MS)
    expect((await call('GET /api/auth/user')).statusCode).toBe(200)
    advanceClock(30 * DAY_MS)
    expect((await call('GET /api/auth/user')).statusCode).toBe(401)
  })

  test('a session is extended at most once a day, not by every request', async () => {
    const { signUp, advanceClock } = await emptyWorld(sharedWithoutLimits())
    const { call } = await signUp('Ada')
    advanceClock(DAY_MS / 2)
    expect((await call('GET /api/auth/user')).cookies).toEqual([])
  })

  test('signing out ends the session and redirects home', async () => {
    const { signUp, sql } = await emptyWorld()
    const { call } = await signUp('Ada')
    const reply = await call('GET /api/logout')
    expect(reply.statusCode).toBe(302)
    expect(reply.headers.location).toBe('/')
    expect((await call('GET /api/auth/user')).statusCode).toBe(401)
    expect((await sql.query('select 1 from sessions')).rowCount).toBe(0)
  })

  test('a cookie without our signature is ignored', async () => {
    const { signUp, visitor } = await emptyWorld()
    const { cookie } = await signUp('Ada')
    const whoIs = (sent: string) => visitor('GET /api/auth/user', undefined, { headers: { cookie: sent } })
    expect((await whoIs(cookie)).statusCode).toBe(200)
    const sid = decodeURIComponent(cookie).slice(0, decodeURIComponent(cookie).lastIndexOf('.'))
    for (const forged of [sid, `${sid}.`, `${sid}.forged`, cookie.slice(0, -1)]) {
      expect((await whoIs(forged)).statusCode, forged).toBe(401)
    }
  })

  test('a cross-site link cannot sign a user out', async () => {
    const { signUp } = await emptyWorld()
    const { call } = await signUp('Ada')
    await call('GET /api/logout', undefined, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect((await call('GET /api/auth/user')).statusCode).toBe(200)
  })

  test('/api/login redirects to the sign-in screen and keeps only return paths on this site', async () => {
    const { visitor } = await emptyWorld()
    expect((await visitor('GET /api/login')).headers.location).toBe('/auth')
    const back = await visitor('GET /api/login?returnTo=/messages')
    expect(back.headers.location).toBe('/auth?returnTo=%2Fmessages')
    for (const elsewhere of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:1']) {
      const reply = await visitor(`GET /api/login?returnTo=${encodeURIComponent(elsewhere)}`)
      expect(reply.statusCode).toBe(422)
    }
  })
})

describe('limits', () => {
  test('the eleventh attempt with a wrong password is refused', async () => {
    const { visitor } = await emptyWorld()
    await visitor('POST /api/auth/signup', ada)
    const wrong = () => visitor('POST /api/auth/login', { ...credentials, password: 'wrong' })
    for (let tries = 0; tries < 10; tries++) expect((await wrong()).statusCode).toBe(401)
    const refused = await wrong()
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toEqual({
      code: 'too_many',
      message: 'Too many attempts. Please wait a few minutes and try again.',
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800)
    // The right password is refused too, otherwise guessing could continue.
    expect((await visitor('POST /api/auth/login', credentials)).statusCode).toBe(429)
  })

  test('attempts on an unknown account are counted too', async () => {
    const { visitor, sql } = await emptyWorld()
    const guess = () => visitor('POST /api/auth/login', { email: 'nobody@example.com', password: 'guess' })
    await guess()
    const key = 'sign-in:account:nobody@example.com'
    const counted = await sql.query('select points from rate_limits where key = $1', [key])
    expect(counted.rows).toEqual([{ points: 1 }])
    await sql.query('update rate_limits set points = 9 where key = $1', [key])
    expect((await guess()).statusCode).toBe(401)
    expect((await guess()).statusCode).toBe(429)
  })

  test('a correct password resets the count', async () => {
    const { visitor } = await emptyWorld()
    await visitor('POST /api/auth/signup', ada)
    for (let round = 0; round < 2; round++) {
      for (let tries = 0; tries < 9; tries++) {
        await visitor('POST /api/auth/login', { ...credentials, password: 'wrong' })
      }
      expect((await visitor('POST /api/auth/login', credentials)).statusCode).toBe(200)
    }
  })

  test('an IP address that tries a hundred accounts is refused, other addresses are not', async () => {
    const { visitor, sql } = await emptyWorld()
    const guessFrom = (remoteAddress: string, number: number) =>
      visitor(
        'POST /api/auth/login',
        { email: `a${number}@example.com`, password: 'guess' },
        { remoteAddress },
      )
    await guessFrom('192.0.2.1', 1)
    const counted = "select points from rate_limits where key = 'sign-in:address:192.0.2.1'"
    expect((await sql.query(counted)).rows).toEqual([{ points: 1 }])
    await sql.query("update rate_limits set points = 99 where key = 'sign-in:address:192.0.2.1'")
    expect((await guessFrom('192.0.2.1', 100)).statusCode).toBe(401)
    expect((await guessFrom('192.0.2.1', 100)).statusCode).toBe(429)
    expect((await guessFrom('192.0.2.2', 100)).statusCode).toBe(401)
  })

  test('sign-ups per IP address are limited', async () => {
    const { visitor, sql } = await emptyWorld()
    await sql.query(
      "insert into rate_limits (key, points, expire) values ('sign-up:address:192.0.2.1', 100, $1)",
      [Date.now() + 60_000],
    )
    const reply = await visitor('POST /api/auth/signup', ada, { remoteAddress: '192.0.2.1' })
    expect(reply.statusCode).toBe(429)
    expect(reply.headers['retry-after']).toBe('60')
    expect((await visitor('POST /api/auth/signup', ada)).statusCode).toBe(201)
  })

  test('sign-ups per email are limited, from any IP address', async () => {
    const { visitor, sql } = await emptyWorld()
    await sql.query(
      "insert into rate_limits (key, points, expire) values ('sign-up:account:ada@example.com', 10, $1)",
      [Date.now() + 60_000],
    )
    expect((await visitor('POST /api/auth/signup', ada)).statusCode).toBe(429)
  })

  test('RATE_LIMIT=off disables all limits', async () => {
    const { visitor, signUp } = await emptyWorld(sharedWithoutLimits())
    const { email } = await signUp('Ada')
    for (let tries = 0; tries < 12; tries++) {
      const reply = await visitor('POST /api/auth/login', { email, password: 'guess' })
      expect(reply.statusCode).toBe(401)
    }
  })
})

describe('admins', () => {
  test('a user is an admin only with a row in admins', async () => {
    const { services, signUp, sql, visitor } = await emptyWorld()
    const { id, email, call } = await signUp('Ada')
    expect((await visitor('GET /api/user/is-admin')).statusCode).toBe(401)
    expect((await call('GET /api/user/is-admin')).json()).toEqual({ isAdmin: false, role: null })
    expect((await call('GET /api/admin/disputes')).json().code).toBe('not_admin')
    expect((await visitor('GET /api/admin/disputes')).statusCode).toBe(401)
    await sql.query('insert into admins (user_id) values ($1)', [id])
    expect((await call('GET /api/user/is-admin')).json()).toEqual({ isAdmin: true, role: 'admin' })
    expect((await call('GET /api/admin/disputes')).statusCode).not.toBe(403)
    const { transact } = services.database
    expect(await transact((tx) => grantRole(tx, email, 'admin'))).toBe(true)
  })
})
