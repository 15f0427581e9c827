import type { Call } from '@sought/contract/call'
import { fillPath } from '@sought/contract/call'
import { calls } from '@sought/contract/calls'
import { expect, test } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { type Caller, openWorld, PASSWORD, shareWorld, type World } from '../../../testing/world.ts'
import { grantRole } from '../../identity/accounts/actions.ts'

/**
 * Calls allowed to everyone in every mode: signing in and out, and those that the sign-in page and the
 * settings need.
 */
const ALWAYS_ALLOWED = [
  'GET /api/config',
  'POST /api/browser-errors',
  'GET /api/auth/user',
  'POST /api/auth/login',
  'POST /api/auth/second-factor',
  'POST /api/auth/passkey/options',
  'POST /api/auth/passkey',
  'POST /api/auth/confirm',
  'GET /api/auth/google',
  'GET /api/auth/google/callback',
  'GET /api/login',
  'GET /api/logout',
  'PATCH /api/admin/settings',
  'PUT /api/admin/settings/logo',
  'DELETE /api/admin/settings/logo',
]

const nameOf = ({ method, path }: Call) => `${method} ${path}`
const declared = Object.values(calls).map(nameOf)
const guarded = declared.filter((name) => !ALWAYS_ALLOWED.includes(name))
const isWrite = (name: string) => !name.startsWith('GET ')

const shared = shareWorld({ RATE_LIMIT: 'off' })

/** An open market. */
async function openMarket() {
  const world = shared()
  const admin = await world.signUp('Root')
  await world.services.database.transact((tx) => grantRole(tx, admin.email, 'admin'))
  const setMode = async (mode: string) => {
    const reply = await admin.call('PATCH /api/admin/settings', { mode })
    expect(reply.statusCode).toBe(200)
  }
  await setMode('open')
  return { ...world, admin, setMode }
}

/** The refusal code of each call. Streams are left out because they never end. */
async function refusalsOf(call: Caller, names: string[]) {
  const codes: Record<string, string | null> = {}
  for (const name of names.filter((it) => it !== 'GET /api/events')) {
    const reply = await call(fillPath(name, new Proxy({}, { get: () => 1 })), isWrite(name) ? {} : undefined)
    codes[name] = reply.statusCode === 503 ? reply.json().code : null
  }
  return codes
}

const all = (names: string[], code: string | null) =>
  Object.fromEntries(names.filter((name) => name !== 'GET /api/events').map((name) => [name, code]))

test('exactly the calls that are allowed in every mode are declared as such', () => {
  const allowed = Object.values(calls).filter(({ allowedInEveryMode }) => allowedInEveryMode)
  expect(allowed.map(nameOf).sort()).toEqual(ALWAYS_ALLOWED.toSorted())
})

test('a read-only market answers every read and refuses every write, even from admins', async () => {
  const { visitor, admin, signUp, setMode } = await openMarket()
  const ada = await signUp('Ada')
  await setMode('read_only')
  const writes = guarded.filter(isWrite)
  expect(writes.length).toBeGreaterThan(80)
  for (const call of [visitor, ada.call, admin.call]) {
    expect(await refusalsOf(call, writes)).toEqual(all(writes, 'read_only'))
  }
  const reads = guarded.filter((name) => !isWrite(name))
  expect(await refusalsOf(ada.call, reads)).toEqual(all(reads, null))
  expect(await refusalsOf(visitor, ALWAYS_ALLOWED)).toEqual(all(ALWAYS_ALLOWED, null))
  const refused = await ada.call('POST /api/offers', {})
  expect(refused.headers['retry-after']).toBe('60')
})

test('in a read-only market people can sign in and out, and admins can open it again', async () => {
  const { visitor, admin, signUp, setMode } = await openMarket()
  const ada = await signUp('Ada')
  await setMode('read_only')
  const signIn = { email: ada.email, password: PASSWORD }
  expect((await visitor('POST /api/auth/login', signIn)).statusCode).toBe(200)
  expect((await ada.call('GET /api/logout')).statusCode).toBe(302)
  expect((await ada.call('GET /api/auth/user')).statusCode).toBe(401)
  expect((await admin.call('POST /api/auth/confirm', { password: PASSWORD })).statusCode).toBe(200)
  expect((await admin.call('PATCH /api/admin/settings', { holdDays: 6 })).statusCode).toBe(200)
  await setMode('open')
  expect((await admin.call('PUT /api/user/mail-settings', { off: [] })).statusCode).toBe(200)
})

test('during maintenance only admins can use the market', { tags: ['proof'] }, async () => {
  const { app, visitor, admin, signUp, services, setMode } = await openMarket()
  const ada = await signUp('Ada')
  const moderator = await signUp('Mo')
  await services.database.transact((tx) => grantRole(tx, moderator.email, 'moderator'))
  await setMode('maintenance')
  for (const call of [visitor, ada.call, moderator.call]) {
    expect(await refusalsOf(call, guarded)).toEqual(all(guarded, 'maintenance'))
  }
  const tried = guarded.filter((name) => name !== 'POST /api/user/delete-account')
  const refusals = await refusalsOf(admin.call, tried)
  expect(Object.values(refusals)).not.toContain('maintenance')
  expect(await refusalsOf(visitor, ALWAYS_ALLOWED)).toEqual(all(ALWAYS_ALLOWED, null))
  expect((await ada.call('GET /api/auth/user')).statusCode).toBe(200)
  for (const url of ['/healthz', '/readyz'])
    expect([url, (await app.inject(url)).statusCode]).toEqual([url, 200])
})

/**
 * All routes besides the calls. During maintenance, only admins can use the closed ones. Open are those that
 * show the maintenance page or monitor the server, and the sandbox, which replaces an external provider.
 */
const OTHER_ROUTES = {
  '/healthz': 'open',
  '/readyz': 'open',
  '/metrics': 'open',
  '/': 'page',
  '/*': 'open',
  '/site.webmanifest': 'open',
  '/offline.html': 'open',
  '/sandbox': 'open',
  '/sandbox*': 'open',
  '/api/docs': 'closed',
  '/api/docs/openapi.json': 'closed',
  '/api/stripe/webhook': 'closed',
  '/api/tracking/webhook': 'closed',
  '/api/mail/bounces/ses': 'closed',
  '/api/mail/bounces/postmark': 'closed',
  '/api/csp-reports': 'closed',
  '/dev/parcels/:trackingNumber': 'closed',
  '/files/:name': 'closed',
  '/robots.txt': 'closed',
  '/sitemap.xml': 'closed',
  '/sitemap/pages.xml': 'closed',
  '/sitemap/requests-:part.xml': 'closed',
  '/sitemap/people-:part.xml': 'closed',
  '/og/item/:name': 'closed',
} satisfies Record<string, 'open' | 'page' | 'closed'>

/** The routes that the server has registered, from the tree that Fastify prints. */
function registeredRoutes({ app }: Pick<World, 'app'>) {
  const parts: string[] = []
  const lines = app.printRoutes({ commonPrefix: false }).split('\n')
  return lines.flatMap((line) => {
    const [, indent, part, methods] = /^(.*)── (\S*)(?: \((.*)\))?$/.exec(line) ?? []
    if (indent === undefined || part === undefined) return []
    parts.splice((indent.length - 1) / 4, Number.POSITIVE_INFINITY, part)
    const path = parts.join('')
    const found = (methods ?? '').split(', ').filter((method) => method !== '' && method !== 'HEAD')
    return found.map((method) => ({ method, path }))
  })
}

test('during maintenance users are refused on every route except the listed open ones', async () => {
  const { admin, visitor, signUp, setMode, ...world } = await openMarket()
  const ada = await signUp('Ada')
  const others = registeredRoutes(world).filter(({ method, path }) => !declared.includes(`${method} ${path}`))
  expect(others.map(({ path }) => path)).toEqual(expect.arrayContaining(['/sitemap.xml', '/healthz']))
  const undecided = others.filter(({ path }) => !(path in OTHER_ROUTES))
  expect(undecided).toEqual([])
  await setMode('maintenance')
  const statusFor = async (call: Caller, name: string) => {
    const { statusCode, headers } = await call(name.replaceAll(/:\w+/g, '1'))
    if (statusCode === 503) expect([name, headers['retry-after']]).toEqual([name, '60'])
    return statusCode
  }
  for (const { method, path } of others) {
    const decision = OTHER_ROUTES[path as keyof typeof OTHER_ROUTES]
    if (path.startsWith('/sandbox')) continue
    const name = `${method} ${path.replace('*', 'sw.js')}`
    for (const call of [visitor, ada.call])
      expect([name, (await statusFor(call, name)) === 503]).toEqual([name, decision !== 'open'])
    expect([name, await statusFor(admin.call, name)]).not.toEqual([name, 503])
  }
  for (const name of ['POST /nowhere', 'GET /api/nowhere', 'GET /files/nothing.webp'])
    expect([name, await statusFor(visitor, name)]).toEqual([name, 503])
})

test('during maintenance the logo is still served, other pictures are not', async () => {
  const { admin, visitor, services, sql, setMode } = await openMarket()
  const name = await services.files.put(Buffer.from('picture'), 'webp')
  await sql.query(
    "insert into files (id, kind, owner_id, mime_type, size_bytes) values ($1, 'logo', $2, 'image/webp', 7)",
    [name, admin.id],
  )
  await setMode('maintenance')
  expect((await visitor(`GET /files/${name}`)).statusCode).toBe(200)
  await sql.query("update files set kind = 'avatar' where id = $1", [name])
  expect((await visitor(`GET /files/${name}`)).statusCode).toBe(503)
  expect((await admin.call(`GET /files/${name}`)).statusCode).toBe(200)
})

test('webhooks are refused until the market is open, so that they are sent again', async () => {
  const { app, setMode } = await openMarket()
  for (const [mode, status] of [
    ['read_only', 503],
    ['maintenance', 503],
    ['open', 400],
  ] as const) {
    await setMode(mode)
    for (const url of ['/api/stripe/webhook', '/api/tracking/webhook']) {
      const reply = await app.inject({ method: 'POST', url, payload: {} })
      expect([mode, url, reply.statusCode]).toEqual([mode, url, status])
    }
  }
})

test('a change of the mode takes effect in other processes', { tags: ['proof'] }, async () => {
  const { setMode, services } = await openMarket()
  const { databaseDirectUrl: DATABASE_URL = '' } = services.config
  const other = await openWorld({ DATABASE_URL, RATE_LIMIT: 'off' })
  const statusOfWrite = async () => (await other.visitor('POST /api/auth/forgot-password', {})).statusCode
  expect(await statusOfWrite()).toBe(422)
  await setMode('read_only')
  await eventually(async () => expect(await statusOfWrite()).toBe(503))
  await setMode('open')
  await eventually(async () => expect(await statusOfWrite()).toBe(422))
})
