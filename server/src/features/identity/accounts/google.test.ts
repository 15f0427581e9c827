import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { interactionPolicy } from 'oidc-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  cookieOf,
  leaveEmailsUnverified,
  openWorld,
  PASSWORD,
  type Person,
  shareWorld,
  type World,
} from '../../../testing/world.ts'

leaveEmailsUnverified()

/*
 * oidc-provider, a real OpenID provider, replaces Google. A handler answers its sign-in and consent pages for the
 * account under test.
 */

interface GoogleAccount {
  sub: string
  email: string
  email_verified: boolean
  given_name?: string
  family_name?: string
}

const PUBLIC_URL = 'http://localhost:3000'
const client = { GOOGLE_CLIENT_ID: 'sought', GOOGLE_CLIENT_SECRET: 'the client secret' }

/** Like Google, lets a site ask the user to choose an account. */
function policyWithAccountChooser() {
  const policy = interactionPolicy.base()
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)
  return policy
}

/** The account that the user chooses at Google. */
const account: GoogleAccount = { sub: '', email: '', email_verified: false }

async function openGoogle(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.GOOGLE_CLIENT_ID,
        client_secret: client.GOOGLE_CLIENT_SECRET,
        redirect_uris: [`${PUBLIC_URL}/api/auth/google/callback`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    // Like Google, put the email and the name into the ID token.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}`, policy: policyWithAccountChooser() },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...account }) }),
    cookies: { keys: ['a key for the test'] },
  })
  const answer = provider.callback()
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response)
    const { params, session } = await provider.interactionDetails(request, response)
    if (!session) {
      const login = { accountId: account.sub }
      return provider.interactionFinished(request, response, { login, select_account: {} })
    }
    const grant = new provider.Grant({ accountId: account.sub, clientId: String(params.client_id) })
    grant.addOIDCScope('openid email profile')
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  })
  return issuer
}

/** Follows the provider's redirects, with its cookies, until it redirects to us. */
async function visitGoogle(address: string): Promise<string> {
  const cookies = new Map<string, string>()
  let next = address
  for (let hops = 0; hops < 10; hops++) {
    if (next.startsWith(PUBLIC_URL)) return next.slice(PUBLIC_URL.length)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    next = new URL(response.headers.get('location') ?? '', next).href
  }
  throw new Error('Google kept redirecting')
}

/** Runs the whole sign-in and returns our reply to the callback. */
async function signInWithGoogle(
  { visitor }: World,
  { returnTo = '/messages', change = (cookie: string) => cookie } = {},
) {
  const begun = await visitor(`GET /api/auth/google?returnTo=${encodeURIComponent(returnTo)}`)
  const attempt = begun.cookies.find(({ name }) => name === 'google')
  const back = await visitGoogle(String(begun.headers.location))
  const headers = { cookie: `google=${encodeURIComponent(change(attempt?.value ?? ''))}` }
  return visitor(`GET ${back}`, undefined, { headers })
}

/**
 * Confirms the identity of a signed-in user. Returns where the browser is redirected, and the request to
 * Google.
 */
async function confirmWithGoogle({ visitor }: World, session: string) {
  const begun = await visitor('GET /api/auth/google?confirm=true', undefined, {
    headers: { cookie: session },
  })
  const attempt = begun.cookies.find(({ name }) => name === 'google')?.value ?? ''
  const asked = new URL(String(begun.headers.location))
  const back = await visitGoogle(asked.href)
  const headers = { cookie: `${session}; google=${encodeURIComponent(attempt)}` }
  const reply = await visitor(`GET ${back}`, undefined, { headers })
  return { location: reply.headers.location, asked }
}

let issuer = ''
const server = createServer()
beforeAll(async () => {
  issuer = await openGoogle(server)
})
afterAll(() => void server.close())

const shared = shareWorld({
  ...client,
  get GOOGLE_ISSUER() {
    return issuer
  },
  PUBLIC_URL,
})

/** The shared world, open and without users, where everybody chooses this account at Google. */
async function openWorldWith(chosen: GoogleAccount): Promise<World> {
  Object.assign(account, chosen)
  // Without triggers, because nobody may change the audit log and the settings of the past.
  await shared().sql.query(`
    set local session_replication_role = replica;
    delete from users; delete from sessions; delete from rate_limits; delete from mails;
    delete from audit_log; delete from market_settings`)
  shared().services.market.forget()
  return shared()
}

/** Creates an account with a password and the address of the Google account. */
async function signUpGrace(world: World): Promise<Person> {
  const person = await world.signUp('Grace')
  const email = grace.email.toLowerCase()
  await world.sql.query('update users set email = $1 where id = $2', [email, person.id])
  return { ...person, email }
}

const grace = {
  sub: 'g-1',
  email: 'Grace@Example.com',
  email_verified: true,
  given_name: 'Grace',
  family_name: 'Hopper',
}

test('the first sign-in creates an account and returns to the requested page', async () => {
  const world = await openWorldWith(grace)
  const reply = await signInWithGoogle(world)
  expect(reply.headers.location).toBe('/messages')
  const user = await world.visitor('GET /api/auth/user', undefined, { headers: { cookie: cookieOf(reply) } })
  expect(user.json()).toMatchObject({ name: 'Grace Hopper', email: 'grace@example.com', provider: 'google' })
})

test('new accounts are created only in an open market, and existing ones can sign in in every mode', async () => {
  const world = await openWorldWith(grace)
  const setMode = async (mode: string) => {
    await world.sql.query('insert into market_settings (settings) values ($1)', [JSON.stringify({ mode })])
    world.services.market.forget()
  }
  for (const mode of ['read_only', 'maintenance']) {
    await setMode(mode)
    expect((await signInWithGoogle(world)).headers.location).toBe(`/auth?error=${mode}`)
  }
  expect((await world.sql.query('select 1 from users')).rowCount).toBe(0)
  await setMode('open')
  expect((await signInWithGoogle(world)).headers.location).toBe('/messages')
  await setMode('read_only')
  expect((await signInWithGoogle(world)).headers.location).toBe('/messages')
})

test('the second sign-in uses the same account', async () => {
  const world = await openWorldWith(grace)
  await signInWithGoogle(world)
  expect((await signInWithGoogle(world)).headers.location).toBe('/messages')
  expect((await world.sql.query('select 1 from users')).rowCount).toBe(1)
})

test('an account created with Google cannot sign in with a password', async () => {
  const world = await openWorldWith(grace)
  await signInWithGoogle(world)
  // The second password is the one behind the dummy hash.
  for (const password of [PASSWORD, 'no account has this password']) {
    const reply = await world.visitor('POST /api/auth/login', { email: grace.email, password })
    expect(reply.statusCode, password).toBe(401)
  }
})

test('the first sign-in links the account with the same address and removes unverified access', async () => {
  const world = await openWorldWith(grace)
  // Somebody else created an account with Grace's address in advance and is signed in to it.
  const squatter = await signUpGrace(world)
  const reply = await signInWithGoogle(world)
  const user = await world.visitor('GET /api/auth/user', undefined, { headers: { cookie: cookieOf(reply) } })
  expect(user.json().id).toBe(squatter.id)
  expect((await squatter.call('GET /api/auth/user')).statusCode).toBe(401)
  const password = await world.visitor('POST /api/auth/login', { email: squatter.email, password: PASSWORD })
  expect(password.statusCode).toBe(401)
})

test('linking an account with a verified address keeps its password', async () => {
  const world = await openWorldWith(grace)
  const { email, call } = await signUpGrace(world)
  await world.sql.query('update users set email_verified_at = now()')
  await signInWithGoogle(world)
  expect((await call('GET /api/auth/user')).statusCode).toBe(200)
  expect((await world.visitor('POST /api/auth/login', { email, password: PASSWORD })).statusCode).toBe(200)
})

test('an address that Google has not verified neither links nor creates an account', async () => {
  const world = await openWorldWith({ ...grace, email_verified: false })
  const { call } = await signUpGrace(world)
  const reply = await signInWithGoogle(world)
  expect(reply.headers.location).toBe('/auth?error=google_unverified')
  expect(cookieOf(reply)).toBe('')
  expect((await call('GET /api/auth/user')).statusCode).toBe(200)
  expect((await world.sql.query('select provider_id from users')).rows).toEqual([{ provider_id: null }])
})

test('a callback is refused in a browser that did not start the sign-in', async () => {
  const world = await openWorldWith(grace)
  const begun = await world.visitor('GET /api/auth/google')
  const back = await visitGoogle(String(begun.headers.location))
  const withoutCookie = await world.visitor(`GET ${back}`)
  expect(withoutCookie.headers.location).toBe('/auth?error=google_failed')
  const other = await world.visitor('GET /api/auth/google')
  const otherAttempt = encodeURIComponent(other.cookies.find(({ name }) => name === 'google')?.value ?? '')
  const withAnother = await world.visitor(`GET ${back}`, undefined, {
    headers: { cookie: `google=${otherAttempt}` },
  })
  expect(withAnother.headers.location).toBe('/auth?error=google_failed')
  expect((await world.sql.query('select 1 from users')).rowCount).toBe(0)
})

test.each(['state', 'nonce', 'verifier'])('a callback with a wrong %s is refused', async (secret) => {
  const world = await openWorldWith(grace)
  const { app } = world
  const reply = await signInWithGoogle(world, {
    change: (cookie) => {
      const attempt = JSON.parse(app.unsignCookie(cookie).value ?? '')
      return app.signCookie(JSON.stringify({ ...attempt, [secret]: 'x'.repeat(43) }))
    },
  })
  expect(reply.headers.location).toBe('/auth?error=google_failed')
  expect((await signInWithGoogle(world)).headers.location).toBe('/messages')
})

test('an attempt cookie without our signature is ignored', async () => {
  const world = await openWorldWith(grace)
  const reply = await signInWithGoogle(world, { change: (cookie) => cookie.replace(/[^.]{9}$/, 'forgotten') })
  expect(reply.headers.location).toBe('/auth?error=google_failed')
  expect((await world.sql.query('select 1 from users')).rowCount).toBe(0)
})

test('the authorization URL contains PKCE, a state and a nonce', async () => {
  const world = await openWorldWith(grace)
  const begun = await world.visitor('GET /api/auth/google')
  const address = new URL(String(begun.headers.location))
  expect(address.searchParams.get('response_type')).toBe('code')
  expect(address.searchParams.get('code_challenge_method')).toBe('S256')
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(address.searchParams.get(name)?.length).toBeGreaterThanOrEqual(32)
  }
  expect(begun.cookies[0]).toMatchObject({ httpOnly: true, sameSite: 'Lax', maxAge: 600 })
})

test('without configuration, the sign-in redirects back with an error', async () => {
  const { visitor } = await openWorld()
  expect((await visitor('GET /api/auth/google')).headers.location).toBe('/auth?error=google_unavailable')
  expect((await visitor('GET /api/config')).json().googleSignIn).toBe(false)
})

test('if Google does not respond, the sign-in redirects back with an error', async () => {
  const { visitor } = await openWorld({ ...client, GOOGLE_ISSUER: 'http://127.0.0.1:9' })
  expect((await visitor('GET /api/auth/google')).headers.location).toBe('/auth?error=google_failed')
})

test('the return path cannot point to another site', async () => {
  const world = await openWorldWith(grace)
  const reply = await world.visitor('GET /api/auth/google?returnTo=https://evil.example')
  expect(reply.statusCode).toBe(422)
})

test('users without a password confirm their identity with a new sign-in at Google', async () => {
  const world = await openWorldWith(grace)
  const session = cookieOf(await signInWithGoogle(world))
  const exportData = () => world.visitor('GET /api/user/data', undefined, { headers: { cookie: session } })
  expect((await exportData()).statusCode).toBe(200)
  world.advanceClock(10 * 60_000)
  expect((await exportData()).json().code).toBe('confirm_identity')
  const guess = await world.visitor(
    'POST /api/auth/confirm',
    { password: '' },
    { headers: { cookie: session } },
  )
  expect(guess.json().code).toBe('no_password')

  // A different Google account confirms nothing and does not change who is signed in.
  Object.assign(account, { sub: 'g-2', email: 'thief@example.com' })
  expect((await confirmWithGoogle(world, session)).location).toBe('/auth?confirmed=false')
  expect((await exportData()).json().code).toBe('confirm_identity')
  expect((await world.sql.query('select from users')).rowCount).toBe(1)

  Object.assign(account, grace)
  const { location, asked } = await confirmWithGoogle(world, session)
  expect(location).toBe('/auth?confirmed=true')
  // Google asks again, even if the browser is signed in there.
  expect(asked.searchParams.get('prompt')).toBe('select_account')
  expect((await exportData()).statusCode).toBe(200)
  const { rows } = await world.sql.query("select actor_id from audit_log where action = 'identity_confirmed'")
  expect(rows).toHaveLength(1)

  // Without a session there is nothing to confirm, and nobody is signed in.
  expect((await confirmWithGoogle(world, 'sid=none')).location).toBe('/auth?confirmed=false')
})
