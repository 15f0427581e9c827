// @module-tag proof

import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { createPaidIntent, getError, openWorld } from './testing/world.ts'

const DAY_MS = 86_400_000

test('a charge less its fee is pending for two days', async () => {
  const world = await openWorld()
  const { stripe } = world
  const { charge } = await createPaidIntent(stripe, 10_000)
  const read = async () => {
    const { balance_transaction: transaction } = await stripe.charges.retrieve(charge, {
      expand: ['balance_transaction'],
    })
    return { balance: await stripe.balance.retrieve(), transaction }
  }
  const before = await read()
  expect(before.transaction).toMatchObject({
    type: 'charge',
    amount: 10_000,
    fee: 320,
    net: 9_680,
    fee_details: [
      { amount: 320, currency: 'usd', description: 'Stripe processing fees', type: 'stripe_fee' },
    ],
    source: charge,
    status: 'pending',
  })
  expect(before.balance).toMatchObject({ available: [{ amount: 0 }], pending: [{ amount: 9_680 }] })
  world.advanceClock(2 * DAY_MS)
  const after = await read()
  expect(after.transaction).toMatchObject({ status: 'available' })
  expect(after.balance).toMatchObject({ available: [{ amount: 9_680 }], pending: [{ amount: 0 }] })
})

test('two test cards bypass the pending balance, and the number of pending days can be changed', async () => {
  const world = await openWorld({ pendingDays: 5 })
  const { stripe } = world
  await createPaidIntent(stripe, 1_000, 'pm_card_bypassPending')
  await createPaidIntent(stripe, 1_000, 'pm_card_bypassPendingInternational')
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: 2 * 941 }])
  await createPaidIntent(stripe, 1_000)
  world.advanceClock(4 * DAY_MS)
  expect((await stripe.balance.retrieve()).pending).toMatchObject([{ amount: 941 }])
  world.advanceClock(DAY_MS)
  expect((await stripe.balance.retrieve()).pending).toMatchObject([{ amount: 0 }])
})

test('with asynchronous capture, the default, a charge gets its balance transaction later', async () => {
  const { stripe, webhook } = await openWorld()
  const { latest_charge: charge } = await stripe.paymentIntents.create({
    amount: 10_000,
    currency: 'usd',
    payment_method: 'pm_card_visa',
    confirm: true,
    return_url: 'http://localhost:3000/payment-success',
  })
  await webhook.until((received) => received.length === 4)
  const transactionIn = (type: string) => {
    const found = webhook.received.find(({ event }) => event.type === type)
    return (found?.event.data.object as Stripe.Charge | undefined)?.balance_transaction
  }
  expect(transactionIn('charge.succeeded')).toBeNull()
  const { balance_transaction: transaction } = await stripe.charges.retrieve(String(charge))
  expect(transaction).toMatch(/^txn_/)
  expect(transactionIn('charge.updated')).toBe(transaction)
})

test('fees depend on the currency', async () => {
  const feeOf = async (platformCountry: string, currency: string) => {
    const { stripe } = await openWorld({ platformCountry })
    const { latest_charge } = await stripe.paymentIntents.create({
      amount: 10_000,
      currency,
      capture_method: 'automatic',
      payment_method: 'pm_card_visa',
      confirm: true,
      expand: ['latest_charge.balance_transaction'],
    })
    return latest_charge
  }
  expect(await feeOf('DE', 'eur')).toMatchObject({ balance_transaction: { fee: 175 } })
  expect(await feeOf('GB', 'gbp')).toMatchObject({ balance_transaction: { fee: 170 } })
  expect(await feeOf('MY', 'myr')).toMatchObject({ balance_transaction: { fee: 400 } })
})

test('balance transactions can be filtered and paged', async () => {
  const world = await openWorld()
  const { stripe } = world
  const { charge } = await createPaidIntent(stripe, 10_000)
  world.advanceClock(10_000)
  const refund = await stripe.refunds.create({ charge, amount: 1_000 })
  const list = (params: object) => stripe.balanceTransactions.list(params)
  const [newest, oldest] = (await list({})).data
  expect(newest).toMatchObject({ type: 'refund', amount: -1_000, fee: 0, source: refund.id })
  expect((await list({ type: 'charge' })).data).toMatchObject([{ source: charge }])
  expect((await list({ source: refund.id })).data).toMatchObject([{ id: newest?.id }])
  expect((await list({ currency: 'eur' })).data).toEqual([])
  expect((await list({ created: { gte: newest?.created } })).data).toMatchObject([{ id: newest?.id }])
  const first = await list({ limit: 1 })
  expect(first).toMatchObject({ has_more: true, data: [{ id: newest?.id }] })
  expect((await list({ starting_after: newest?.id })).data).toMatchObject([{ id: oldest?.id }])
  expect(await getError(list({ payout: 'po_nothing' }))).toMatchObject({
    code: 'resource_missing',
    param: 'payout',
  })
})
