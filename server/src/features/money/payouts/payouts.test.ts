import type { CallFault } from '@sought/sandbox/faults'
import { expect, test, vi } from 'vitest'
import type { Tx } from '../../../database/database.ts'
import { type CardProvider, ProviderFailed } from '../../../providers/stripe/card-provider.ts'
import { HEALTHY } from '../../../testing/accounts.ts'
import { waitUntilBlocked } from '../../../testing/blocked-statements.ts'
import { intentOf } from '../../../testing/chargebacks.ts'
import { eventually } from '../../../testing/eventually.ts'
import { INTENT_OF_LAMP } from '../../../testing/intent.ts'
import { type MoneyWorld, openMoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import { countRefusedRefund } from '../payments/queries.ts'
import { refundBuyer } from '../payments/refunds.ts'
import { lockPayment } from '../payments/stored-payment.ts'
import { syncCharge } from '../payments/sync-payment.ts'
import { findPayoutOf } from './keep-payout-back.ts'
import { claimUnpaidPayouts, lockPayout, type Payout, updatePayout } from './queries.ts'
import { enqueueSellerPayouts, paySeller } from './send-payouts.ts'

const open = shareMoneyWorld()

/** Each entry in `faults` makes the next POST to its path fail once. */
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

/** Confirms a payment to a seller with an account. The payout exists, but was not attempted yet. */
async function owedIn(world: MoneyWorld): Promise<{ paymentId: number; payoutId: number }> {
  await world.connectBob()
  const { paymentId } = await world.payIntoEscrow()
  await confirm(world, paymentId)
  return { paymentId, payoutId: await payoutOf(world, paymentId) }
}

/** Rules for the buyer. The refund exists, but was not attempted yet. */
async function refundIn(world: MoneyWorld): Promise<number> {
  const { ada } = world
  const { paymentId } = await world.payIntoEscrow()
  await ada.call(`POST /api/payments/${paymentId}/dispute`, {})
  const admin = await world.signUp('Root', 'admin')
  const ruled = await admin.call(`POST /api/admin/disputes/${paymentId}/resolve`, { action: 'refund_full' })
  expect(ruled.statusCode, ruled.body).toBe(200)
  return paymentId
}

async function refundsOf(world: MoneyWorld, paymentId: number): Promise<number[]> {
  const path = `/v1/refunds?payment_intent=${await intentOf(world, paymentId)}`
  const { data } = await world.stripe<{ data: { amount: number }[] }>('GET', path)
  return data.map(({ amount }) => amount)
}

function cardsOf({ services: { cards } }: MoneyWorld): CardProvider {
  if (!cards) throw new Error('this world has a provider')
  return cards
}

const bobsPayouts = async ({ sql, bob }: MoneyWorld) =>
  (
    await sql.query('select amount, method, status, attempt from payouts where seller_id = $1 order by id', [
      bob.id,
    ])
  ).rows

async function payoutOf({ sql }: MoneyWorld, paymentId: number): Promise<number> {
  const { rows } = await sql.query('select id from payouts where payment_id = $1', [paymentId])
  return rows[0].id
}

async function transfersOf({ stripe }: MoneyWorld, paymentId: number): Promise<unknown[]> {
  type Listed = { data: { metadata: { paymentId: string } }[] }
  const { data } = await stripe<Listed>('GET', '/v1/transfers?limit=100')
  return data.filter(({ metadata }) => metadata.paymentId === String(paymentId))
}

/** The amounts of all transfers to Bob. */
async function bobsTransfers({ sql, bob, stripe }: MoneyWorld): Promise<number[]> {
  const { rows } = await sql.query('select stripe_connect_account_id as account from users where id = $1', [
    bob.id,
  ])
  const path = `/v1/transfers?destination=${rows[0].account}`
  const { data } = await stripe<{ data: { amount: number }[] }>('GET', path)
  return data.map(({ amount }) => amount)
}

const faults: [string, CallFault][] = [
  ['a server error before the transfer was made', { when: 'before', answer: 'server_error' }],
  ['a connection cut before the transfer was made', { when: 'before', answer: 'cut' }],
  ['too many requests', { when: 'before', answer: 'rate_limit' }],
  [
    'a server error after the transfer was made, repeated for the same key',
    { when: 'after', answer: 'server_error' },
  ],
  ['a bad gateway after the transfer was made', { when: 'after', answer: 'bad_gateway' }],
  ['a connection cut after the transfer was made', { when: 'after', answer: 'cut' }],
]
test('the seller is paid once, no matter which errors occur during a transfer', {
  tags: ['proof'],
}, async () => {
  const { world, faults: next } = await openFaultyWorld()
  await world.connectBob()
  const paid = { amount: 11_262, method: 'transfer', status: 'paid', attempt: 0 }
  for (const [index, [what, fault]] of faults.entries()) {
    const { paymentId } = await world.payIntoEscrow()
    await confirm(world, paymentId)
    // Once for the call, once for the SDK's retry.
    next.push({ path: '/v1/transfers', fault }, { path: '/v1/transfers', fault })
    await world.runJobs()
    expect(await world.balanceOf(`seller:${world.bob.id}`), what).toBe(11_262)
    const before = Array(index).fill(paid)
    expect(await bobsPayouts(world), what).toMatchObject([...before, { status: 'sending' }])
    next.length = 0
    world.advanceClock(60 * 60_000)
    await world.runJobs('retry-payouts')
    expect(await bobsPayouts(world), what).toEqual([...before, paid])
    expect(await bobsTransfers(world), what).toEqual(Array(index + 1).fill(11_262))
    await world.expectBooksRight()
  }
})

test('a seller without a payout method is paid once they have one', async () => {
  const world = await open()
  const { paymentId } = await world.payIntoEscrow()
  await confirm(world, paymentId)
  await world.runJobs('retry-payouts')
  expect(await bobsPayouts(world)).toEqual([{ amount: 11_262, method: null, status: 'owed', attempt: 0 }])
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(11_262)
  await world.connectBob()
  await world.services.database.transact((tx) => enqueueSellerPayouts(tx, world.bob.id))
  await world.runJobs()
  expect(await bobsPayouts(world)).toEqual([
    { amount: 11_262, method: 'transfer', status: 'paid', attempt: 0 },
  ])
  await world.expectBooksRight()
})

test('with bank details only, the payout waits for an admin', async () => {
  const world = await open()
  await world.sql.query("update users set bank_account_details = 'sealed' where id = $1", [world.bob.id])
  const { paymentId } = await world.payIntoEscrow()
  await confirm(world, paymentId)
  await world.runJobs()
  expect(await bobsPayouts(world)).toEqual([{ amount: 11_262, method: 'manual', status: 'owed', attempt: 0 }])
  expect(await transfersOf(world, paymentId)).toEqual([])
  world.advanceClock(24 * 60 * 60_000)
  const claimed = await world.services.database.transact((tx) => claimUnpaidPayouts(tx, 60, 1_000))
  expect(claimed).not.toContainEqual({ id: await payoutOf(world, paymentId) })
  await world.expectBooksRight()
})

test('a refused transfer is owed again, and the next attempt has a new key', async () => {
  const world = await openMoneyWorld()
  const account = await world.connectBob()
  const { paymentId } = await world.payIntoEscrow()
  await confirm(world, paymentId)
  await world.sql.query('update users set payouts_enabled = true where id = $1', [world.bob.id])
  await world.press(`/sandbox/accounts/${account}/restrict`)
  // Handling the event asks the provider too.
  await eventually(async () => {
    const { rows } = await world.sql.query('select payouts_enabled from users where id = $1', [world.bob.id])
    expect(rows).toEqual([{ payouts_enabled: false }])
  })
  const { cards } = world.services
  if (!cards) throw new Error('this test needs the sandbox')
  // The account was restricted after it had been checked.
  const check = vi.spyOn(cards, 'readAccount').mockResolvedValue(HEALTHY)
  await paySeller(world.services, await payoutOf(world, paymentId))
  check.mockRestore()
  expect(await bobsPayouts(world)).toEqual([{ amount: 11_262, method: null, status: 'owed', attempt: 1 }])
  await world.press(`/sandbox/accounts/${account}/restore`)
  world.advanceClock(60 * 60_000)
  await world.runJobs('retry-payouts')
  expect(await bobsPayouts(world)).toEqual([
    { amount: 11_262, method: 'transfer', status: 'paid', attempt: 1 },
  ])
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(0)
  await world.expectBooksRight()
})

test('five concurrent attempts at a payout make one transfer', { tags: ['proof'] }, async () => {
  const world = await open()
  await world.connectBob()
  const { paymentId } = await world.payIntoEscrow()
  await confirm(world, paymentId)
  await Promise.allSettled([1, 2, 3, 4, 5].map(() => world.runJobs('retry-payouts')))
  world.advanceClock(60 * 60_000)
  await world.runJobs('retry-payouts')
  expect(await bobsTransfers(world)).toEqual([11_262])
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(0)
  await world.expectBooksRight()
})

test('one process at a time claims a payout', async () => {
  const world = await open()
  const { transact } = world.services.database
  const { paymentId } = await world.payIntoEscrow()
  await confirm(world, paymentId)
  const id = await payoutOf(world, paymentId)
  await transact(async (tx) => {
    expect(await claimUnpaidPayouts(tx, 60, 1_000)).toContainEqual({ id })
    expect(await transact((other) => claimUnpaidPayouts(other, 60, 1_000))).toEqual([])
  })
})

test('concurrent identical calls to the provider make one transfer and one refund', {
  tags: ['proof'],
}, async () => {
  // The ledger does not know these calls, so the books of this world are wrong.
  const world = await openMoneyWorld()
  const cards = cardsOf(world)
  const accountId = await world.connectBob()
  const { paymentId } = await world.payIntoEscrow()
  const effect = {
    paymentId,
    intentId: await intentOf(world, paymentId),
    amountCents: 1_000,
    currency: 'usd' as const,
    createdAt: new Date(0),
    attempt: 0,
  }
  const effects: (() => Promise<unknown>)[] = [
    () => cards.transfer({ ...effect, payoutId: 1, accountId }),
    () => cards.refund(effect),
  ]
  for (const ask of effects) {
    const results = await Promise.allSettled(Array.from({ length: 5 }, ask))
    expect(results.map(({ status }) => status)).toContain('fulfilled')
  }
  expect(await bobsTransfers(world)).toEqual([1_000])
  expect(await refundsOf(world, paymentId)).toEqual([1_000])
})

test('after the provider has forgotten its idempotency keys, an earlier transfer or refund is still found', {
  tags: ['proof'],
}, async () => {
  const { world, faults } = await openFaultyWorld()
  const refunded = await refundIn(world)
  await owedIn(world)
  const lost: CallFault = { when: 'after', answer: 'cut' }
  // Once for the call, once for the SDK's retry.
  for (const path of ['/v1/transfers', '/v1/refunds', '/v1/transfers', '/v1/refunds']) {
    faults.push({ path, fault: lost })
  }
  await world.runJobs()
  expect(faults).toEqual([])
  expect(await bobsPayouts(world)).toMatchObject([{ status: 'sending' }])
  world.advanceClock(25 * 60 * 60_000)
  await world.runJobs('retry-payouts', 'retry-refunds')
  expect(await bobsPayouts(world)).toMatchObject([{ status: 'paid', attempt: 0 }])
  expect(await bobsTransfers(world)).toEqual([11_262])
  expect(await refundsOf(world, refunded)).toEqual([12_000])
  const { rows } = await world.sql.query('select refund_attempt from payments where id = $1', [refunded])
  expect(rows).toEqual([{ refund_attempt: 0 }])
  await world.expectBooksRight()
})

test('a payout sent by two processes is paid once', { tags: ['proof'] }, async () => {
  const world = await open()
  const { services } = world
  const cards = cardsOf(world)
  /** A second process does everything while the first waits for the provider. */
  const afterTheOther = async <Answer>(payoutId: number, answer: Promise<Answer>) => {
    const first = await answer
    services.cards = cards
    await paySeller(services, payoutId)
    return first
  }
  const paid = [{ amount: 11_262, method: 'transfer', status: 'paid', attempt: 0 }]
  const { payoutId } = await owedIn(world)
  services.cards = { ...cards, readAccount: (id) => afterTheOther(payoutId, cards.readAccount(id)) }
  await paySeller(services, payoutId)
  expect(await bobsPayouts(world)).toEqual(paid)

  const { paymentId: second } = await world.payIntoEscrow()
  await confirm(world, second)
  services.cards = { ...cards, transfer: (payout) => afterTheOther(payout.payoutId, cards.transfer(payout)) }
  await paySeller(services, await payoutOf(world, second))
  expect(await bobsPayouts(world)).toEqual([...paid, ...paid])
  expect(await bobsTransfers(world)).toEqual([11_262, 11_262])
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(0)
  await world.expectBooksRight()
})

test('changing a payout waits for a concurrent report about its payment, and the report waits for the change', async () => {
  const world = await open()
  const { services, sql } = world
  const { transact } = services.database
  const { paymentId, payoutId } = await owedIn(world)
  const change = (tx: Tx) => updatePayout(tx, payoutId, { method: 'manual' })
  let changed: Promise<unknown> | undefined
  await transact(async (tx) => {
    await lockPayment(tx, paymentId)
    changed = transact(async (other) => {
      await lockPayout(other, payoutId)
      await change(other)
    })
    await waitUntilBlocked(sql)
    await change(tx)
  })
  await changed
  let reported: Promise<Payout | undefined> | undefined
  await transact(async (tx) => {
    await lockPayout(tx, payoutId)
    reported = transact(async (other) => {
      await lockPayment(other, paymentId)
      return findPayoutOf(other, paymentId)
    })
    await waitUntilBlocked(sql)
    await updatePayout(tx, payoutId, { method: null })
  })
  expect(await reported).toMatchObject({ method: null })
})

test('a refusal that arrives late does not undo a later change', { tags: ['proof'] }, async () => {
  const world = await open()
  const { services, sql } = world
  const cards = cardsOf(world)
  /** The provider refuses, but first something else happens. */
  const refuseAfter = (happening: () => Promise<unknown>) => {
    services.cards = {
      ...cards,
      async transfer() {
        services.cards = cards
        await happening()
        throw new ProviderFailed('refused', new Error('too late'))
      },
    }
  }
  const { payoutId } = await owedIn(world)
  // Another process starts the next attempt first.
  refuseAfter(() => sql.query('update payouts set attempt = 1 where id = $1', [payoutId]))
  await paySeller(services, payoutId)
  expect(await bobsPayouts(world)).toMatchObject([{ status: 'sending', attempt: 1 }])
  // Another process pays it first.
  refuseAfter(() => paySeller(services, payoutId))
  await paySeller(services, payoutId)
  expect(await bobsPayouts(world)).toMatchObject([{ status: 'paid', attempt: 1 }])

  const refunded = await refundIn(world)
  const attempt = async () =>
    (await sql.query('select refund_attempt from payments where id = $1', [refunded])).rows[0].refund_attempt
  await sql.query('update payments set refund_attempt = 3 where id = $1', [refunded])
  await services.database.transact((tx) => countRefusedRefund(tx, refunded, { attempt: 0, reason: null }))
  expect(await attempt()).toBe(3)
  await services.database.transact((tx) => countRefusedRefund(tx, refunded, { attempt: 3, reason: null }))
  expect(await attempt()).toBe(4)
})

test('a completed payout or refund is neither posted twice nor requested again', {
  tags: ['proof'],
}, async () => {
  let calls = 0
  const world = await openMoneyWorld({
    faults: {
      call: () => {
        calls++
        return undefined
      },
    },
  })
  const { services } = world
  const refunded = await refundIn(world)
  const { payoutId } = await owedIn(world)
  await world.runJobs()
  expect([await refundsOf(world, refunded), await bobsTransfers(world)]).toEqual([[12_000], [11_262]])
  await syncCharge(services, cardsOf(world), await intentOf(world, refunded))
  calls = 0
  await refundBuyer(services, refunded)
  await paySeller(services, payoutId)
  expect(calls).toBe(0)
  expect(await world.balanceOf(`buyer:${world.ada.id}`)).toBe(0)
  expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(0)
  await world.expectBooksRight()
})

test('the smallest card amount is paid out, and a smaller one is refused', async () => {
  const world = await open()
  const { paymentId } = await world.payIntoEscrow(50)
  await confirm(world, paymentId)
  expect(await bobsPayouts(world)).toEqual([{ amount: 17, method: null, status: 'owed', attempt: 0 }])
  // Agreed before the bound was checked at the offer.
  const agreed = await world.agree(50)
  await world.sql.query('update offers set amount = 49 where id = $1', [agreed.offerId])
  const tiny = await world.ada.call('POST /api/create-escrow-payment', { ...agreed, amount: 49 })
  expect([tiny.statusCode, tiny.json().code]).toEqual([409, 'provider_refused'])
  const listed: { payments: { id: number } }[] = (await world.ada.call('GET /api/payments')).json()
  expect(listed.map(({ payments }) => payments.id)).toEqual([paymentId])
  await world.expectBooksRight()
})

test('a process that was suspended between lookup and send does not send again', {
  tags: ['proof'],
}, async () => {
  const late: string[] = []
  const { promise: resumed, resolve: resume } = Promise.withResolvers<void>()
  const world = await openMoneyWorld({
    faults: {
      call({ method, path }) {
        const index = late.findIndex((start) => method === 'GET' && path.startsWith(start))
        return late.splice(index, index < 0 ? 0 : 1).length > 0
          ? { when: 'after', answer: { until: resumed } }
          : undefined
      },
    },
  })
  const { services } = world
  const refunded = await refundIn(world)
  const { payoutId } = await owedIn(world)

  const { rows } = await world.sql.query(
    `select stripe_payment_intent_id as "intentId", created_at as "createdAt" from payments where id = $1`,
    [refunded],
  )
  const refund = { ...rows[0], paymentId: refunded, amountCents: 12_000, attempt: 0 }
  late.push('/v1/transfers', '/v1/refunds')
  const suspended = [paySeller(services, payoutId), cardsOf(world).refund(refund)].map((work) =>
    work.catch((error) => error),
  )
  await eventually(() => expect(late).toEqual([]))
  await paySeller(services, payoutId)
  await refundBuyer(services, refunded)
  world.advanceClock(25 * 3_600_000)
  resume()
  expect(await Promise.all(suspended)).toMatchObject([{ outcome: 'unknown' }, { outcome: 'unknown' }])
  expect([await refundsOf(world, refunded), await bobsTransfers(world)]).toEqual([[12_000], [11_262]])
  await world.expectBooksRight()
})

test('reusing an idempotency key with another amount fails and moves no money', async () => {
  const world = await open()
  const { cards } = world.services
  // No other payment has this id.
  const payment = {
    ...INTENT_OF_LAMP,
    id: 2_000_000_000,
    createdAt: new Date(0),
    attempt: 0,
  }
  const first = await cards?.createIntent({ ...payment, amountCents: 500 })
  await expect(cards?.createIntent({ ...payment, amountCents: 600 })).rejects.toBeInstanceOf(ProviderFailed)
  const { data } = await world.stripe<{ data: { id: string; amount: number }[] }>(
    'GET',
    '/v1/payment_intents?limit=100',
  )
  const made = data.filter(({ amount }) => amount === 500 || amount === 600)
  expect(made.map(({ id, amount }) => ({ id, amount }))).toEqual([{ id: first?.id, amount: 500 }])
})

test('if the answer to a charge is lost, paying again does not charge the card twice', {
  tags: ['proof'],
}, async () => {
  const cuts: CallFault[] = [{ when: 'after', answer: 'cut' }]
  const world = await openMoneyWorld({
    faults: { call: ({ path }) => (path.endsWith('/confirm') ? cuts.shift() : undefined) },
  })
  const deal = await world.agree()
  const { clientSecret, paymentId } = await world.start(deal)
  await expect(world.enterCard(clientSecret)).rejects.toThrow()
  const again = await world.enterCard(clientSecret)
  expect([again.status, again.body.error?.code]).toEqual([400, 'payment_intent_unexpected_state'])
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
  const { data } = await world.stripe<{ data: unknown[] }>('GET', '/v1/charges')
  expect(data).toHaveLength(1)
  await world.expectBooksRight()
})
