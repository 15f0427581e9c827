// @module-tag proof

import { expect, test } from 'vitest'
import { createOnboardedAccount, createPaidIntent, getError, openWorld } from '../testing/world.ts'

const DAY_MS = 86_400_000

test('transfers from a charge are possible while it is pending, and never exceed its amount', async () => {
  const world = await openWorld()
  const { stripe, webhook } = world
  const destination = await createOnboardedAccount(world)
  const { charge, intent } = await createPaidIntent(stripe, 12_000)
  const transfer = await stripe.transfers.create({
    amount: 11_262,
    currency: 'usd',
    destination,
    source_transaction: charge,
    transfer_group: 'payment_17',
    metadata: { payout: '4' },
  })
  expect(transfer).toMatchObject({
    object: 'transfer',
    amount: 11_262,
    destination,
    source_transaction: charge,
    transfer_group: 'payment_17',
    metadata: { payout: '4' },
    reversed: false,
    reversals: { object: 'list', data: [] },
  })
  // A refund does not reduce the amount that can be transferred.
  await stripe.refunds.create({ charge, amount: 5_000 })
  const rest = { amount: 738, currency: 'usd', destination, source_transaction: charge }
  expect(await getError(stripe.transfers.create({ ...rest, amount: 739 }))).toMatchObject({
    statusCode: 400,
    param: 'amount',
    message:
      'Transfers using this transaction as a source must not exceed the source amount of $120.00. (There is already a transfer using this source, amounting to $112.62.)',
  })
  // Without their own group, the charge and its transfers get one from the payment.
  expect((await stripe.transfers.create(rest)).transfer_group).toBe(`group_${intent.id}`)
  expect((await stripe.charges.retrieve(charge)).transfer_group).toBe(`group_${intent.id}`)

  expect((await stripe.transfers.list({ transfer_group: 'payment_17' })).data).toHaveLength(1)
  expect((await stripe.transfers.list({ destination })).data).toHaveLength(2)
  expect((await stripe.transfers.list({ transfer_group: 'payment_18' })).data).toEqual([])
  const theirs = () => stripe.balance.retrieve({}, { stripeAccount: destination })
  expect(await theirs()).toMatchObject({ available: [{ amount: 0 }], pending: [{ amount: 12_000 }] })
  world.advanceClock(2 * DAY_MS)
  expect(await theirs()).toMatchObject({ available: [{ amount: 12_000 }], pending: [{ amount: 0 }] })
  await webhook.until(() => webhook.types().includes('transfer.created'))
})

test('once a charge is available, transfers from it need available balance', async () => {
  const world = await openWorld()
  const { stripe } = world
  const destination = await createOnboardedAccount(world)
  const { charge } = await createPaidIntent(stripe, 10_000)
  const transfer = { amount: 9_000, currency: 'usd', destination, source_transaction: charge }
  world.advanceClock(2 * DAY_MS)
  await stripe.payouts.create({ amount: 9_000, currency: 'usd' })
  expect(await getError(stripe.transfers.create(transfer))).toMatchObject({ code: 'balance_insufficient' })
  await createPaidIntent(stripe, 9_000, 'pm_card_bypassPending')
  expect((await stripe.transfers.create(transfer)).amount).toBe(9_000)
})

test('a transfer can be reversed in parts', async () => {
  const world = await openWorld()
  const { stripe, webhook } = world
  const destination = await createOnboardedAccount(world)
  const { charge } = await createPaidIntent(stripe, 10_000)
  const transfer = await stripe.transfers.create({
    amount: 10_000,
    currency: 'usd',
    destination,
    source_transaction: charge,
  })
  const first = await stripe.transfers.createReversal(transfer.id, { amount: 4_000 })
  expect(first).toMatchObject({ object: 'transfer_reversal', amount: 4_000, transfer: transfer.id })
  expect((await getError(stripe.transfers.createReversal(transfer.id, { amount: 6_001 }))).param).toBe(
    'amount',
  )
  expect((await stripe.refunds.create({ charge, amount: 4_000 })).status).toBe('succeeded')
  await stripe.transfers.createReversal(transfer.id)
  expect((await getError(stripe.transfers.createReversal(transfer.id))).statusCode).toBe(400)
  const now = await stripe.transfers.retrieve(transfer.id)
  expect(now).toMatchObject({ amount_reversed: 10_000, reversed: true })
  expect(now.reversals.data.map(({ amount }) => amount)).toEqual([6_000, 4_000])
  expect((await stripe.transfers.listReversals(transfer.id)).data).toHaveLength(2)
  expect((await stripe.transfers.retrieveReversal(transfer.id, first.id)).amount).toBe(4_000)
  expect(await stripe.balance.retrieve({}, { stripeAccount: destination })).toMatchObject({
    available: [{ amount: 0 }],
    pending: [{ amount: 0 }],
  })
  const again = { amount: 1, currency: 'usd', destination, source_transaction: charge }
  expect((await getError(stripe.transfers.create(again))).message).toContain(
    'must not exceed the source amount',
  )
  await webhook.until(() => webhook.types().filter((type) => type === 'transfer.reversed').length === 2)
})

test('a reversal never takes more than the balance of the connected account', async () => {
  const world = await openWorld()
  const { stripe } = world
  const destination = await createOnboardedAccount(world)
  const { charge } = await createPaidIntent(stripe, 10_000, 'pm_card_bypassPending')
  const { id } = await stripe.transfers.create({
    amount: 8_000,
    currency: 'usd',
    destination,
    source_transaction: charge,
  })
  await stripe.payouts.create({ amount: 6_000, currency: 'usd' }, { stripeAccount: destination })
  expect(await getError(stripe.transfers.createReversal(id))).toMatchObject({ code: 'balance_insufficient' })
  expect(await stripe.transfers.createReversal(id, { amount: 2_000 })).toMatchObject({ amount: 2_000 })
  expect(await getError(stripe.transfers.createReversal(id, { amount: 1 }))).toMatchObject({
    code: 'balance_insufficient',
  })
})

test('concurrent transfers from a charge never exceed its amount', async () => {
  const world = await openWorld()
  const { stripe } = world
  const destination = await createOnboardedAccount(world)
  const { charge } = await createPaidIntent(stripe, 10_000)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }, () =>
      stripe.transfers.create({ amount: 3_000, currency: 'usd', destination, source_transaction: charge }),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
})

test('transfers to accounts that cannot receive them are refused', async () => {
  const world = await openWorld()
  const { stripe } = world
  const { charge } = await createPaidIntent(stripe, 10_000)
  const begun = await stripe.accounts.create({
    type: 'express',
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
  })
  const to = (destination: string) =>
    getError(
      stripe.transfers.create({ amount: 1_000, currency: 'usd', destination, source_transaction: charge }),
    )
  expect(await to(begun.id)).toMatchObject({
    statusCode: 400,
    code: 'insufficient_capabilities_for_transfer',
  })
  expect(await to('acct_nobody')).toMatchObject({ code: 'resource_missing', param: 'destination' })
  const able = await createOnboardedAccount(world)
  await stripe.accounts.del(able)
  expect(await to(able)).toMatchObject({ code: 'resource_missing', param: 'destination' })
  const other = await createOnboardedAccount(world)
  expect(
    await getError(
      stripe.transfers.create({
        amount: 1_000,
        currency: 'eur',
        destination: other,
        source_transaction: charge,
      }),
    ),
  ).toMatchObject({ param: 'currency' })
  expect((await stripe.transfers.list()).data).toEqual([])
})

test('a transfer without a charge uses the available balance only', async () => {
  const world = await openWorld()
  const { stripe } = world
  const destination = await createOnboardedAccount(world)
  await createPaidIntent(stripe, 5_000, 'pm_card_bypassPending')
  await createPaidIntent(stripe, 9_000)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => stripe.transfers.create({ amount: 2_000, currency: 'usd', destination })),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect((await getError(stripe.transfers.create({ amount: 826, currency: 'usd', destination }))).code).toBe(
    'balance_insufficient',
  )
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: 825 }])
})
