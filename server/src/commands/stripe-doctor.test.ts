import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type SandboxOptions, startSandbox } from '@sought/sandbox/sandbox'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createDatabase, openDatabase } from '../testing/world.ts'
import { runDoctor } from './run-doctor.ts'

const SECRET_KEY = 'sk_test_of_the_doctor'
const WEBHOOK_URL = 'https://sought.example/api/stripe/webhook'

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
  return {
    stop,
    run: (env: Env = {}, ...args: string[]) => run({ ...deployment, ...env }, args),
    async stripe<Body>(method: string, path: string, form: Env = {}): Promise<Body> {
      const headers = {
        authorization: `Bearer ${SECRET_KEY}`,
        'content-type': 'application/x-www-form-urlencoded',
      }
      const body = method === 'GET' ? null : new URLSearchParams(form)
      return (await fetch(url + path, { method, headers, body })).json() as Promise<Body>
    },
  }
}

async function run(environment: Env, options: string[] = []) {
  const lines: string[] = []
  const code = await runDoctor(environment, options, (line) => lines.push(line))
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

test('--fix creates both endpoints and sets the schedule, and all checks pass once their secrets are configured', async () => {
  const { run, stripe } = await openClinic()
  const before = await run()
  expect(before.code).toBe(1)
  expect(wrong(before.lines)).toEqual([
    'Payout schedule',
    'Webhook endpoint for events of connected accounts',
    'Webhook endpoint for events of your account',
    'Webhook secrets',
  ])

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
  const endpoints = [
    'Webhook endpoint for events of connected accounts',
    'Webhook endpoint for events of your account',
  ]
  expect(wrong((await run({ STRIPE_WEBHOOK_SECRET })).lines)).toEqual(endpoints)
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
  ['another currency', { CURRENCY: 'myr' }, ['Currency']],
  ['another country', { PLATFORM_COUNTRY: 'GB' }, ['Countries']],
  ['a host that does not answer', { STRIPE_API_URL: 'http://127.0.0.1:9' }, ['Secret key']],
])('%s is reported', async (_, env, expected) => {
  const { code, lines } = await examine(env)
  expect(wrong(lines), lines.join('\n')).toEqual(expect.arrayContaining(expected))
  expect(code).toBe(1)
})

test('a currency that the account does not settle is reported, even before the first payment', async () => {
  const { run } = await openClinic({ platformCountry: 'DE' })
  const { lines } = await run({ PLATFORM_COUNTRY: 'DE' })
  expect(lines.find((line) => line.includes('Currency:'))).toMatch(
    /^WRONG +Currency: CURRENCY is usd, but your account settles eur\./,
  )
})

test('live keys need https, and without keys there is nothing to check', async () => {
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
