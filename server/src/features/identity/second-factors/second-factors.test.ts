import type { Call } from '@sought/contract/call'
import { calls } from '@sought/contract/calls'
import { describe, expect, test } from 'vitest'
import { createEncryption } from '../../../core/encryption.ts'
import { type Authenticator, createAuthenticator } from '../../../testing/authenticator.ts'
import { totpCode } from '../../../testing/totp-code.ts'
import { cookieOf, openWorld, PASSWORD, type Person, shareWorld, type World } from '../../../testing/world.ts'
import { startTotp } from './actions.ts'

const world = shareWorld({ RATE_LIMIT: 'off' })
const MINUTE_MS = 60_000

const codeAt = ({ services }: World, secret: string, offsetMs = 0) =>
  totpCode(secret, new Date(services.clock().getTime() + offsetMs))

/** Sets up an authenticator app, and returns its secret and the recovery codes. */
async function enableTotp(it: World, person: Person) {
  const { secret } = (await person.call('POST /api/user/totp')).json()
  const enabled = await person.call('POST /api/user/totp/enable', { code: codeAt(it, secret) })
  return { secret, recoveryCodes: enabled.json().recoveryCodes as string[] }
}

async function addPasskey(person: Person, authenticator: Authenticator) {
  const options = (await person.call('POST /api/user/passkeys/options')).json()
  return person.call('POST /api/user/passkeys', { passkey: authenticator.create(options) })
}

const logIn = (it: World, { email }: Person) =>
  it.visitor('POST /api/auth/login', { email, password: PASSWORD })

const withCookie = (it: World, cookie: string) => (call: string, body?: object) =>
  it.visitor(call, body, { headers: { cookie } })

/** A browser that has given the password and still needs a second factor. */
async function startSignIn(it: World, person: Person) {
  const call = withCookie(it, cookieOf(await logIn(it, person)))
  return { call, give: (code: string) => call('POST /api/auth/second-factor', { code }) }
}

async function auditOf({ sql }: World, { id }: Person): Promise<string[]> {
  const { rows } = await sql.query('select action from audit_log where actor_id = $1 order by id', [id])
  return rows.map(({ action }) => action)
}

async function mailsOf({ sql }: World, { id }: Person): Promise<string[]> {
  const { rows } = await sql.query('select kind from mails where user_id = $1 order by id', [id])
  return rows.map(({ kind }) => kind)
}

describe('authenticator apps', () => {
  test('cannot be enabled before they are set up', async () => {
    const una = await world().signUp('Una')
    const enabled = await una.call('POST /api/user/totp/enable', { code: '000000' })
    expect([enabled.statusCode, enabled.json().code]).toEqual([409, 'totp_not_started'])
  })

  test('are set up with a code, and every later sign-in needs one', async () => {
    const it = world()
    const ada = await it.signUp('Ada')
    const abandoned = (await ada.call('POST /api/user/totp')).json()
    const started = (await ada.call('POST /api/user/totp')).json()
    expect(started.secret).not.toBe(abandoned.secret)
    expect(started.uri).toMatch(/^otpauth:\/\/totp\/Sought:ada%40example\.com\?/)
    expect(started.uri).toContain(`secret=${started.secret}`)
    // The app is not enabled yet, so signing in needs only the password.
    expect((await logIn(it, ada)).json().email).toBe(ada.email)
    for (const code of ['000000', 'éééééé', '٠٠٠٠٠٠']) {
      const wrong = await ada.call('POST /api/user/totp/enable', { code })
      expect([code, wrong.statusCode, wrong.json().code]).toEqual([code, 403, 'wrong_code'])
    }
    const code = codeAt(it, started.secret)
    const enabled = await ada.call('POST /api/user/totp/enable', {
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
    })
    expect(enabled.json().recoveryCodes).toHaveLength(10)
    expect(enabled.json().recoveryCodes[0]).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
    const again = await ada.call('POST /api/user/totp')
    expect([again.statusCode, again.json().code]).toEqual([409, 'totp_enabled'])

    const reply = await logIn(it, ada)
    expect(reply.json()).toEqual({ secondFactors: ['totp'] })
    const browser = withCookie(it, cookieOf(reply))
    expect((await browser('GET /api/auth/user')).json().code).toBe('signed_out')
    expect((await browser('POST /api/auth/confirm', { password: PASSWORD })).json().code).toBe('signed_out')
    // An unfinished sign-in is not listed as a device.
    expect((await ada.call('GET /api/user/devices')).json()).toHaveLength(2)
    const entered = await browser('POST /api/auth/second-factor', { code: codeAt(it, started.secret) })
    expect(entered.json()).toMatchObject({ email: ada.email })
    expect((await withCookie(it, cookieOf(entered))('GET /api/auth/user')).statusCode).toBe(200)
    // The cookie of the first step never becomes a session.
    expect((await browser('GET /api/auth/user')).statusCode).toBe(401)
    expect(await auditOf(it, ada)).toEqual(expect.arrayContaining(['totp_enabled']))
    expect(await mailsOf(it, ada)).toContain('second_factor_added')
    const { rows } = await it.sql.query('select secret from totp_factors where user_id = $1', [ada.id])
    expect(rows[0].secret).toMatch(/^v1:/)
  })

  test('accept only one of two concurrent setups, whose recovery codes are valid', async () => {
    const it = world()
    const abe = await it.signUp('Abe')
    const { secret } = (await abe.call('POST /api/user/totp')).json()
    const code = codeAt(it, secret)
    const enable = () => abe.call('POST /api/user/totp/enable', { code })
    const replies = await Promise.all([enable(), enable(), enable()])
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409])
    const [recoveryCode] = replies.find(({ statusCode }) => statusCode === 200)?.json().recoveryCodes ?? []
    expect((await (await startSignIn(it, abe)).give(recoveryCode)).statusCode).toBe(200)
  })

  test('accept each code once, even in two browsers at the same time', async () => {
    const it = world()
    const bob = await it.signUp('Bob')
    const { secret } = await enableTotp(it, bob)
    const code = codeAt(it, secret)
    const browsers = await Promise.all([startSignIn(it, bob), startSignIn(it, bob), startSignIn(it, bob)])
    const replies = await Promise.all(browsers.map(({ give }) => give(code)))
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403, 403])
    const [late] = [await startSignIn(it, bob)]
    expect((await late.give(code)).json().code).toBe('wrong_code')
    // An earlier code is refused too, although it would still be valid.
    expect((await late.give(codeAt(it, secret, -30_000))).json().code).toBe('wrong_code')
    expect((await late.give(codeAt(it, secret, 30_000))).statusCode).toBe(200)
  })

  test('have recovery codes that work once and can be replaced', async () => {
    const it = world()
    const cal = await it.signUp('Cal')
    const { recoveryCodes } = await enableTotp(it, cal)
    const [first = '', second = ''] = recoveryCodes
    const browsers = await Promise.all([startSignIn(it, cal), startSignIn(it, cal)])
    const replies = await Promise.all(browsers.map(({ give }) => give(first)))
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403])
    expect((await cal.call('GET /api/user/second-factors')).json()).toEqual({
      totp: true,
      passkeys: [],
      recoveryCodesLeft: 9,
    })
    const replaced = await cal.call('POST /api/user/recovery-codes')
    const browser = await startSignIn(it, cal)
    expect((await browser.give(second)).statusCode).toBe(403)
    const [fresh] = replaced.json().recoveryCodes
    expect((await browser.give(fresh.toUpperCase().replaceAll('-', ' '))).statusCode).toBe(200)
    expect(await auditOf(it, cal)).toEqual(
      expect.arrayContaining(['recovery_code_used', 'recovery_codes_replaced']),
    )
    const { rows } = await it.sql.query('select hash from recovery_codes where user_id = $1', [cal.id])
    expect(JSON.stringify(rows)).not.toContain(fresh)
  })

  test('record a wrong code as a failed sign-in, and cancelling the sign-in is not recorded as a sign-out', async () => {
    const it = world()
    const ann = await it.signUp('Ann')
    await enableTotp(it, ann)
    const browser = await startSignIn(it, ann)
    expect((await browser.give('000000')).json().code).toBe('wrong_code')
    await browser.call('GET /api/logout')
    const { rows } = await it.sql.query(
      "select action, actor_id from audit_log where subject_id = $1 and action in ('sign_in_failed', 'signed_out')",
      [ann.id],
    )
    expect(rows).toEqual([{ action: 'sign_in_failed', actor_id: null }])
  })

  test('limit guesses for the account, not only for one browser', async () => {
    const it = await openWorld()
    const dan = await it.signUp('Dan')
    const { secret } = await enableTotp(it, dan)
    const [one, two] = [await startSignIn(it, dan), await startSignIn(it, dan)]
    // Setting up the app counted as one attempt.
    for (let tries = 0; tries < 9; tries++) await (tries % 2 ? one : two).give('000000')
    const blocked = await two.give(codeAt(it, secret))
    expect(blocked.statusCode).toBe(429)
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0)
    expect((await dan.call('POST /api/auth/confirm', { code: codeAt(it, secret) })).statusCode).toBe(429)
  })

  test('refuse codes without a pending sign-in, and do not count them as attempts', async () => {
    const { visitor } = await openWorld()
    for (let tries = 0; tries <= 10; tries++) {
      const reply = await visitor('POST /api/auth/second-factor', { code: '000000' })
      expect(reply.json().code).toBe('sign_in_expired')
    }
  })

  test('can complete a sign-in for ten minutes, unless the password is changed in the meantime', async () => {
    const it = await openWorld()
    const eve = await it.signUp('Eve')
    const { secret } = await enableTotp(it, eve)
    const slow = await startSignIn(it, eve)
    it.advanceClock(10 * MINUTE_MS)
    const late = await slow.give(codeAt(it, secret))
    expect([late.statusCode, late.json().code]).toEqual([401, 'sign_in_expired'])
    const thief = await startSignIn(it, eve)
    const newPassword = 'battery staple'
    const form = { currentPassword: PASSWORD, newPassword, confirmPassword: newPassword }
    await eve.call('POST /api/user/change-password', form)
    expect((await thief.give(codeAt(it, secret))).json().code).toBe('sign_in_expired')
    expect((await it.visitor('POST /api/auth/second-factor', { code: '123456' })).statusCode).toBe(401)
  })

  test('can be removed, which removes the recovery codes too', async () => {
    const it = world()
    const fay = await it.signUp('Fay')
    const { recoveryCodes } = await enableTotp(it, fay)
    expect((await fay.call('DELETE /api/user/totp')).json()).toEqual({ ok: true })
    expect((await fay.call('GET /api/user/second-factors')).json()).toMatchObject({
      totp: false,
      recoveryCodesLeft: 0,
    })
    expect((await logIn(it, fay)).json().email).toBe(fay.email)
    expect((await fay.call('POST /api/user/recovery-codes')).json().code).toBe('no_second_factor')
    expect((await fay.call('POST /api/auth/confirm', { code: recoveryCodes[0] })).json().code).toBe(
      'wrong_password',
    )
    expect(await mailsOf(it, fay)).toContain('second_factor_removed')
  })
})

describe('passkeys', () => {
  test('sign in without a password, and are required after a password', async () => {
    const it = world()
    const gil = await it.signUp('Gil')
    const authenticator = createAuthenticator()
    const added = await addPasskey(gil, authenticator)
    expect(added.statusCode).toBe(201)
    expect(added.json()).toMatchObject({ passkey: { name: 'Unknown browser', lastUsedAt: null } })
    expect(added.json().recoveryCodes).toHaveLength(10)

    const options = await it.visitor('POST /api/auth/passkey/options', { purpose: 'sign_in' })
    expect(options.json()).toMatchObject({ rpId: 'localhost', allowCredentials: [] })
    const passkey = authenticator.use(options.json())
    const entered = await it.visitor('POST /api/auth/passkey', { passkey })
    expect(entered.json()).toMatchObject({ email: gil.email })
    const replayed = await it.visitor('POST /api/auth/passkey', { passkey })
    expect([replayed.statusCode, replayed.json().code]).toEqual([403, 'passkey_refused'])

    const reply = await logIn(it, gil)
    expect(reply.json()).toEqual({ secondFactors: ['passkey'] })
    const browser = withCookie(it, cookieOf(reply))
    const asked = (await browser('POST /api/auth/passkey/options', { purpose: 'second_factor' })).json()
    expect(asked.allowCredentials).toEqual([
      { id: added.json().passkey.id, type: 'public-key', transports: ['internal'] },
    ])
    const given = await browser('POST /api/auth/second-factor', { passkey: authenticator.use(asked) })
    expect(given.json()).toMatchObject({ email: gil.email })
    const [{ lastUsedAt }] = (await gil.call('GET /api/user/second-factors')).json().passkeys
    expect(lastUsedAt).toMatch(/^20/)
  })

  test('are refused with a wrong signature, site, user or challenge, and without verification', async () => {
    const it = world()
    const [hal, ida] = [await it.signUp('Hal'), await it.signUp('Ida')]
    const [mine, other] = [createAuthenticator(), createAuthenticator()]
    await addPasskey(hal, mine)
    await addPasskey(ida, other)
    const ask = async (call = it.visitor as Person['call'], purpose = 'sign_in') =>
      (await call('POST /api/auth/passkey/options', { purpose })).json()
    const signIn = async (passkey: object) =>
      (await it.visitor('POST /api/auth/passkey', { passkey })).json().code
    type Use = { id: string; response: { userHandle: string } }
    const good = mine.use(await ask()) as Use
    const theirs = other.use(await ask()) as Use
    expect(await signIn({ ...theirs, id: good.id, rawId: good.id })).toBe('passkey_refused')
    expect(
      await signIn({ ...good, response: { ...good.response, userHandle: theirs.response.userHandle } }),
    ).toBe('passkey_refused')
    expect(await signIn(mine.use(await ask(), { origin: 'https://evil.example' }))).toBe('passkey_refused')
    expect(await signIn(mine.use(await ask(), { isVerified: false }))).toBe('passkey_refused')
    expect(await signIn(mine.use({ ...(await ask()), challenge: 'bm90IG91cnM' }))).toBe('passkey_refused')
    expect(await signIn(createAuthenticator().use(await ask()))).toBe('passkey_refused')
    // A challenge cannot be used for another purpose or by another user.
    expect(await signIn(mine.use(await ask(hal.call, 'confirm')))).toBe('passkey_refused')
    const confirm = async (person: Person, passkey: object) =>
      (await person.call('POST /api/auth/confirm', { passkey })).json()
    expect(await confirm(ida, other.use(await ask(hal.call, 'confirm')))).toMatchObject({
      code: 'passkey_refused',
    })
    expect(await confirm(hal, other.use(await ask(hal.call, 'confirm')))).toMatchObject({
      code: 'passkey_refused',
    })
    const { challenge } = (await hal.call('POST /api/user/passkeys/options')).json()
    expect(await confirm(hal, mine.use({ ...(await ask(hal.call, 'confirm')), challenge }))).toMatchObject({
      code: 'passkey_refused',
    })
    expect(await confirm(hal, mine.use(await ask(hal.call, 'confirm')))).toEqual({ ok: true })
    expect((await it.visitor('POST /api/auth/passkey/options', { purpose: 'confirm' })).statusCode).toBe(401)
    expect((await hal.call('POST /api/auth/passkey/options', { purpose: 'second_factor' })).json().code).toBe(
      'sign_in_expired',
    )
  })

  test('can be renamed and removed by their owner', async () => {
    const it = world()
    const [jan, kim] = [await it.signUp('Jan'), await it.signUp('Kim')]
    const authenticator = createAuthenticator()
    const { id } = (await addPasskey(jan, authenticator)).json().passkey
    const second = await addPasskey(jan, createAuthenticator())
    expect(second.json().recoveryCodes).toBeNull()
    const again = await addPasskey(kim, authenticator)
    expect([again.statusCode, again.json().code]).toEqual([403, 'passkey_refused'])
    for (const call of [`PATCH /api/user/passkeys/${id}`, `DELETE /api/user/passkeys/${id}`])
      expect((await kim.call(call, { name: 'Mine' })).json().code).toBe('passkey_not_found')
    expect((await jan.call(`PATCH /api/user/passkeys/${id}`, { name: 'Phone' })).json().name).toBe('Phone')
    expect((await jan.call(`DELETE /api/user/passkeys/${id}`)).json()).toEqual({ ok: true })
    const options = (await it.visitor('POST /api/auth/passkey/options', { purpose: 'sign_in' })).json()
    const refused = await it.visitor('POST /api/auth/passkey', { passkey: authenticator.use(options) })
    expect(refused.json().code).toBe('passkey_refused')
    // One passkey is left, so the recovery codes stay.
    expect((await jan.call('GET /api/user/second-factors')).json()).toMatchObject({ recoveryCodesLeft: 10 })
    await jan.call(`DELETE /api/user/passkeys/${second.json().passkey.id}`)
    expect((await jan.call('GET /api/user/second-factors')).json()).toMatchObject({ recoveryCodesLeft: 0 })
  })

  test('do not sign in to a deleted account', async () => {
    const it = world()
    const kay = await it.signUp('Kay')
    const authenticator = createAuthenticator()
    await addPasskey(kay, authenticator)
    await it.sql.query('update users set deleted_at = now(), email = null where id = $1', [kay.id])
    const options = (await it.visitor('POST /api/auth/passkey/options', { purpose: 'sign_in' })).json()
    const refused = await it.visitor('POST /api/auth/passkey', { passkey: authenticator.use(options) })
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'passkey_refused'])
  })

  test('are not registered on another site', async () => {
    const lou = await world().signUp('Lou')
    const elsewhere = createAuthenticator({ origin: 'https://evil.example' })
    const added = await addPasskey(lou, elsewhere)
    expect([added.statusCode, added.json().code]).toEqual([403, 'passkey_refused'])
    expect((await lou.call('GET /api/user/second-factors')).json().passkeys).toEqual([])
  })

  test('are limited to twenty for each account', async () => {
    const it = world()
    const pia = await it.signUp('Pia')
    const options = (await pia.call('POST /api/user/passkeys/options')).json()
    await it.sql.query(
      `insert into passkeys (id, user_id, name, public_key, counter, transports)
       select $1 || n, $1, 'Key', 'key', 0, '{}' from generate_series(1, 20) n`,
      [pia.id],
    )
    const replies = [
      await pia.call('POST /api/user/passkeys/options'),
      await pia.call('POST /api/user/passkeys', { passkey: createAuthenticator().create(options) }),
    ]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([409, 409])
    expect(replies.map((reply) => reply.json().code)).toEqual(['too_many_passkeys', 'too_many_passkeys'])
  })

  test('are created only once for a registration challenge', async () => {
    const it = world()
    const lea = await it.signUp('Lea')
    const options = (await lea.call('POST /api/user/passkeys/options')).json()
    expect(options.authenticatorSelection).toMatchObject({ userVerification: 'required' })
    const add = () => lea.call('POST /api/user/passkeys', { passkey: createAuthenticator().create(options) })
    const replies = await Promise.all([add(), add()])
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 403])
  })
})

test('second factors cannot be set up for an account that is deleted in the meantime', async () => {
  const it = world()
  const ned = await it.signUp('Ned')
  await it.sql.query('update users set deleted_at = now(), email = null where id = $1', [ned.id])
  const origin = { ip: '127.0.0.1', device: 'Unknown browser' }
  const started = it.services.database.transact((tx) =>
    startTotp(tx, createEncryption(it.services.secrets.dataKeys), { id: ned.id, origin }, 'Sought'),
  )
  await expect(started).rejects.toMatchObject({ code: 'signed_out' })
})

test('deleting an account removes its second factors', async () => {
  const it = world()
  const mia = await it.signUp('Mia')
  await enableTotp(it, mia)
  const authenticator = createAuthenticator()
  await addPasskey(mia, authenticator)
  expect((await mia.call('POST /api/user/delete-account', { password: PASSWORD })).statusCode).toBe(200)
  for (const table of ['totp_factors', 'recovery_codes', 'passkeys']) {
    const { rowCount } = await it.sql.query(`select from ${table} where user_id = $1`, [mia.id])
    expect([table, rowCount]).toEqual([table, 0])
  }
})

describe('admins', () => {
  const adminCalls = Object.values(calls).filter(({ access }) => access !== 'public' && access !== 'user')

  test('need a second factor for every admin call if ADMIN_SECOND_FACTOR is required', async () => {
    const it = await openWorld({ ADMIN_SECOND_FACTOR: 'required' })
    const [nat, stranger] = [await it.signUp('Nat', 'admin'), await it.signUp('Stranger')]
    const codeOf = async (who: Person, { method, path, body }: Call) => {
      const reply = await who.call(`${method} ${path.replace(/:\w+/g, '1')}`, body && {})
      return reply.statusCode < 300 ? 'ok' : reply.json().code
    }
    expect(adminCalls.length).toBeGreaterThan(10)
    for (const call of adminCalls) {
      expect([call.path, await codeOf(nat, call)]).toEqual([call.path, 'second_factor_required'])
      expect([call.path, await codeOf(stranger, call)]).toEqual([call.path, 'not_admin'])
    }
    expect((await nat.call('GET /api/user/is-admin')).json()).toEqual({
      isAdmin: true,
      role: 'admin',
      needsSecondFactor: true,
    })
    await addPasskey(nat, createAuthenticator())
    for (const call of adminCalls) {
      expect([call.path, await codeOf(nat, call)]).not.toEqual([call.path, 'second_factor_required'])
    }
    expect((await nat.call('GET /api/user/is-admin')).json()).toEqual({ isAdmin: true, role: 'admin' })
  })

  test('need a second factor for files in disputes of others, but not in their own', async () => {
    const it = await openWorld({ ADMIN_SECOND_FACTOR: 'required' })
    const [nat, buyer, seller] = [
      await it.signUp('Nat', 'admin'),
      await it.signUp('Buyer'),
      await it.signUp('Seller'),
    ]
    const { paymentId: ofOthers } = await it.given.dispute({ buyer, seller })
    const { paymentId: own } = await it.given.dispute({ buyer: nat, seller })
    const files = [
      { pathOf: (id: number) => `disputes/${id}/evidence/1`, missing: 'dispute_not_found' },
      { pathOf: (id: number) => `payments/${id}/files/shipment-photo`, missing: 'payment_not_found' },
    ]
    const codesFor = async (who: Person, id: number) =>
      (await Promise.all(files.map(({ pathOf }) => who.call(`GET /api/${pathOf(id)}`)))).map(
        (reply) => reply.json().code,
      )
    const missing = files.map((file) => file.missing)
    expect(await codesFor(nat, ofOthers)).toEqual(['second_factor_required', 'second_factor_required'])
    // Access is checked first. Then the call is refused because there is no such file.
    expect(await codesFor(nat, own)).toEqual(missing)
    expect(await codesFor(buyer, ofOthers)).toEqual(missing)
    await addPasskey(nat, createAuthenticator())
    expect(await codesFor(nat, ofOthers)).toEqual(missing)
  })
})
