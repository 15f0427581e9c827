import type { CallFault } from '@sought/sandbox/faults'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sendOwed } from '../src/features/payments/payouts.ts'
import { startJobs } from '../src/jobs/worker.ts'
import { ProviderFailed } from '../src/providers/stripe/card-provider.ts'
import { type MoneyWorld, openMoneyWorld } from './money-world.ts'

/** A world in which the next calls to these paths go wrong, one fault each. */
async function openFaultyWorld() {
  const faults: { path: string; fault: CallFault }[] = []
  const world = await openMoneyWorld({
    faults: {
      call({ method, path }) {
        const index = faults.findIndex((it) => method === 'POST' && path === it.path)
        return index < 0 ? undefined : faults.splice(index, 1)[0]?.fault
      },
    },
  })
  return { world, faults }
}

const confirm = async (world: MoneyWorld, paymentId: number) => {
  const reply = await world.ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
  expect(reply.statusCode).toBe(200)
}

const payoutsIn = async (world: MoneyWorld) =>
  (await world.sql.query('select amount, method, status, attempt from payouts order by id')).rows

async function transfersIn(world: MoneyWorld): Promise<number[]> {
  const { data } = await world.stripe<{ data: { amount: number }[] }>('GET', '/v1/transfers')
  return data.map(({ amount }) => amount)
}

const faults: [string, CallFault][] = [
  ['a server error before it was made', { when: 'before', answer: 'server_error' }],
  ['a connection that is cut before', { when: 'before', answer: 'cut' }],
  ['too many requests', { when: 'before', answer: 'rate_limit' }],
  ['a server error after it was made, that the key repeats', { when: 'after', answer: 'server_error' }],
  ['a bad gateway after it was made', { when: 'after', answer: 'bad_gateway' }],
  ['a connection that is cut after', { when: 'after', answer: 'cut' }],
]
for (const [what, fault] of faults) {
  test(`${what}: the seller is paid once all the same`, async () => {
    const { world, faults } = await openFaultyWorld()
    await world.connectBob()
    const { paymentId } = await world.held()
    await confirm(world, paymentId)
    // Once for the call, once for the SDK's own repetition.
    faults.push({ path: '/v1/transfers', fault }, { path: '/v1/transfers', fault })
    await world.runJobs()
    expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(11_262)
    expect(await payoutsIn(world)).toMatchObject([{ status: 'sending' }])
    faults.length = 0
    world.turnClock(60 * 60_000)
    await world.runJobs('retry-payouts')
    expect(await payoutsIn(world)).toEqual([
      { amount: 11_262, method: 'transfer', status: 'paid', attempt: 0 },
    ])
    expect(await transfersIn(world)).toEqual([11_262])
    await world.expectBooksRight()
  })
}

test('a seller without a way to be paid is owed, and paid once there is one', async () => {
  const world = await openMoneyWorld()
  const { paymentId } = await world.held()
  await confirm(world, paymentId)
  await world.runJobs('retry-payouts')
  expect(await payoutsIn(world)).toEqual([{ amount: 11_262, method: null, status: 'owed', attempt: 0 }])
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(11_262)
  await world.connectBob()
  await world.services.database.transact((tx) => sendOwed(tx, world.bob.id))
  await world.runJobs()
  expect(await payoutsIn(world)).toEqual([{ amount: 11_262, method: 'transfer', status: 'paid', attempt: 0 }])
  await world.expectBooksRight()
})

test('with bank details alone it waits for an admin’s hand', async () => {
  const world = await openMoneyWorld()
  await world.sql.query("update users set bank_account_details = 'sealed' where id = $1", [world.bob.id])
  const { paymentId } = await world.held()
  await confirm(world, paymentId)
  await world.runJobs()
  expect(await payoutsIn(world)).toEqual([{ amount: 11_262, method: 'manual', status: 'owed', attempt: 0 }])
  expect(await transfersIn(world)).toEqual([])
  await world.expectBooksRight()
})

test('a transfer that is refused is owed again, and its next try is a new one', async () => {
  const world = await openMoneyWorld()
  const account = await world.connectBob()
  const { paymentId } = await world.held()
  await confirm(world, paymentId)
  // The provider has taken part of the charge back, so that there is not enough left to send.
  const { data } = await world.stripe<{ data: { id: string }[] }>('GET', '/v1/charges')
  const stranger = await world.stripe('POST', '/v1/transfers', {
    amount: '12000',
    currency: 'usd',
    destination: account,
    source_transaction: data[0]?.id ?? '',
  })
  await world.runJobs()
  expect(await payoutsIn(world)).toEqual([{ amount: 11_262, method: null, status: 'owed', attempt: 1 }])
  await world.stripe('POST', `/v1/transfers/${stranger.id}/reversals`)
  world.turnClock(60 * 60_000)
  await world.runJobs('retry-payouts')
  expect(await payoutsIn(world)).toEqual([{ amount: 11_262, method: 'transfer', status: 'paid', attempt: 1 }])
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(0)
  await world.expectBooksRight()
})

test('the same payout tried five times at once is one transfer', async () => {
  const world = await openMoneyWorld()
  await world.connectBob()
  const { paymentId } = await world.held()
  await confirm(world, paymentId)
  await Promise.allSettled([1, 2, 3, 4, 5].map(() => world.runJobs('retry-payouts')))
  world.turnClock(60 * 60_000)
  await world.runJobs('retry-payouts')
  expect(await transfersIn(world)).toEqual([11_262])
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(0)
  await world.expectBooksRight()
})

test('the smallest amount that a card takes is paid out too, and a smaller one is refused', async () => {
  const world = await openMoneyWorld()
  const { paymentId } = await world.held(50)
  await confirm(world, paymentId)
  expect(await payoutsIn(world)).toEqual([{ amount: 17, method: null, status: 'owed', attempt: 0 }])
  const tiny = await world.ada.call('POST /api/create-escrow-payment', await world.agree(49))
  expect([tiny.statusCode, tiny.json().code]).toEqual([409, 'provider_refused'])
  await world.expectBooksRight()
})

test('one key with another amount is an error that moves nothing', async () => {
  const world = await openMoneyWorld()
  const { cards } = world.services
  const payment = { id: 1, createdAt: new Date(0), attempt: 0 }
  const first = await cards?.createIntent({ ...payment, amountCents: 500 })
  await expect(cards?.createIntent({ ...payment, amountCents: 600 })).rejects.toBeInstanceOf(ProviderFailed)
  const { data } = await world.stripe<{ data: { id: string; amount: number }[] }>(
    'GET',
    '/v1/payment_intents',
  )
  expect(data.map(({ id, amount }) => ({ id, amount }))).toEqual([{ id: first?.id, amount: 500 }])
})

test('a card charged although the answer was lost is not charged by pressing Pay again', async () => {
  const cuts: CallFault[] = [{ when: 'after', answer: 'cut' }]
  const world = await openMoneyWorld({
    faults: { call: ({ path }) => (path.endsWith('/confirm') ? cuts.shift() : undefined) },
  })
  const deal = await world.agree()
  const { clientSecret, paymentId } = await world.start(deal)
  await expect(world.enterCard(clientSecret)).rejects.toThrow()
  const again = await world.enterCard(clientSecret)
  expect([again.status, again.body.error?.code]).toEqual([400, 'payment_intent_unexpected_state'])
  await vi.waitFor(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'), 5_000)
  const { data } = await world.stripe<{ data: unknown[] }>('GET', '/v1/charges')
  expect(data).toHaveLength(1)
  await world.expectBooksRight()
})

test('a job whose process has died is taken up by another within half a minute', async () => {
  const world = await openMoneyWorld()
  const { rows } = await world.sql.query(
    `select id from graphile_worker.add_job('refund-buyer', '{"paymentId":1}')`,
  )
  const isLeft = async () =>
    (await world.sql.query('select from graphile_worker.jobs where id = $1', [rows[0].id])).rowCount
  await world.sql.query(
    "update graphile_worker._private_jobs set locked_by = 'worker-of-the-dead', locked_at = now() - interval '10 s'",
  )
  await world.runJobs()
  expect(await isLeft()).toBe(1)
  const jobs = await startJobs(world.services, world.services.log)
  try {
    await vi.waitFor(async () => expect(await isLeft()).toBe(0), { timeout: 20_000, interval: 200 })
  } finally {
    await jobs.stop()
  }
}, 60_000)

test('a job that takes its time keeps its lock while its process lives', async () => {
  const world = await openMoneyWorld()
  const holder = await world.sql.connect()
  onTestFinished(() => holder.release(true))
  await holder.query('begin; lock table payments in access exclusive mode')
  const jobs = await startJobs(world.services, world.services.log)
  try {
    const waiting = `select locked_by in (select id from job_workers) as "isOfTheLiving"
                     from graphile_worker.jobs where locked_by is not null`
    await vi.waitFor(async () =>
      expect((await world.sql.query(waiting)).rows).toContainEqual({ isOfTheLiving: true }),
    )
    expect((await world.sql.query(waiting)).rows).not.toContainEqual({ isOfTheLiving: false })
  } finally {
    await holder.query('rollback')
    await jobs.stop()
  }
})
