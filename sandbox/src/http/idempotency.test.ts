// @module-tag proof

import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../database.ts'
import {
  completeOnboarding,
  createOnboardedAccount,
  createPaidIntent,
  getError,
  openWorld,
  SECRET_KEY,
} from '../testing/world.ts'
import { invalidState } from './api-error.ts'
import { runOnce } from './idempotency.ts'

test('the same key returns the same response', async () => {
  const world = await openWorld()
  const { stripe } = world
  const make = () =>
    stripe.paymentIntents.create({ amount: 12_000, currency: 'usd' }, { idempotencyKey: 'payment-17' })
  const first = await make()
  const again = await make()
  expect(again).toEqual(first)
  expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined()
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1)
  expect((await stripe.events.list({ type: 'payment_intent.created' })).data).toHaveLength(1)
})

test('the replay is identical, also with the parameters in another order', async () => {
  const { sandbox } = await openWorld()
  const post = async (body: string) => {
    const headers = {
      authorization: `Bearer ${SECRET_KEY}`,
      'idempotency-key': 'k',
      'content-type': 'application/x-www-form-urlencoded',
    }
    const answer = await fetch(`${sandbox.url}/v1/payment_intents`, { method: 'POST', headers, body })
    return { status: answer.status, text: await answer.text() }
  }
  const first = await post('amount=900&currency=usd&metadata[a]=1&metadata[b]=2')
  const again = await post('metadata[b]=2&currency=usd&metadata[a]=1&amount=900')
  expect(first.status).toBe(200)
  expect(again).toEqual(first)
})

test('the same key with other parameters is refused and changes nothing', async () => {
  const { stripe } = await openWorld()
  const { charge, intent } = await createPaidIntent(stripe)
  const key = { idempotencyKey: 'refund-4' }
  await stripe.refunds.create({ charge, amount: 1_000 }, key)
  const otherAmount = await getError(stripe.refunds.create({ charge, amount: 2_000 }, key))
  expect(otherAmount).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 })
  const otherPath = await getError(stripe.paymentIntents.cancel(intent.id, {}, key))
  expect(otherPath.type).toBe('StripeIdempotencyError')
  expect((await stripe.charges.retrieve(charge)).amount_refunded).toBe(1_000)
})

test('a call whose key is in use by another call is answered with 409', async () => {
  const world = await openWorld()
  const { stripe } = world
  const { charge } = await createPaidIntent(stripe)
  const blocker = await world.runUncommitted(`select from sandbox.objects where id = '${charge}' for update`)
  const key = { idempotencyKey: 'refund-5' }
  const first = stripe.refunds.create({ charge, amount: 1_000 }, key)
  await world.waitUntilBlocked()
  const second = await getError(stripe.refunds.create({ charge, amount: 1_000 }, key))
  expect(second).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' })
  await blocker.release()
  const made = await first
  expect((await stripe.refunds.create({ charge, amount: 1_000 }, key)).id).toBe(made.id)
  expect((await stripe.refunds.list({ charge })).data).toHaveLength(1)
})

test('twenty concurrent calls with one key make one refund', async () => {
  const { stripe } = await openWorld()
  const { charge } = await createPaidIntent(stripe)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () =>
      stripe.refunds.create({ charge, amount: 500 }, { idempotencyKey: 'refund-6' }),
    ),
  )
  const made = outcomes.filter((it) => it.status === 'fulfilled').map(({ value }) => value.id)
  const invalidState = outcomes
    .filter((it) => it.status === 'rejected')
    .map(({ reason }) => reason.statusCode)
  expect(new Set(made).size).toBe(1)
  expect(invalidState.every((status) => status === 409)).toBe(true)
  expect((await stripe.charges.retrieve(charge)).amount_refunded).toBe(500)
})

test('an error caused by the state of an object is stored under the key, a parameter error is not', async () => {
  const world = await openWorld()
  const { stripe } = world
  const { charge } = await createPaidIntent(stripe, 10_000)
  const account = await stripe.accounts.create({ type: 'express' })
  const pay = (idempotencyKey: string) =>
    stripe.transfers.create(
      { amount: 1_000, currency: 'usd', destination: account.id, source_transaction: charge },
      { idempotencyKey },
    )
  expect((await getError(pay('payout-1'))).code).toBe('insufficient_capabilities_for_transfer')
  await completeOnboarding(world, account.id)
  const replayed = await getError(pay('payout-1'))
  expect(replayed.code).toBe('insufficient_capabilities_for_transfer')
  expect(replayed.headers?.['idempotent-replayed']).toBe('true')
  expect((await pay('payout-2')).amount).toBe(1_000)

  const wrong = { charge, amount: 100, nonsense: 'x' }
  expect((await getError(stripe.refunds.create(wrong, { idempotencyKey: 'refund-7' }))).code).toBe(
    'parameter_unknown',
  )
  const right = await stripe.refunds.create({ charge, amount: 100 }, { idempotencyKey: 'refund-7' })
  expect(right.amount).toBe(100)
})

test('a declined card is declined again for the same key, with only one charge', async () => {
  const world = await openWorld()
  const { stripe } = world
  const { id } = await stripe.paymentIntents.create({ amount: 5_000, currency: 'usd' })
  const runInSavepoint = () =>
    getError(
      stripe.paymentIntents.confirm(
        id,
        { payment_method: 'pm_card_chargeDeclined' },
        { idempotencyKey: 'confirm-1' },
      ),
    )
  const [first, again] = [await runInSavepoint(), await runInSavepoint()]
  expect(again.charge).toBe(first.charge)
  expect(again.headers?.['idempotent-replayed']).toBe('true')
  expect((await stripe.charges.list({ payment_intent: id })).data).toHaveLength(1)
})

test('keys expire after a day', async () => {
  const world = await openWorld()
  const { stripe } = world
  const destination = await createOnboardedAccount(world)
  const { charge } = await createPaidIntent(stripe, 10_000)
  const pay = () =>
    stripe.transfers.create(
      { amount: 1_000, currency: 'usd', destination, source_transaction: charge },
      { idempotencyKey: 'payout-9' },
    )
  const first = await pay()
  world.advanceClock(23 * 3_600_000)
  expect((await pay()).id).toBe(first.id)
  world.advanceClock(2 * 3_600_000)
  expect((await pay()).id).not.toBe(first.id)
  expect((await stripe.transfers.list({ destination })).data).toHaveLength(2)
})

test('a key has at most 255 characters', async () => {
  const { stripe } = await openWorld()
  const make = (length: number) => stripe.customers.create({}, { idempotencyKey: 'k'.repeat(length) })
  expect((await make(255)).object).toBe('customer')
  expect((await getError(make(256))).statusCode).toBe(400)
})

test('a call that fails halfway leaves nothing but its stored error', async () => {
  const world = await openWorld()
  const database = openDatabase(world.databaseUrl, () => new Date(), console.error)
  onTestFinished(database.close)
  const settings = () => world.query('select copies from sandbox.delivery_settings')
  let runs = 0
  const runInSavepoint = () =>
    runOnce(database, { key: 'half-way', fingerprint: 'f' }, async (tx) => {
      runs++
      await tx.query('update sandbox.delivery_settings set copies = 7')
      throw invalidState('There was not enough left.', { code: 'balance_insufficient' })
    })
  const body = JSON.stringify({
    error: {
      type: 'invalid_request_error',
      message: 'There was not enough left.',
      code: 'balance_insufficient',
    },
  })
  expect(await runInSavepoint()).toEqual({ status: 400, body })
  expect(await runInSavepoint()).toEqual({ status: 400, body, replayed: true })
  expect(runs).toBe(1)
  expect(await settings()).toEqual([{ copies: 1 }])
})
