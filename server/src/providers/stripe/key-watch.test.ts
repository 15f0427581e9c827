import { listenOnLoopback } from '@sought/sandbox/listen'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { METRICS_ACCESS, shareWorld } from '../../testing/world.ts'
import { watchKeys } from './key-watch.ts'
import { findKeyProblem } from './keys.ts'

/** Stands in for Stripe, and answers each request about our account with its status. */
async function standIn(status: number) {
  const { url, close } = await listenOnLoopback((_, response) => {
    const error = { type: 'invalid_request_error', message: '' }
    response
      .writeHead(stripe.status)
      .end(JSON.stringify(stripe.status === 200 ? { id: 'acct_1' } : { error }))
  }, 0)
  onTestFinished(close)
  const stripe = { url, status }
  return stripe
}

const order = { itemId: 1, offerId: 1, amount: 100 }
const keys = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1' }
const world = shareWorld({
  STRIPE_SECRET_KEY: keys.secretKey,
  STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
})

/** The server with a watch that has its first answer. */
async function startWatch(apiUrl: string, changes: Partial<typeof keys> = {}) {
  const logged: string[] = []
  const note = (...args: unknown[]) => void logged.push(String(args.at(-1)))
  const watch = watchKeys({
    ask: () => findKeyProblem({ ...keys, apiUrl, ...changes }),
    log: { error: note, warn: note, info: note },
    firstPauseMs: 20,
    acceptedPauseMs: 20,
  })
  onTestFinished(watch.stop)
  const { services, visitor, signUp } = world()
  Object.assign(services.keyWatch ?? {}, watch)
  await watch.start()
  const ready = async () => (await visitor('GET /readyz')).statusCode
  const keyInPage = async () => (await visitor('GET /api/config')).json().publishableKey
  return { visitor, signUp, logged, ready, keyInPage }
}

test('with a refused key the server is not ready, says what to do, and recovers by itself', async () => {
  const stripe = await standIn(401)
  const { visitor, signUp, logged, ready, keyInPage } = await startWatch(stripe.url)
  const refused = await visitor('GET /readyz')
  const todo =
    'Stripe does not accept STRIPE_SECRET_KEY. Copy it again from Stripe’s dashboard (Developers, API keys).'
  expect([refused.statusCode, refused.json()]).toEqual([
    503,
    {
      code: 'unavailable',
      message: 'Card payments are not possible.',
      issues: [{ path: 'cardPayments', message: todo }],
    },
  ])
  expect(await keyInPage()).toBeNull()
  expect((await visitor('GET /metrics', undefined, METRICS_ACCESS)).body).toContain('sought_ready 0')
  expect((await visitor('GET /healthz')).statusCode).toBe(200)
  const checkout = await (await signUp('Ada')).call('POST /api/create-escrow-payment', order)
  expect([checkout.statusCode, checkout.json().message]).toEqual([
    503,
    'Payments are not available at the moment. Nothing was charged. Please try again later.',
  ])
  stripe.status = 200
  await eventually(async () => expect(await ready()).toBe(200))
  expect(await keyInPage()).toBe('pk_test_1')
  expect(logged).toEqual([
    `card payments are not possible: ${todo} npm run stripe:doctor checks the rest.`,
    'card payments are possible again: the keys are accepted',
  ])
})

test('a key that is revoked while the server runs makes it unready, until it is accepted again', async () => {
  const stripe = await standIn(200)
  const { visitor, logged, ready } = await startWatch(stripe.url)
  expect(await ready()).toBe(200)
  stripe.status = 401
  await eventually(async () => expect(await ready()).toBe(503))
  expect((await visitor('GET /readyz')).json().issues).toMatchObject([
    { message: expect.stringContaining('Stripe does not accept STRIPE_SECRET_KEY') },
  ])
  expect(logged).toMatchObject([expect.stringContaining('npm run stripe:doctor')])
  // An outage says nothing about the keys.
  stripe.status = 500
  await eventually(async () => expect(logged.at(-1)).toContain('did not answer'))
  expect(await ready()).toBe(503)
  stripe.status = 200
  await eventually(async () => expect(await ready()).toBe(200))
})

test('keys of different modes are refused without asking Stripe', async () => {
  const { ready, logged } = await startWatch('http://127.0.0.1:9', { publishableKey: 'pk_live_1' })
  expect(await ready()).toBe(503)
  expect(logged[0]).toContain('the secret key is for test mode, the publishable one is not')
})

test('an outage at the start does not make the server unready, but a refusal after it does', async () => {
  const stripe = await standIn(500)
  const { ready } = await startWatch(stripe.url)
  expect(await ready()).toBe(200)
  stripe.status = 401
  await eventually(async () => expect(await ready()).toBe(503))
})

test('a restricted key that may not read the account is accepted', async () => {
  const { ready, logged } = await startWatch((await standIn(403)).url)
  expect([await ready(), logged]).toEqual([200, []])
})
