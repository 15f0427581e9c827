import { calls } from '@sought/contract/calls'
import { ReturnTo } from '@sought/contract/fields'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../../app.ts'
import { readConfig } from '../../../core/config.ts'
import { addressKey } from '../../../http/limits.ts'
import { COMMAND_LINE } from '../../../http/request-origin.ts'
import { createGoogle } from '../../../providers/google/google.ts'
import { eventually } from '../../../testing/eventually.ts'
import { runEmailJobs } from '../../../testing/run-email-jobs.ts'
import { totpCode } from '../../../testing/totp-code.ts'
import {
  cookieOf,
  leaveEmailsUnverified,
  PASSWORD,
  type Person,
  shareWorld,
  type World,
} from '../../../testing/world.ts'
import { createToken, type TokenPurpose } from '../../users/link-tokens.ts'
import { findOrCreateGoogleAccount } from './actions.ts'

leaveEmailsUnverified()

/*
 * Attacks on sign-in. The normal behaviour is tested in accounts.test.ts, security.test.ts and google.test.ts.
 */

const MINUTE_MS = 60_000
const world = shareWorld({ RATE_LIMIT: 'off' })
const limited = shareWorld()
const elsewhere = 'https://evil.example'

const signIn = ({ visitor }: World, email: string, password: string, headers: Record<string, string> = {}) =>
  visitor('POST /api/auth/login', { email, password }, { headers })

const whoIs = ({ visitor }: World, cookie: string) =>
  visitor('GET /api/auth/user', undefined, { headers: { cookie } })

const tokenFor = (
  { services }: World,
  { id: userId, email }: { id: string; email: string },
  purpose: TokenPurpose,
) => services.database.transact((tx) => createToken(tx, { userId, purpose, email }))

const identityOf = (email: string) => ({
  subject: `google of ${email}`,
  email,
  emailVerified: true,
  firstName: 'Grace',
  lastName: 'Hopper',
})

const signInByGoogle = ({ services }: World, email: string) =>
  services.database.transact((tx) => findOrCreateGoogleAccount(tx, identityOf(email), COMMAND_LINE))

describe('rate limits', () => {
  /** Simulates this many attempts within the current window. */
  const count = (key: string, points: number) =>
    limited().sql.query('insert into rate_limits (key, points, expire) values ($1, $2, $3)', [
      key,
      points,
      Date.now() + MINUTE_MS,
    ])

  test('all spellings of an email share one count', async () => {
    await count('sign-in:account:ada@example.com', 10)
    for (const email of ['ada@example.com', 'ADA@example.com', ' Ada@Example.COM ', '\tada@example.com\n']) {
      expect((await signIn(limited(), email, 'guess')).statusCode, email).toBe(429)
    }
  })

  test('only ten of thirty concurrent attempts are checked', async () => {
    const { email } = await limited().signUp('Bob')
    const replies = await Promise.all(Array.from({ length: 30 }, () => signIn(limited(), email, 'guess')))
    expect(replies.filter((reply) => reply.statusCode === 401)).toHaveLength(10)
    expect(replies.filter((reply) => reply.statusCode === 429)).toHaveLength(20)
  })

  test('a successful sign-in to another account does not reset the count', async () => {
    const it = limited()
    const mallory = await it.signUp('Mallory')
    const from = (remoteAddress: string) => ({ remoteAddress })
    for (let round = 0; round < 2; round++) {
      const guess = { email: 'carol@example.com', password: `guess ${round}` }
      await it.visitor('POST /api/auth/login', guess, from('192.0.2.9'))
      const own = { email: mallory.email, password: PASSWORD }
      expect((await it.visitor('POST /api/auth/login', own, from('192.0.2.9'))).statusCode).toBe(200)
    }
    const { rows } = await it.sql.query(
      "select key, points from rate_limits where key in ('sign-in:account:carol@example.com', 'sign-in:address:192.0.2.9')",
    )
    expect(rows.map(({ points }) => points)).toEqual([2, 2])
  })

  test('links can be tried a hundred times an hour per IP address', async () => {
    await count('link:address:192.0.2.5', 100)
    const from = { remoteAddress: '192.0.2.5' }
    const reset = { token: 'guess', newPassword: 'mine now' }
    expect((await limited().visitor('POST /api/auth/reset-password', reset, from)).statusCode).toBe(429)
    expect(
      (await limited().visitor('POST /api/auth/verify-email', { token: 'guess' }, from)).statusCode,
    ).toBe(429)
  })

  test.each([
    ['2001:db8::1', '2001:db8::2'],
    ['2001:db8::1', '2001:db8::ffff:1:2:3'],
    ['2001:db8::1', '2001:db8:0:0:1:2:3:4'],
    ['2001:db8:1::1', '2001:db8:1::2:0:0:3'],
    ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6'],
    ['2001:0:0:1::1', '2001::1:2:3:4:5'],
    ['fe80::1', 'fe80::2'],
  ])('%s and %s are in one network and share a count', (one, other) => {
    expect(addressKey(one)).toBe(addressKey(other))
  })

  test.each([
    ['2001:db8::1', '2001:db8:0:1::1'],
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['192.0.2.1', '192.0.2.2'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
  ])('%s and %s are not in one network', (one, other) => {
    expect(addressKey(one)).not.toBe(addressKey(other))
  })

  test.each([
    ['off', 0],
    ['on', 1],
    ['3', 3],
  ])('TRUST_PROXY=%s is read as a number of proxies', (TRUST_PROXY, proxies) => {
    expect(readConfig({ TRUST_PROXY }).proxies).toBe(proxies)
  })

  test('TRUST_PROXY refuses other values', () => {
    for (const TRUST_PROXY of ['yes', '0', '-1', '10', '127.0.0.1']) {
      expect(() => readConfig({ TRUST_PROXY })).toThrow('TRUST_PROXY')
    }
  })

  const PROXY = '10.0.0.1'
  test.each([
    [0, '198.51.100.1', ['anything', '198.51.100.200', '']],
    [1, PROXY, ['198.51.100.1', '198.51.100.200, 198.51.100.1', '127.0.0.1, 198.51.100.200,198.51.100.1']],
    [2, PROXY, ['198.51.100.1, 10.0.0.2', '198.51.100.200, 198.51.100.1, 10.0.0.2']],
  ])('behind %i proxies, the client address cannot be forged', async (proxies, remoteAddress, said) => {
    const { services } = limited()
    const config = { ...services.config, proxies }
    const app = await buildApp({ ...services, config }, { ready: true }, services.log)
    const full = [`sign-in:address:198.51.100.1`, 100, Date.now() + MINUTE_MS]
    await limited().sql.query('insert into rate_limits values ($1, $2, $3) on conflict do nothing', full)
    const guessFrom = async (remoteAddress: string, forwarded: string) => {
      const { statusCode } = await app.inject({
        method: 'POST',
        url: '/api/auth/login',
        body: { email: `dan-${proxies}@example.com`, password: 'guess' },
        remoteAddress,
        headers: { 'x-forwarded-for': forwarded },
      })
      return statusCode
    }
    const another = (addresses: string) => addresses.replace(/198\.51\.100\.1\b/, '198.51.100.7')
    for (const forwarded of said) {
      expect(await guessFrom(remoteAddress, forwarded), forwarded).toBe(429)
      expect(await guessFrom(another(remoteAddress), another(forwarded)), another(forwarded)).toBe(401)
    }
    await app.close()
  })
})

describe('a session id', () => {
  test('that an attacker set before sign-in is useless afterwards', async () => {
    const it = world()
    const [mallory, victim] = [await it.signUp('Mallory'), await it.signUp('Victim')]
    for (const planted of [mallory.cookie, 'sid=planted', 'sid=planted.planted']) {
      const reply = await signIn(it, victim.email, PASSWORD, { cookie: planted })
      expect(reply.statusCode).toBe(200)
      expect(cookieOf(reply)).not.toBe(planted)
      expect((await whoIs(it, planted)).statusCode).toBe(401)
      expect((await whoIs(it, cookieOf(reply))).json().id).toBe(victim.id)
    }
  })

  test('that an attacker set before sign-up is useless afterwards', async () => {
    const it = world()
    const mallory = await it.signUp('Mallory2')
    const form = { email: 'fresh@example.com', password: PASSWORD, firstName: 'Fresh', lastName: 'Tester' }
    const opened = await it.visitor('POST /api/auth/signup', form, { headers: { cookie: mallory.cookie } })
    expect((await whoIs(it, mallory.cookie)).statusCode).toBe(401)
    expect((await whoIs(it, cookieOf(opened))).json().email).toBe('fresh@example.com')
  })

  const endings: Record<string, (it: World, owner: Person) => Promise<unknown>> = {
    'signing out': (_, owner) => owner.call('GET /api/logout'),
    'a change of the password': (_, owner) =>
      owner.call('POST /api/user/change-password', {
        currentPassword: PASSWORD,
        newPassword: 'a new one',
        confirmPassword: 'a new one',
      }),
    'a password reset by email': async (it, owner) =>
      it.visitor('POST /api/auth/reset-password', {
        token: await tokenFor(it, owner, 'reset_password'),
        newPassword: 'a new one',
      }),
    'account deletion': (_, owner) => owner.call('POST /api/user/delete-account', { password: PASSWORD }),
    'Google sign-in with an address that was never verified': (it, owner) => signInByGoogle(it, owner.email),
  }

  test.each(Object.entries(endings))('that was stolen is useless after %s', async (how, end) => {
    const it = world()
    const owner = await it.signUp(`Robbed${how.length}`)
    const stolen = owner.cookie
    expect((await whoIs(it, stolen)).statusCode).toBe(200)
    await end(it, owner)
    const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh' }
    for (const [call, body] of [
      ['GET /api/auth/user', undefined],
      ['GET /api/messages', undefined],
      ['POST /api/wanted-items', lamp],
      ['GET /api/events', undefined],
    ] as const) {
      const reply = await it.visitor(call, body, { headers: { cookie: stolen } })
      expect([call, reply.statusCode]).toEqual([call, 401])
    }
    expect((await it.sql.query('select from wanted_items where user_id = $1', [owner.id])).rowCount).toBe(0)
  })
})

describe('a concurrent sign-in', () => {
  /** Blocks new sessions just before they are inserted, until released. */
  async function stopSessions({ sql }: World) {
    await sql.query(`
      create or replace function stop_here() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(4711); return new; end $$`)
    await sql.query(
      'create trigger stop_here before insert on sessions for each row execute function stop_here()',
    )
    const holder = await sql.connect()
    await holder.query('select pg_advisory_lock(4711)')
    let holding = true
    const letGo = async () => {
      if (holding) await holder.query('select pg_advisory_unlock(4711)')
      if (holding) holder.release()
      holding = false
    }
    onTestFinished(async () => {
      await letGo()
      await sql.query('drop trigger stop_here on sessions')
    })
    return {
      letGo,
      /** Waits until this many sessions are blocked. */
      stopped: (count: number) =>
        eventually(async () => {
          const { rows } = await sql.query(
            "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          )
          expect(rows[0].count).toBe(count)
        }),
    }
  }

  test.each([
    [
      'a password reset by email',
      async (it: World, owner: Person) =>
        it.visitor('POST /api/auth/reset-password', {
          token: await tokenFor(it, owner, 'reset_password'),
          newPassword: 'a new one',
        }),
    ],
    ['Google sign-in by the owner', (it: World, owner: Person) => signInByGoogle(it, owner.email)],
  ])('with the old password is ended by %s', async (how, takeOver) => {
    const it = world()
    const owner = await it.signUp(`Owner${how.length}`)
    const door = await stopSessions(it)
    const thief = signIn(it, owner.email, PASSWORD)
    await door.stopped(1)
    const takingOver = takeOver(it, owner)
    await Promise.race([takingOver, door.stopped(2)])
    await door.letGo()
    await takingOver
    expect((await whoIs(it, cookieOf(await thief))).statusCode).toBe(401)
    expect((await signIn(it, owner.email, PASSWORD)).statusCode).toBe(401)
  })
})

describe('an account that an attacker created with the owner’s address', () => {
  const bank = {
    account_holder_name: 'Squatter',
    country: 'US',
    routing_number: '110000000',
    account_number: '000123456789',
  }
  const hasWays = async (it: World, cookie: string) =>
    (await it.visitor('GET /api/seller/bank-status', undefined, { headers: { cookie } })).json()
      .hasBankAccount

  async function addAuthenticator(it: World, person: Person) {
    const { secret } = (await person.call('POST /api/user/totp')).json()
    await person.call('POST /api/user/totp/enable', { code: totpCode(secret, it.services.clock()) })
  }

  const secondFactorsOf = async (it: World, { email }: Person, password: string) =>
    (await signIn(it, email, password)).json().secondFactors

  /** Everything an attacker could leave behind to get back in or to receive the payouts. */
  async function squat(it: World, name: string) {
    const squatter = await it.signUp(name)
    await addAuthenticator(it, squatter)
    await squatter.call('POST /api/seller/save-bank-account', bank)
    await it.sql.query('update users set stripe_connect_account_id = $1 where id = $2', [
      `acct_of_${name}`,
      squatter.id,
    ])
    const theirs = `squatter-of-${name}@example.com`
    await squatter.call('PUT /api/user/profile', { firstName: name, lastName: 'Tester', email: theirs })
    const link = await tokenFor(it, { id: squatter.id, email: theirs }, 'verify_email')
    return { ...squatter, link }
  }

  async function expectAlone(it: World, { email, cookie, link, id }: Person & { link: string }) {
    expect((await whoIs(it, cookie)).statusCode).toBe(401)
    expect((await signIn(it, email, PASSWORD)).statusCode).toBe(401)
    expect((await it.visitor('POST /api/auth/verify-email', { token: link })).json().code).toBe(
      'link_expired',
    )
    const { rows } = await it.sql.query(
      `select email, email_verified_at is not null as proved, pending_email,
         stripe_connect_account_id, bank_account_details from users where id = $1`,
      [id],
    )
    expect(rows).toEqual([
      {
        email,
        proved: true,
        pending_email: null,
        stripe_connect_account_id: null,
        bank_account_details: null,
      },
    ])
  }

  test('belongs only to the owner after Google sign-in, without the attacker’s bank account', async () => {
    const it = world()
    const squatter = await squat(it, 'Grace')
    expect(await signInByGoogle(it, squatter.email)).toMatchObject({ id: squatter.id })
    await expectAlone(it, squatter)
  })

  test('belongs only to the owner after a password reset by email', async () => {
    const it = world()
    const squatter = await squat(it, 'Heidi')
    const token = await tokenFor(it, squatter, 'reset_password')
    const reset = await it.visitor('POST /api/auth/reset-password', { token, newPassword: 'mine alone' })
    expect(reset.statusCode).toBe(200)
    await expectAlone(it, squatter)
    expect(await secondFactorsOf(it, squatter, 'mine alone')).toBeUndefined()
  })

  test('keeps what its owner adds after a password reset, even after the next reset', async () => {
    const it = world()
    const squatter = await squat(it, 'Mia')
    const resetAndSignIn = async (newPassword: string) => {
      const token = await tokenFor(it, squatter, 'reset_password')
      await it.visitor('POST /api/auth/reset-password', { token, newPassword })
      return signIn(it, squatter.email, newPassword)
    }
    const headers = { cookie: cookieOf(await resetAndSignIn('mine alone')) }
    await it.visitor('POST /api/seller/save-bank-account', bank, { headers })
    expect(await hasWays(it, cookieOf(await resetAndSignIn('a new one')))).toBe(true)
  })

  test('keeps its payout details and second factors in both cases if its address was verified', async () => {
    const it = world()
    const ivan = await it.signUp('Ivan')
    await ivan.call('POST /api/seller/save-bank-account', bank)
    await addAuthenticator(it, ivan)
    await it.sql.query('update users set email_verified_at = now() where id = $1', [ivan.id])
    await signInByGoogle(it, ivan.email)
    expect(await hasWays(it, ivan.cookie)).toBe(true)
    const token = await tokenFor(it, ivan, 'reset_password')
    await it.visitor('POST /api/auth/reset-password', { token, newPassword: 'a new one' })
    expect(await secondFactorsOf(it, ivan, 'a new one')).toEqual(['totp'])
    const { rows } = await it.sql.query('select bank_account_details from users where id = $1', [ivan.id])
    expect(rows[0].bank_account_details).not.toBeNull()
  })

  test('is neither linked nor revealed to a Google account with an unverified address', async () => {
    const it = world()
    const judy = await it.signUp('Judy')
    const unverified = { ...identityOf(judy.email), emailVerified: false }
    for (const identity of [unverified, { ...unverified, email: 'nobody@example.com' }]) {
      const answer = await it.services.database.transact((tx) =>
        findOrCreateGoogleAccount(tx, identity, COMMAND_LINE),
      )
      expect(answer).toBe('unverified')
    }
    expect((await whoIs(it, judy.cookie)).json()).toMatchObject({ googleLinked: false, emailVerified: false })
  })
})

describe('Google', () => {
  test('ten concurrent first sign-ins and a sign-up create one account', async () => {
    const it = world()
    const email = 'newcomer@example.com'
    const form = { email, password: PASSWORD, firstName: 'Grace', lastName: 'Hopper' }
    const signingUp = it.visitor('POST /api/auth/signup', form)
    const users = await Promise.all(Array.from({ length: 10 }, () => signInByGoogle(it, email)))
    expect([201, 409]).toContain((await signingUp).statusCode)
    const ids = new Set(users.map((user) => (typeof user === 'string' ? user : user.id)))
    expect(ids.size).toBe(1)
    expect((await it.sql.query('select from users where email = $1', [email])).rowCount).toBe(1)
    // The concurrent sign-up has verified nothing and gets no session.
    expect((await signIn(it, email, PASSWORD)).statusCode).toBe(401)
  })

  test('another signed cookie of ours is not accepted as a sign-in attempt', async () => {
    const { services, signUp } = world()
    const google = createGoogle({
      clientId: 'sought',
      clientSecret: 'the client secret',
      issuer: 'http://127.0.0.1:9',
      publicUrl: services.config.publicUrl,
      secure: false,
      log: services.log,
    })
    const app = await buildApp({ ...services, google }, { ready: true }, services.log)
    const { cookie } = await signUp('Nosy')
    const reply = await app.inject({
      url: '/api/auth/google/callback?code=1&state=2',
      headers: { cookie: cookie.replace(/^sid=/, 'google=') },
    })
    await app.close()
    expect([reply.statusCode, reply.headers.location]).toEqual([302, '/auth?error=google_failed'])
  })
})

describe('a return path', () => {
  const OURS = 'https://sought.example'

  const pathsToOtherSites = [
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/ /evil.example',
    '/\u0000/evil.example',
    '/\u00a0/evil.example',
    '/\u2028/evil.example',
    '/a\\..\\..\\evil.example',
    'https://evil.example',
    'https:evil.example',
    'https:/evil.example',
    'https:\\\\evil.example',
    'HTTPS://evil.example',
    '//sought.example@evil.example',
    'https://sought.example@evil.example',
    'evil.example',
    '.evil.example',
    '@evil.example',
    ':80@evil.example',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    '?//evil.example',
    '',
    '/'.padEnd(2001, 'a'),
    '/messages\r\nset-cookie: sid=planted',
    '/messages\r\n\r\n<script>alert(1)</script>',
    '/ünïcode',
    '/／evil.example',
  ]

  test.each(pathsToOtherSites.map((address) => [JSON.stringify(address), address]))(
    '%s is refused',
    async (_, address) => {
      for (const call of ['GET /api/login', 'GET /api/auth/google']) {
        const reply = await world().visitor(`${call}?returnTo=${encodeURIComponent(address)}`)
        expect([call, reply.statusCode, reply.headers.location]).toEqual([call, 422, undefined])
      }
    },
  )

  test.each([
    '/%5cevil.example',
    '/%2fevil.example',
    '/%2f%2fevil.example',
    '/%09/evil.example',
    '/@evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/messages?next=//evil.example',
    '/messages#//evil.example',
    '/item/1?x=https://evil.example',
    '/javascript:alert(1)',
  ])('%s stays on this site', async (address) => {
    const reply = await world().visitor(`GET /api/login?returnTo=${encodeURIComponent(address)}`)
    const { location } = reply.headers
    expect(location).toBe(`/auth?returnTo=${encodeURIComponent(address)}`)
    expect(new URL(address, OURS).origin).toBe(OURS)
  })

  test('is ignored if it is given twice', async () => {
    const reply = await world().visitor('GET /api/login?returnTo=/messages&returnTo=//evil.example')
    expect(reply.statusCode).toBe(422)
  })

  test('that is accepted always leads to this site in a browser', () => {
    // The unit 'binary' of fc.string has the same characters, but takes a second to build.
    const character = fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point))
    const piece = fc.oneof(
      fc.constantFrom('/', '\\', '.', '..', '@', ':', '%5c', '%2f', '%09', '?', '#', '\t', '\n', '\r', ' '),
      fc.constantFrom('evil.example', 'https:', 'javascript:', '[', ']', ';', '&', '\u00ad', '。', '／'),
      fc.string({ unit: character, maxLength: 3 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const address = `/${pieces.join('')}`
        if (!ReturnTo.safeParse(address).success) return true
        return [`${OURS}/`, `${OURS}/auth?returnTo=x`, `${OURS}//deep//down`].every((page) => {
          const { origin, username } = new URL(address, page)
          return origin === OURS && username === ''
        })
      }),
      { seed: 8, numRuns: 1_000 },
    )
  })
})

describe('a cross-site request', () => {
  const changing = Object.values(calls).filter(({ method }) => method !== 'GET')

  test('is refused for every call and every content type', async () => {
    const it = world()
    const ada = await it.signUp('Ada')
    const ways = [
      { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' },
      { 'sec-fetch-site': 'same-site', 'content-type': 'multipart/form-data; boundary=edge' },
      { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain', origin: elsewhere },
      { origin: elsewhere, 'content-type': 'application/json' },
      { origin: 'null', 'content-type': 'text/plain' },
    ]
    for (const { method, path } of changing.filter(({ allowCrossSite }) => !allowCrossSite)) {
      for (const headers of ways) {
        const reply = await it.app.inject({
          method,
          url: path.replace(/:\w+/g, '1'),
          body: '{"email":"ada@example.com"}',
          headers: { ...headers, cookie: ada.cookie, host: 'sought.example' },
        })
        expect([path, reply.statusCode, reply.json().code]).toEqual([path, 403, 'cross_site'])
      }
    }
    expect((await whoIs(it, ada.cookie)).statusCode).toBe(200)
  })

  test('is allowed only for unsubscribe, which is authorised by its token', () => {
    expect(changing.filter(({ allowCrossSite }) => allowCrossSite).map(({ path }) => path)).toEqual([
      '/api/mail/unsubscribe',
    ])
  })

  test('cannot disguise a form as JSON, even without an Origin header', async () => {
    const it = world()
    const bob = await it.signUp('Bob')
    const types = [
      'text/plain',
      'text/plain; application/json',
      'text/plain;charset=application/json',
      'application/x-www-form-urlencoded',
      'application/json-patch',
      'application/jsonx',
    ]
    for (const { method, path } of changing.filter(({ body }) => body)) {
      for (const type of types) {
        const reply = await it.app.inject({
          method,
          url: path.replace(/:\w+/g, '1'),
          body: '{}',
          headers: { 'content-type': type, cookie: bob.cookie },
        })
        expect([path, type, reply.statusCode]).toEqual([path, type, 415])
      }
    }
  })

  test('gets no CORS headers, neither in replies nor in preflights', async () => {
    const it = world()
    const cat = await it.signUp('Cat')
    for (const path of ['/api/auth/user', '/api/config', '/api/wanted-items', '/api/nowhere']) {
      for (const method of ['GET', 'OPTIONS'] as const) {
        const { headers } = await it.app.inject({
          method,
          url: path,
          headers: {
            origin: elsewhere,
            cookie: cat.cookie,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'content-type',
          },
        })
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      }
    }
  })
})

describe('cookies and links', () => {
  const secure = shareWorld({ PUBLIC_URL: 'https://sought.example' })

  test('cookies are HttpOnly, SameSite and Secure', async () => {
    const it = secure()
    const form = { email: 'ada@example.com', password: PASSWORD, firstName: 'Ada', lastName: 'Tester' }
    const opened = await it.visitor('POST /api/auth/signup', form)
    expect(opened.cookies.map(({ name }) => name)).toEqual(['sid', 'device'])
    for (const cookie of opened.cookies) {
      expect(cookie).toMatchObject({ path: '/', httpOnly: true, secure: true, sameSite: 'Lax' })
      // The cookie is not sent to other hosts of the same domain.
      expect(cookie).not.toHaveProperty('domain')
    }
    const left = await it.visitor('GET /api/logout', undefined, { headers: { cookie: cookieOf(opened) } })
    expect(left.cookies[0]).toMatchObject({ name: 'sid', value: '', path: '/', httpOnly: true, secure: true })
  })

  test('links in emails use PUBLIC_URL, even if the Host header differs', async () => {
    const it = secure()
    const { email } = await it.signUp('Bob')
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    }
    await it.visitor('POST /api/auth/forgot-password', { email }, { headers })
    await runEmailJobs(it)
    const { rows } = await it.sql.query("select text, html from mails where kind = 'reset_password'")
    expect(rows).toHaveLength(1)
    expect(rows[0].text).toContain('https://sought.example/reset-password?token=')
    expect(rows[0].text + rows[0].html).not.toContain('evil.example')
  })
})
