import { describe, expect, test } from 'vitest'
import { actDuringChange } from '../../../testing/blocked-statements.ts'
import { runEmailJobs } from '../../../testing/run-email-jobs.ts'
import { openWorld, PASSWORD, type Person, shareWorld, type World } from '../../../testing/world.ts'
import { createToken } from '../../users/link-tokens.ts'
import { findOrCreateGoogleAccount } from './actions.ts'

/* Tests how owners get an account back and learn that somebody else is using it (ADR 43). */

const HOUR_MS = 3_600_000
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const world = shareWorld({ RATE_LIMIT: 'off' })
const ORIGIN = { ip: null, device: 'Test' }

const bank = {
  account_holder_name: 'Mallory',
  country: 'US',
  routing_number: '110000000',
  account_number: '000123456789',
}

interface Browser {
  call: World['visitor']
}

/** A browser with a cookie jar. */
function openBrowser({ visitor }: World, userAgent = FIREFOX): Browser {
  const jar = new Map<string, string>()
  return {
    async call(call, body, options = {}) {
      const cookie = [...jar].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ')
      const headers = { 'user-agent': userAgent, ...(cookie && { cookie }), ...options.headers }
      const reply = await visitor(call, body, { ...options, headers })
      for (const { name, value } of reply.cookies) {
        if (value === '') jar.delete(name)
        else jar.set(name, value)
      }
      return reply
    },
  }
}

const form = (email: string) => ({ email, password: PASSWORD, firstName: 'Ada', lastName: 'Tester' })
const login = (email: string, password = PASSWORD) => ({ email, password })

async function signUpIn(browser: Browser, email: string): Promise<string> {
  const reply = await browser.call('POST /api/auth/signup', form(email))
  expect(reply.statusCode).toBe(201)
  return reply.json().id
}

const verifyTokenFor = ({ services }: World, userId: string, email: string) =>
  services.database.transact((tx) => createToken(tx, { userId, purpose: 'verify_email', email }))

const userOf = async ({ sql }: World, id: string) =>
  (await sql.query('select * from users where id = $1', [id])).rows[0]

/** Sends the queued emails and returns those of one kind to a user. */
async function emailsOf(it: World, userId: string, kind: string) {
  await runEmailJobs(it)
  const { rows } = await it.sql.query(
    'select address, text from mails where user_id = $1 and kind = $2 order by id',
    [userId, kind],
  )
  return rows as { address: string; text: string }[]
}

/** Changes the address with a session, as its owner or a thief would. */
async function changeEmail(it: World, person: Person, email: string) {
  const current = (await person.call('GET /api/auth/user')).json()
  const { firstName, lastName } = current
  expect((await person.call('PUT /api/user/profile', { firstName, lastName, email })).statusCode).toBe(200)
  const token = await verifyTokenFor(it, person.id, email)
  expect((await person.call('POST /api/auth/verify-email', { token })).statusCode).toBe(200)
  const emails = await emailsOf(it, person.id, 'email_changed')
  const [, undo = ''] = emails.at(-1)?.text.match(/\/undo-email\/(\S+)/) ?? []
  return { undo, sentTo: emails.at(-1)?.address }
}

const undoLink = ({ visitor }: World, token: string) => visitor('POST /api/auth/undo-email', { token })
const readLink = ({ visitor }: World, token: string) => visitor(`GET /api/auth/undo-email?token=${token}`)

describe('undoing a change of the address', () => {
  test('restores address, Google identity and payout account, and ends the thief’s access', async () => {
    const it = world()
    const ada = await it.signUp('Ada')
    await it.sql.query("update users set provider_id = 'google-of-ada' where id = $1", [ada.id])
    const { undo, sentTo } = await changeEmail(it, ada, 'thief@example.com')
    expect(sentTo).toBe(ada.email)
    await ada.call('POST /api/seller/save-bank-account', bank)
    await it.sql.query("update users set provider_id = 'google-of-thief' where id = $1", [ada.id])
    // The thief asks for a password link and changes the password. Neither may end the undo link.
    await it.visitor('POST /api/auth/forgot-password', { email: 'thief@example.com' })
    const reset = await it.services.database.transact((tx) =>
      createToken(tx, { userId: ada.id, purpose: 'reset_password', email: 'thief@example.com' }),
    )
    await it.visitor('POST /api/auth/reset-password', { token: reset, newPassword: 'thief’s own' })
    const thief = openBrowser(it)
    expect(
      (await thief.call('POST /api/auth/login', login('thief@example.com', 'thief’s own'))).statusCode,
    ).toBe(200)

    // Reading the link changes nothing: email programs open links on their own.
    expect((await readLink(it, undo)).json()).toEqual({ email: 'a•••@example.com', state: 'ready' })
    expect((await readLink(it, undo)).json().state).toBe('ready')
    const replies = await Promise.all([undoLink(it, undo), undoLink(it, undo)])
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect((await readLink(it, undo)).json().state).toBe('used')

    expect(await userOf(it, ada.id)).toMatchObject({
      email: ada.email,
      pending_email: null,
      password: null,
      provider_id: 'google-of-ada',
      bank_account_details: null,
    })
    expect((await thief.call('GET /api/auth/user')).statusCode).toBe(401)
    for (const email of [ada.email, 'thief@example.com'])
      expect((await it.visitor('POST /api/auth/login', login(email, 'thief’s own'))).statusCode).toBe(401)
    const [link] = (await emailsOf(it, ada.id, 'reset_password')).filter(
      ({ address }) => address === ada.email,
    )
    const [, token = ''] = link?.text.match(/reset-password\?token=(\S+)/) ?? []
    const own = await it.visitor('POST /api/auth/reset-password', { token, newPassword: 'mine again' })
    expect(own.statusCode).toBe(200)
    expect((await it.visitor('POST /api/auth/login', login(ada.email, 'mine again'))).statusCode).toBe(200)
    const { rows } = await it.sql.query('select action from audit_log where subject_id = $1', [ada.id])
    expect(rows).toContainEqual({ action: 'email_change_undone' })
  })

  test('keeps payout accounts that have not changed since', async () => {
    const it = world()
    const bea = await it.signUp('Bea')
    await bea.call('POST /api/seller/save-bank-account', bank)
    const { undo } = await changeEmail(it, bea, 'bea-new@example.com')
    expect((await undoLink(it, undo)).statusCode).toBe(200)
    expect((await userOf(it, bea.id)).bank_account_details).not.toBeNull()
  })

  test('the oldest link in a chain of changes wins, and a later link cannot reverse it', {
    tags: ['proof'],
  }, async () => {
    const it = world()
    const [cal, dan] = [await it.signUp('Cal'), await it.signUp('Dan')]
    const first = await changeEmail(it, cal, 'thief-1@example.com')
    const second = await changeEmail(it, cal, 'thief-2@example.com')
    // The thief undoes their own second change. The first link still works.
    expect((await undoLink(it, second.undo)).statusCode).toBe(200)
    expect((await userOf(it, cal.id)).email).toBe('thief-1@example.com')
    expect((await undoLink(it, first.undo)).statusCode).toBe(200)
    expect((await userOf(it, cal.id)).email).toBe(cal.email)

    const oldest = await changeEmail(it, dan, 'thief-3@example.com')
    const later = await changeEmail(it, dan, 'thief-4@example.com')
    expect((await undoLink(it, oldest.undo)).statusCode).toBe(200)
    expect((await undoLink(it, later.undo)).json().code).toBe('link_expired')
    expect((await readLink(it, later.undo)).json().state).toBe('used')
    expect((await userOf(it, dan.id)).email).toBe(dan.email)
  })

  test('nobody can take the old address while the change can be undone', async () => {
    const it = world()
    const [eve, mallory] = [await it.signUp('Eve'), await it.signUp('Mallory')]
    const { undo } = await changeEmail(it, eve, 'thief-5@example.com')
    const signUp = () => it.visitor('POST /api/auth/signup', form(eve.email.toUpperCase()))
    expect((await signUp()).json().code).toBe('email_taken')
    const names = { firstName: 'Mallory', lastName: 'Tester' }
    const taken = await mallory.call('PUT /api/user/profile', { ...names, email: eve.email })
    expect(taken.json().code).toBe('email_taken')
    const identity = { subject: 'x', email: eve.email, emailVerified: true, firstName: 'E', lastName: 'V' }
    const { transact } = it.services.database
    expect(await transact((tx) => findOrCreateGoogleAccount(tx, identity, ORIGIN))).toBe('reserved')
    // A change that started earlier is refused when it is confirmed.
    await it.sql.query('update users set pending_email = $1 where id = $2', [eve.email, mallory.id])
    const token = await verifyTokenFor(it, mallory.id, eve.email)
    const late = await mallory.call('POST /api/auth/verify-email', { token })
    expect(late.json().code).toBe('email_taken')
    // The same user may change back to the old address.
    await changeEmail(it, eve, eve.email)
    expect((await undoLink(it, undo)).statusCode).toBe(200)
  })

  test('the link works for 72 hours, and only if it is unaltered', async () => {
    const it = await openWorld({ RATE_LIMIT: 'off' })
    const fay = await it.signUp('Fay')
    const { undo } = await changeEmail(it, fay, 'fay-new@example.com')
    const [id, signature] = undo.split('.')
    for (const forged of ['', 'x', `${Number(id) + 1}.${signature}`, `${id}.`, `${id}.${signature}x`])
      expect([409, 422]).toContain((await undoLink(it, forged)).statusCode)
    it.advanceClock(72 * HOUR_MS + 1)
    expect((await undoLink(it, undo)).json().code).toBe('link_expired')
    expect((await readLink(it, undo)).json()).toEqual({ email: 'f•••@example.com', state: 'expired' })
    expect((await userOf(it, fay.id)).email).toBe('fay-new@example.com')
    const signUp = await it.visitor('POST /api/auth/signup', form(fay.email))
    expect(signUp.statusCode).toBe(201)
  })
})

describe('confirming an address', () => {
  const whoIs = (browser: Browser) => browser.call('GET /api/auth/user')

  test('needs no password in the browser that signed up, even after signing out', async () => {
    const it = world()
    const own = openBrowser(it)
    const id = await signUpIn(own, 'gil@example.com')
    await own.call('GET /api/logout')
    const token = await verifyTokenFor(it, id, 'gil@example.com')
    expect((await own.call(`GET /api/auth/verify-email?token=${token}`)).json()).toEqual({
      email: 'g•••@example.com',
      isChange: false,
      asksPassword: false,
    })
    expect((await own.call('POST /api/auth/verify-email', { token })).statusCode).toBe(200)
    expect((await own.call('POST /api/auth/login', login('gil@example.com'))).json()).toMatchObject({
      emailVerified: true,
      hasPassword: true,
    })
  })

  test('needs the password in another browser', async () => {
    const it = world()
    const [own, other] = [openBrowser(it), openBrowser(it, SAFARI)]
    const id = await signUpIn(own, 'hal@example.com')
    const token = await verifyTokenFor(it, id, 'hal@example.com')
    expect((await other.call(`GET /api/auth/verify-email?token=${token}`)).json().asksPassword).toBe(true)
    const wrong = await other.call('POST /api/auth/verify-email', { token, password: 'a guess' })
    expect(wrong.json().code).toBe('wrong_password')
    expect((await other.call('POST /api/auth/verify-email', { token, password: PASSWORD })).statusCode).toBe(
      200,
    )
    expect((await whoIs(own)).json()).toMatchObject({ emailVerified: true, hasPassword: true })
  })

  test('without the password, a stranger who signed up loses password, session and payout account, even after Google sign-in', async () => {
    const it = world()
    const [stranger, owner] = [openBrowser(it), openBrowser(it, SAFARI)]
    const id = await signUpIn(stranger, 'ivy@example.com')
    await stranger.call('POST /api/seller/save-bank-account', bank)
    const token = await verifyTokenFor(it, id, 'ivy@example.com')
    expect((await owner.call('POST /api/auth/verify-email', { token })).statusCode).toBe(200)
    const identity = {
      subject: 'google-of-ivy',
      email: 'ivy@example.com',
      emailVerified: true,
      firstName: 'Ivy',
      lastName: 'Tester',
    }
    const { transact } = it.services.database
    for (let round = 0; round < 2; round++) {
      expect((await whoIs(stranger)).statusCode).toBe(401)
      expect((await stranger.call('POST /api/auth/login', login('ivy@example.com'))).statusCode).toBe(401)
      expect(await userOf(it, id)).toMatchObject({ password: null, bank_account_details: null })
      expect((await userOf(it, id)).email_verified_at).not.toBeNull()
      await transact((tx) => findOrCreateGoogleAccount(tx, identity, ORIGIN))
    }
  })

  test('a stranger’s account with the owner’s address belongs to the owner after Google sign-in', async () => {
    const it = world()
    const [stranger, owner] = [openBrowser(it), openBrowser(it, SAFARI)]
    const id = await signUpIn(stranger, 'stranger@example.com')
    const names = { firstName: 'Ada', lastName: 'Tester' }
    await stranger.call('PUT /api/user/profile', { ...names, email: 'jan@example.com' })
    const token = await verifyTokenFor(it, id, 'jan@example.com')
    expect((await owner.call(`GET /api/auth/verify-email?token=${token}`)).json()).toEqual({
      email: 'j•••@example.com',
      isChange: true,
      asksPassword: true,
    })
    expect((await owner.call('POST /api/auth/verify-email', { token })).statusCode).toBe(200)
    expect((await whoIs(stranger)).json().email).toBe('jan@example.com')
    const identity = { subject: 'jan', email: 'jan@example.com', emailVerified: true, ...names }
    const { transact } = it.services.database
    await transact((tx) => findOrCreateGoogleAccount(tx, identity, ORIGIN))
    expect((await whoIs(stranger)).statusCode).toBe(401)
    expect((await stranger.call('POST /api/auth/login', login('jan@example.com'))).statusCode).toBe(401)
  })

  test('a second time, without the password, removes nothing from a verified account', async () => {
    const it = world()
    const [own, other] = [openBrowser(it), openBrowser(it, SAFARI)]
    const id = await signUpIn(own, 'uma@example.com')
    for (const browser of [own, other]) {
      const token = await verifyTokenFor(it, id, 'uma@example.com')
      expect((await browser.call('POST /api/auth/verify-email', { token })).statusCode).toBe(200)
    }
    expect((await whoIs(own)).json()).toMatchObject({ emailVerified: true, hasPassword: true })
  })

  test('the password can be tried ten times', async () => {
    const it = await openWorld()
    const [own, other] = [openBrowser(it), openBrowser(it, SAFARI)]
    const id = await signUpIn(own, 'kay@example.com')
    const token = await verifyTokenFor(it, id, 'kay@example.com')
    const guess = () => other.call('POST /api/auth/verify-email', { token, password: 'a guess' })
    const replies = await Promise.all(Array.from({ length: 11 }, guess))
    expect(replies.filter(({ statusCode }) => statusCode === 403)).toHaveLength(10)
    expect(replies.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1)
  })
})

describe('a new device', () => {
  test('is announced, unlike the device that signed up and devices that signed in before', async () => {
    const it = world()
    const [own, other] = [openBrowser(it), openBrowser(it, SAFARI)]
    const email = 'lea@example.com'
    const id = await signUpIn(own, email)
    await own.call('GET /api/logout')
    await own.call('POST /api/auth/login', login(email))
    expect(await emailsOf(it, id, 'new_device')).toEqual([])
    await other.call('POST /api/auth/login', login(email))
    await other.call('POST /api/auth/login', login(email))
    const [announced, ...others] = await emailsOf(it, id, 'new_device')
    expect(announced?.address).toBe(email)
    expect(announced?.text).toMatch(
      /Safari on iPhone, on [A-Z][a-z]+ \d{1,2}, \d{4} at \d{1,2}:\d\d\s[AP]M UTC\./,
    )
    expect(others).toEqual([])
    // After a password reset, every device counts as new, except the first one to sign in.
    const token = await it.services.database.transact((tx) =>
      createToken(tx, { userId: id, purpose: 'reset_password', email }),
    )
    await own.call('POST /api/auth/reset-password', { token, newPassword: 'a new one' })
    await own.call('POST /api/auth/login', login(email, 'a new one'))
    await other.call('POST /api/auth/login', login(email, 'a new one'))
    expect(await emailsOf(it, id, 'new_device')).toHaveLength(2)
  })

  test('is still announced in another kind of browser with a copied device cookie', async () => {
    const it = world()
    const own = openBrowser(it)
    const email = 'meg@example.com'
    const id = await signUpIn(own, email)
    await own.call('POST /api/auth/login', login(email), { headers: { 'user-agent': SAFARI } })
    expect(await emailsOf(it, id, 'new_device')).toHaveLength(1)
  })
})

describe('failed sign-ins by a stranger', () => {
  test('do not lock out a device that has signed in before, because it has its own count', async () => {
    const it = await openWorld()
    const [own, stranger] = [openBrowser(it), openBrowser(it, SAFARI)]
    const email = 'ned@example.com'
    await signUpIn(own, email)
    await own.call('GET /api/logout')
    const guess = (browser: Browser) => browser.call('POST /api/auth/login', login(email, 'a guess'))
    for (let tries = 0; tries < 10; tries++) expect((await guess(stranger)).statusCode).toBe(401)
    expect((await guess(stranger)).statusCode).toBe(429)
    // The right password is refused too, and signing up elsewhere does not help.
    expect((await stranger.call('POST /api/auth/login', login(email))).statusCode).toBe(429)
    await signUpIn(stranger, 'oda@example.com')
    expect((await stranger.call('POST /api/auth/login', login(email))).statusCode).toBe(429)

    expect((await own.call('POST /api/auth/login', login(email))).statusCode).toBe(200)
    // The owner's sign-in does not give the stranger new attempts.
    expect((await guess(stranger)).statusCode).toBe(429)
    for (let tries = 0; tries < 10; tries++) expect((await guess(own)).statusCode).toBe(401)
    expect((await guess(own)).statusCode).toBe(429)
  })
})

test('undoing a change waits for a concurrent change of the account', async () => {
  const it = world()
  const pia = await it.signUp('Pia')
  const { undo } = await changeEmail(it, pia, 'thief-6@example.com')
  const change: [string, ...unknown[]] = [
    "update users set email = 'thief-7@example.com' where id = $1",
    pia.id,
  ]
  const undone = await actDuringChange(it.sql, change, () => undoLink(it, undo))
  expect(undone.statusCode).toBe(200)
  expect((await userOf(it, pia.id)).email).toBe(pia.email)
})
