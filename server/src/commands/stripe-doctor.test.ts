import { spawn } from 'node:child_process'
import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { listenOnLoopback } from '@sought/sandbox/listen'
import { type SandboxOptions, startSandbox } from '@sought/sandbox/sandbox'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createDatabase, openDatabase } from '../testing/world.ts'
import { runStripeDoctor } from './run-stripe-doctor.ts'

const SECRET_KEY = 'sk_test_of_the_doctor'
const WEBHOOK_URL = 'https://sought.example/api/stripe/webhook'
const ENDPOINTS = [
  'Webhook endpoint for events of connected accounts',
  'Webhook endpoint for events of your account',
]

type Env = Record<string, string>

/** A new Stripe account, and the doctor that examines it. */
async function openClinic(options: Partial<SandboxOptions> = {}) {
  const { stop, ...clinic } = await createClinic(await openDatabase(), options)
  onTestFinished(stop)
  return clinic
}

/** One account for tests that do not change it. */
function shareClinic() {
  let clinic: Awaited<ReturnType<typeof createClinic>> | undefined
  let database: Awaited<ReturnType<typeof createDatabase>> | undefined
  beforeAll(async () => {
    database = await createDatabase()
    clinic = await createClinic(database.url)
  })
  afterAll(async () => {
    await clinic?.stop()
    await database?.drop()
  })
  return (env: Env) => {
    if (!clinic) throw new Error('the clinic exists only while tests run')
    return clinic.run(env)
  }
}

async function createClinic(databaseUrl: string, options: Partial<SandboxOptions> = {}) {
  const { url, stop } = await startSandbox({
    databaseUrl,
    port: 0,
    publicUrl: 'http://localhost:3000/sandbox',
    secretKey: SECRET_KEY,
    publishableKey: 'pk_test_of_the_doctor',
    webhook: null,
    dashboard: false,
    payoutSchedule: 'daily',
    ...options,
  })
  const deployment = {
    PUBLIC_URL: 'https://sought.example',
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_of_the_doctor',
    STRIPE_API_URL: url,
  }
  async function stripe<Body>(method: string, path: string, form: Env = {}): Promise<Body> {
    const headers = {
      authorization: `Bearer ${SECRET_KEY}`,
      'content-type': 'application/x-www-form-urlencoded',
    }
    const body = method === 'GET' ? null : new URLSearchParams(form)
    return (await fetch(url + path, { method, headers, body })).json() as Promise<Body>
  }
  return {
    stop,
    stripe,
    stripeUrl: url,
    run: (env: Env = {}, ...args: string[]) => run({ ...deployment, ...env }, args),
    /** One of each kind, by default in order. Returns their ids. */
    async addEndpoints(form: Env) {
      const add = async (connect: string) => {
        const all = { url: WEBHOOK_URL, connect, 'enabled_events[0]': '*', ...form }
        return (await stripe<{ id: string }>('POST', '/v1/webhook_endpoints', all)).id
      }
      return [await add('false'), await add('true')]
    },
  }
}

async function serve(handle: RequestListener): Promise<string> {
  const { url, close } = await listenOnLoopback(handle, 0)
  onTestFinished(close)
  return url
}

async function run(environment: Env, options: string[] = []) {
  const lines: string[] = []
  const code = await runStripeDoctor(environment, options, (line) => lines.push(line))
  return { code, lines }
}

async function runCommand(env: Env) {
  const command = fileURLToPath(new URL('./stripe-doctor.ts', import.meta.url))
  const child = spawn(process.execPath, [command], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [output, code] = await Promise.all([text(child.stdout), exited])
  return { code, lines: output.trim().split('\n') }
}

const wrong = (lines: string[]) =>
  lines.flatMap((line) => /^WRONG +([^:]+):/.exec(line)?.[1] ?? []).toSorted()
const warned = (lines: string[]) =>
  lines.flatMap((line) => /^WARN +([^:]+):/.exec(line)?.[1] ?? []).toSorted()
const lineAbout = (lines: string[], what: string) => lines.find((line) => line.includes(` ${what}:`)) ?? ''

test('--fix creates both endpoints and sets the schedule, and all checks pass once their secrets are configured', async () => {
  const { run, stripe } = await openClinic()
  const before = await run()
  expect(before.code).toBe(1)
  expect(wrong(before.lines)).toEqual(['Payout schedule', ...ENDPOINTS, 'Webhook secrets'])

  const fixed = await run({}, '--fix')
  expect(wrong(fixed.lines), fixed.lines.join('\n')).toEqual(['Webhook secrets'])
  expect(fixed.code).toBe(1)
  const secrets = fixed.lines.find((line) => line.startsWith('whsec_')) ?? ''
  expect(secrets.split(',')).toHaveLength(2)
  const settings = await stripe<{ payments: object }>('GET', '/v1/balance_settings')
  expect(settings.payments).toMatchObject({ payouts: { schedule: { interval: 'manual' } } })

  const after = await run({ STRIPE_WEBHOOK_SECRET: secrets })
  expect(wrong(after.lines), after.lines.join('\n')).toEqual([])
  expect([after.code, after.lines.at(-1)]).toEqual([0, 'Everything is in order.'])
  const again = await run({ STRIPE_WEBHOOK_SECRET: secrets }, '--fix')
  expect([again.code, again.lines]).toEqual([0, after.lines])

  const [first = ''] = secrets.split(',')
  expect(wrong((await run({ STRIPE_WEBHOOK_SECRET: first })).lines)).toEqual(['Webhook secrets'])
  const wrongOnes = `${first},whsec_of_somebody_else`
  expect(wrong((await run({ STRIPE_WEBHOOK_SECRET: wrongOnes })).lines)).toEqual(['Webhook secrets'])
})

test.each<[string, Env, string[]]>([
  ['an old version', { api_version: '2020-08-27' }, ['API version']],
  ['another version of our release', { api_version: '2026-09-30.endive' }, []],
  ['the version of the account', {}, []],
  ['one event', { 'enabled_events[0]': 'payment_intent.succeeded' }, ENDPOINTS],
])('endpoints with %s', async (_, form, expected) => {
  const { run, addEndpoints } = await openClinic({ payoutSchedule: 'manual' })
  await addEndpoints(form)
  expect(wrong((await run({ STRIPE_WEBHOOK_SECRET: 'whsec_a,whsec_b' })).lines)).toEqual(expected)
})

test('disabled endpoints are reported, unless others replace them', async () => {
  const { run, stripe, addEndpoints } = await openClinic({ payoutSchedule: 'manual' })
  for (const id of await addEndpoints({ api_version: '2020-08-27' }))
    await stripe('POST', `/v1/webhook_endpoints/${id}`, { disabled: 'true' })
  const secrets = { STRIPE_WEBHOOK_SECRET: 'whsec_a,whsec_b,whsec_c,whsec_d' }
  expect(wrong((await run(secrets)).lines)).toEqual(ENDPOINTS)
  await addEndpoints({})
  expect(wrong((await run(secrets)).lines)).toEqual([])
})

test('negative balances that Stripe takes from ours are reported and repaired', async () => {
  const { run, stripe } = await openClinic({ payoutSchedule: 'manual' })
  const undebited = { 'settings[payouts][debit_negative_balances]': 'false' }
  const { id } = await stripe<{ id: string }>('POST', '/v1/accounts', { type: 'express', ...undebited })
  await stripe('POST', '/v1/balance_settings', { 'payments[debit_negative_balances]': 'false' })
  const { lines } = await run()
  expect(lineAbout(lines, 'Negative balances')).toMatch(/^WRONG/)
  expect(lineAbout(lines, 'Negative balances')).toContain(`those of your account, ${id} from`)
  expect(warned(lines)).not.toContain('Platform profile')
  const fixed = await run({}, '--fix')
  expect(fixed.lines).toContain(`Let Stripe debit negative balances of ${id}.`)
  expect(wrong(fixed.lines)).not.toContain('Negative balances')
})

test('methods of the market that the account lacks are reported', async () => {
  const DATABASE_URL = await openDatabase()
  const sql = new pg.Client(DATABASE_URL)
  await sql.connect()
  onTestFinished(() => sql.end())
  await sql.query('insert into market_settings (settings) values ($1)', [
    { paymentMethods: ['card', 'klarna'] },
  ])
  const { run, stripe } = await openClinic()
  expect(lineAbout((await run({ DATABASE_URL })).lines, 'Payment methods')).toMatch(/^ok .*card, klarna/)
  const { data } = await stripe<{ data: { id: string }[] }>('GET', '/v1/payment_method_configurations')
  await stripe('POST', `/v1/payment_method_configurations/${data[0]?.id}`, {
    'klarna[display_preference][preference]': 'off',
  })
  expect(lineAbout((await run({ DATABASE_URL })).lines, 'Payment methods')).toMatch(
    /^WRONG.*the market offers klarna, but your account does not\./,
  )
  expect(lineAbout((await run()).lines, 'Payment methods')).toMatch(/^ok .*card, link/)
})

test('each currency of the market is checked', async () => {
  const DATABASE_URL = await openDatabase()
  const sql = new pg.Client(DATABASE_URL)
  await sql.connect()
  onTestFinished(() => sql.end())
  const settings = { currencies: ['eur', 'jpy', 'kwd'], paymentMethods: ['card', 'ideal'] }
  await sql.query('insert into market_settings (settings) values ($1)', [settings])
  const { run, stripe, stripeUrl } = await openClinic({ platformCountry: 'DE' })
  const about = (lines: string[], what: string) => lines.filter((line) => line.includes(` ${what}:`))
  const env = { DATABASE_URL, PLATFORM_COUNTRY: 'DE' }
  const { lines } = await run(env)
  expect(about(lines, 'Currencies')).toEqual([
    'ok     Currencies: your account settles eur',
    expect.stringMatching(
      /^WARN {3}Currencies: the market takes jpy, kwd, but your account settles eur: Stripe converts/,
    ),
  ])
  expect(about(lines, 'Payment methods')).toEqual([
    'ok     Payment methods: in eur, card, ideal are available',
    'ok     Payment methods: in jpy, card are available',
    'ok     Payment methods: in kwd, card are available',
  ])

  // An account elsewhere may not charge in all of them.
  const STRIPE_API_URL = await serve(async ({ method = 'GET', url = '', headers }, response) => {
    const authorization = String(headers.authorization)
    const reply = await fetch(stripeUrl + url, { method, headers: { authorization } })
    response.writeHead(reply.status).end((await reply.text()).replace('"kwd",', ''))
  })
  const elsewhere = await run({ ...env, STRIPE_API_URL })
  expect(about(elsewhere.lines, 'Currencies').slice(1)).toEqual([
    expect.stringMatching(/^WARN {3}Currencies: the market takes jpy, but/),
    'WRONG  Currencies: accounts in DE cannot charge in kwd. Remove these currencies in /admin/settings.',
  ])

  const { data } = await stripe<{ data: { id: string }[] }>('GET', '/v1/payment_method_configurations')
  await stripe('POST', `/v1/payment_method_configurations/${data[0]?.id}`, {
    'ideal[display_preference][preference]': 'off',
  })
  const [eur, ...others] = about((await run(env)).lines, 'Payment methods')
  expect(eur).toMatch(
    /^WRONG {2}Payment methods: in eur, the market offers ideal, but your account does not\./,
  )
  expect(others.map((line) => line.slice(0, 2))).toEqual(['ok', 'ok'])
})

test('what the API does not show is a warning, which does not fail the checks', async () => {
  const { run, addEndpoints } = await openClinic({ payoutSchedule: 'manual' })
  await addEndpoints({})
  const { code, lines } = await run({ STRIPE_WEBHOOK_SECRET: 'whsec_a,whsec_b' })
  expect([code, warned(lines)]).toEqual([0, ['Content security policy', 'Platform profile']])
})

test('the permissions that a restricted key lacks are named', async () => {
  const { run, stripeUrl } = await openClinic({ secretKey: 'rk_test_of_the_doctor' })
  const lacking: Record<string, string> = {
    '/v1/refunds/re_0': 'rak_refund_write',
    '/v1/events': 'rak_event_read',
    '/v1/webhook_endpoints': 'rak_webhook_read',
  }
  const STRIPE_API_URL = await serve(async ({ method = 'GET', url = '', headers }, response) => {
    const permission = lacking[url.split('?', 1)[0] ?? '']
    if (permission) {
      const message = `The provided key 'rk_test_***' does not have the required permissions for this endpoint on account 'acct_1'. Having the '${permission}' permission would allow this request to continue.`
      response.writeHead(403).end(JSON.stringify({ error: { type: 'invalid_request_error', message } }))
    } else {
      const reply = await fetch(stripeUrl + url, {
        method,
        headers: { authorization: String(headers.authorization) },
      })
      response.writeHead(reply.status).end(await reply.text())
    }
  })
  const { lines } = await run({ STRIPE_SECRET_KEY: 'rk_test_of_the_doctor', STRIPE_API_URL })
  expect(lineAbout(lines, 'Permissions')).toMatch(/lacks rak_refund_write, rak_event_read\./)
  expect(lineAbout(lines, 'Webhook endpoints')).toMatch(/^WRONG.*lacks the permission rak_webhook_read\./)
})

const STRIPE_POLICY =
  "default-src 'self'; script-src https://*.stripe.com https://maps.googleapis.com; connect-src https:; frame-src *"

test.each<[string, string, string[]]>([
  ['allows the payment form', `${STRIPE_POLICY}; img-src https://*.link.com`, []],
  ['blocks the pictures of Link', STRIPE_POLICY, ['img-src https://*.link.com']],
  [
    'is followed by the policy of a proxy',
    `${STRIPE_POLICY}; img-src https://*.link.com, frame-src https://*.stripe.com`,
    ['frame-src https://link.com', 'frame-src https://*.link.com'],
  ],
])('a content security policy that %s', async (_, policy, blocked) => {
  const PUBLIC_URL = await serve((_request, response) => {
    response.setHeader('content-security-policy', policy).end()
  })
  const line = lineAbout((await examine({ PUBLIC_URL })).lines, 'Content security policy')
  if (blocked.length === 0) expect(line).toMatch(/^ok /)
  else expect(line).toContain(`payment form: ${blocked.join(', ')}. Restart`)
})

test('endpoints that were created by hand are completed, and each needs a secret', async () => {
  const { run, stripe } = await openClinic({ payoutSchedule: 'manual' })
  const given = async (connect: boolean, event: string) =>
    stripe<{ id: string }>('POST', '/v1/webhook_endpoints', {
      url: WEBHOOK_URL,
      connect: String(connect),
      'enabled_events[0]': event,
    })
  const platform = await given(false, 'payment_intent.succeeded')
  const connect = await given(true, 'account.updated')
  await stripe('POST', `/v1/webhook_endpoints/${connect.id}`, { disabled: 'true' })
  const STRIPE_WEBHOOK_SECRET = 'whsec_a,whsec_b'
  expect(wrong((await run({ STRIPE_WEBHOOK_SECRET })).lines)).toEqual(ENDPOINTS)
  const fixed = await run({ STRIPE_WEBHOOK_SECRET }, '--fix')
  expect([fixed.code, wrong(fixed.lines)]).toEqual([0, []])
  expect(fixed.lines).toContain(`Updated ${platform.id}.`)
  expect(fixed.lines.join('\n')).toContain('Stripe does not show whether they match')
  expect(wrong((await run({ STRIPE_WEBHOOK_SECRET: 'whsec_a' })).lines)).toEqual(['Webhook secrets'])
})

const examine = shareClinic()

test.each<[string, Env, string[]]>([
  ['a wrong key', { STRIPE_SECRET_KEY: 'sk_test_of_nobody' }, ['Secret key']],
  ['a test key next to a live key', { STRIPE_PUBLISHABLE_KEY: 'pk_live_of_the_doctor' }, ['Mode']],
  ['swapped keys', { STRIPE_PUBLISHABLE_KEY: SECRET_KEY }, ['Mode']],
  [
    'keys of two accounts',
    {
      STRIPE_PUBLISHABLE_KEY: `pk_test_51${'b'.repeat(60)}`,
      STRIPE_SECRET_KEY: `sk_test_51${'a'.repeat(60)}`,
    },
    ['Mode'],
  ],
  ['another country', { PLATFORM_COUNTRY: 'GB' }, ['Countries']],
  ['a host that does not answer', { STRIPE_API_URL: 'http://127.0.0.1:9' }, ['Secret key']],
])('%s is reported', async (_, env, expected) => {
  const { code, lines } = await examine(env)
  expect(wrong(lines), lines.join('\n')).toEqual(expect.arrayContaining(expected))
  expect(code).toBe(1)
})

test('Stripe converts a currency that the account does not settle, which is only a warning', async () => {
  const { run } = await openClinic({ platformCountry: 'DE' })
  const { lines } = await run({ PLATFORM_COUNTRY: 'DE' })
  expect(lineAbout(lines, 'Currencies')).toMatch(
    /^WARN +Currencies: the market takes usd, but your account settles eur: Stripe converts each payment, for a fee,/,
  )
})

test('live keys need https, and without keys there is nothing to check', { tags: ['proof'] }, async () => {
  const keys = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }
  const live = await run({
    ...keys,
    PUBLIC_URL: 'http://sought.example',
    STRIPE_API_URL: 'http://127.0.0.1:9',
  })
  expect(live.lines[0]).toMatch(/^WRONG +Mode: live keys need a PUBLIC_URL with https\./)
  const none = await run({})
  expect(none).toEqual({
    code: 1,
    lines: ['Stripe is not configured. Set STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY.'],
  })
  const half = await runCommand({ STRIPE_SECRET_KEY: 'sk_test_1' })
  expect(half).toEqual({ code: 1, lines: ['STRIPE_PUBLISHABLE_KEY is required if STRIPE_SECRET_KEY is set'] })
})
