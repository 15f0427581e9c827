import { expect, test } from 'vitest'
import { createOnboardedAccount, createPaidIntent, getError, openWorld } from './testing/world.ts'

test('refunds can be partial and never exceed the remaining amount', async () => {
  const { stripe, webhook } = await openWorld()
  const { intent, charge } = await createPaidIntent(stripe, 12_000)
  const part = await stripe.refunds.create({
    payment_intent: intent.id,
    amount: 4_500,
    metadata: { ruling: 'partial' },
    reason: 'requested_by_customer',
  })
  expect(part).toMatchObject({
    object: 'refund',
    amount: 4_500,
    charge,
    payment_intent: intent.id,
    metadata: { ruling: 'partial' },
    status: 'succeeded',
  })
  expect(await getError(stripe.refunds.create({ charge, amount: 7_501 }))).toMatchObject({
    statusCode: 400,
    message: 'Refund amount (7501) is greater than unrefunded amount on charge (7500)',
  })
  await stripe.refunds.create({ charge })
  expect(await stripe.charges.retrieve(charge)).toMatchObject({ amount_refunded: 12_000, refunded: true })
  expect((await getError(stripe.refunds.create({ charge }))).code).toBe('charge_already_refunded')
  expect((await getError(stripe.refunds.create({ charge, amount: 1 }))).code).toBe('charge_already_refunded')

  const listed = await stripe.refunds.list({ payment_intent: intent.id })
  expect(listed.data.map(({ amount }) => amount)).toEqual([7_500, 4_500])
  expect(await stripe.refunds.retrieve(part.id)).toMatchObject({ id: part.id, amount: 4_500 })
  await webhook.until(() => webhook.types().filter((type) => type === 'charge.refunded').length === 2)
  expect(webhook.types().filter((type) => type === 'refund.created')).toHaveLength(2)
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: 0 }])
})

test('refunds of invalid charges are refused', async () => {
  const { stripe } = await openWorld()
  const { charge, intent } = await createPaidIntent(stripe)
  for (const amount of [0, -5]) {
    expect(await getError(stripe.refunds.create({ charge, amount }))).toMatchObject({
      code: 'parameter_invalid_integer',
      param: 'amount',
    })
  }
  expect((await getError(stripe.refunds.create({}))).code).toBe('parameter_missing')
  expect((await getError(stripe.refunds.create({ charge, payment_intent: intent.id }))).code).toBe(
    'parameters_exclusive',
  )
  expect(await getError(stripe.refunds.create({ charge: 'ch_nothing' }))).toMatchObject({
    code: 'resource_missing',
    param: 'charge',
  })
  const unpaid = await stripe.paymentIntents.create({ amount: 5_000, currency: 'usd' })
  expect((await getError(stripe.refunds.create({ payment_intent: unpaid.id }))).statusCode).toBe(400)
  await getError(stripe.paymentIntents.confirm(unpaid.id, { payment_method: 'pm_card_chargeDeclined' }))
  expect((await getError(stripe.refunds.create({ payment_intent: unpaid.id }))).code).toBe(
    'charge_not_refundable',
  )
})

test('of ten concurrent refunds of a third each, three succeed', async () => {
  const { stripe } = await openWorld()
  const { charge } = await createPaidIntent(stripe, 9_000)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => stripe.refunds.create({ charge, amount: 3_000 })),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect((await stripe.charges.retrieve(charge)).amount_refunded).toBe(9_000)
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: 0 }])
})

test('a transfer from a charge never exceeds its remaining amount', async () => {
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
  const beyond = { amount: 739, currency: 'usd', destination, source_transaction: charge }
  expect(await getError(stripe.transfers.create(beyond))).toMatchObject({
    statusCode: 400,
    code: 'balance_insufficient',
    param: 'amount',
  })
  expect((await getError(stripe.refunds.create({ charge, amount: 739 }))).code).toBe('balance_insufficient')
  await stripe.refunds.create({ payment_intent: intent.id, amount: 738 })
  const nothing = { amount: 1, currency: 'usd', destination, source_transaction: charge }
  expect((await getError(stripe.transfers.create(nothing))).code).toBe('balance_insufficient')

  expect((await stripe.transfers.list({ transfer_group: 'payment_17' })).data).toHaveLength(1)
  expect((await stripe.transfers.list({ destination })).data.map(({ id }) => id)).toEqual([transfer.id])
  expect((await stripe.transfers.list({ transfer_group: 'payment_18' })).data).toEqual([])
  const theirs = await stripe.balance.retrieve({}, { stripeAccount: destination })
  expect(theirs.available).toMatchObject([{ amount: 11_262, currency: 'usd' }])
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: 0 }])
  await webhook.until(() => webhook.types().includes('transfer.created'))
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
  expect((await stripe.balance.retrieve({}, { stripeAccount: destination })).available).toMatchObject([
    { amount: 0 },
  ])
  await webhook.until(() => webhook.types().filter((type) => type === 'transfer.reversed').length === 2)
})

test('concurrent refunds and transfers of a charge never exceed its amount', async () => {
  const world = await openWorld()
  const { stripe } = world
  const destination = await createOnboardedAccount(world)
  for (let round = 0; round < 5; round++) {
    const { charge } = await createPaidIntent(stripe, 10_000)
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 6 }, () => stripe.refunds.create({ charge, amount: 3_000 })),
      ...Array.from({ length: 6 }, () =>
        stripe.transfers.create({ amount: 3_000, currency: 'usd', destination, source_transaction: charge }),
      ),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  }
  const [held] = (await stripe.balance.retrieve()).available
  expect(held?.amount).toBe(5 * 1_000)
})

test('transfers to accounts that cannot receive are refused', async () => {
  const world = await openWorld()
  const { stripe } = world
  const { charge } = await createPaidIntent(stripe, 10_000)
  const begun = await stripe.accounts.create({
    type: 'express',
    capabilities: { transfers: { requested: true } },
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

test('a transfer without a charge uses the platform balance, which never becomes negative', async () => {
  const world = await openWorld()
  const { stripe } = world
  const destination = await createOnboardedAccount(world)
  await createPaidIntent(stripe, 5_000)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => stripe.transfers.create({ amount: 2_000, currency: 'usd', destination })),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(
    (await getError(stripe.transfers.create({ amount: 1_001, currency: 'usd', destination }))).code,
  ).toBe('balance_insufficient')
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: 1_000 }])
})

test('a refund can be pending first, or fail later', async () => {
  const world = await openWorld()
  const { stripe, webhook } = world
  const slow = await createPaidIntent(stripe, 3_000, 'pm_card_pendingRefund')
  const pending = await stripe.refunds.create({ charge: slow.charge })
  expect(pending.status).toBe('pending')
  const failing = await createPaidIntent(stripe, 4_000, 'pm_card_refundFail')
  const hopeful = await stripe.refunds.create({ charge: failing.charge })
  expect(hopeful.status).toBe('succeeded')
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: 0 }])

  world.advanceClock(6_000)
  await webhook.until(() => webhook.types().filter((type) => type === 'refund.updated').length === 2)
  expect((await stripe.refunds.retrieve(pending.id)).status).toBe('succeeded')
  expect(await stripe.refunds.retrieve(hopeful.id)).toMatchObject({
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
  })
  expect(await stripe.charges.retrieve(failing.charge)).toMatchObject({ amount_refunded: 0, refunded: false })
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: 4_000 }])
  await webhook.until(() => webhook.types().includes('refund.failed'))
})
