// @module-tag proof

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
    message: 'Refund amount ($75.01) is greater than unrefunded amount on charge ($75.00)',
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
  // The fee of the charge is not returned.
  expect((await stripe.balance.retrieve()).pending).toMatchObject([{ amount: -378 }])
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

test('only three of ten concurrent refunds of a third each succeed', async () => {
  const { stripe } = await openWorld()
  const { charge } = await createPaidIntent(stripe, 9_000)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => stripe.refunds.create({ charge, amount: 3_000 })),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect((await stripe.charges.retrieve(charge)).amount_refunded).toBe(9_000)
  expect((await stripe.balance.retrieve()).pending).toMatchObject([{ amount: -291 }])
})

test('a refund after a transfer is taken from the platform’s balance', async () => {
  const world = await openWorld()
  const { stripe } = world
  const destination = await createOnboardedAccount(world)
  const { charge } = await createPaidIntent(stripe, 10_000, 'pm_card_bypassPending')
  await stripe.transfers.create({ amount: 9_000, currency: 'usd', destination, source_transaction: charge })
  expect((await stripe.refunds.create({ charge })).status).toBe('succeeded')
  // 10,000 minus the fee of 320, the transfer and the refund.
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: -9_320 }])
  expect((await stripe.transfers.list({ destination })).data).toMatchObject([{ amount_reversed: 0 }])
})

test('without bank debits, a refund that makes the balance negative is pending until there are funds', async () => {
  const world = await openWorld()
  const { stripe, webhook } = world
  await stripe.balanceSettings.update({ payments: { debit_negative_balances: false } })
  const destination = await createOnboardedAccount(world)
  const { charge } = await createPaidIntent(stripe, 10_000, 'pm_card_bypassPending')
  await stripe.transfers.create({ amount: 9_000, currency: 'usd', destination, source_transaction: charge })
  const refund = await stripe.refunds.create({ charge, amount: 5_000 })
  expect(refund).toMatchObject({ status: 'pending', pending_reason: 'insufficient_funds' })
  world.advanceClock(120_000)
  await createPaidIntent(stripe, 9_000, 'pm_card_bypassPending')
  world.advanceClock(120_000)
  await webhook.until(() => webhook.types().includes('refund.updated'))
  expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'succeeded' })
})

test('a refund of a pending charge is covered by the charge itself', async () => {
  const { stripe } = await openWorld()
  await stripe.balanceSettings.update({ payments: { debit_negative_balances: false } })
  const { charge } = await createPaidIntent(stripe, 10_000)
  expect((await stripe.refunds.create({ charge, amount: 9_000 })).status).toBe('succeeded')
  expect((await stripe.balance.retrieve()).pending).toMatchObject([{ amount: 680 }])
})

test('a refund can be pending at first, or fail later', async () => {
  const world = await openWorld()
  const { stripe, webhook } = world
  const slow = await createPaidIntent(stripe, 3_000, 'pm_card_pendingRefund')
  const pending = await stripe.refunds.create({ charge: slow.charge })
  expect(pending).toMatchObject({ status: 'pending', pending_reason: 'processing' })
  const failing = await createPaidIntent(stripe, 4_000, 'pm_card_refundFail')
  const hopeful = await stripe.refunds.create({ charge: failing.charge })
  expect(hopeful.status).toBe('succeeded')
  // Only the two fees are missing.
  expect((await stripe.balance.retrieve()).pending).toMatchObject([{ amount: -263 }])

  world.advanceClock(6_000)
  await webhook.until(() => webhook.types().filter((type) => type === 'refund.updated').length === 2)
  expect((await stripe.refunds.retrieve(pending.id)).status).toBe('succeeded')
  expect(await stripe.refunds.retrieve(hopeful.id)).toMatchObject({
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
    failure_balance_transaction: expect.stringMatching(/^txn_/),
  })
  expect(await stripe.charges.retrieve(failing.charge)).toMatchObject({ amount_refunded: 0, refunded: false })
  expect((await stripe.balance.retrieve()).pending).toMatchObject([{ amount: 3_737 }])
  await webhook.until(() => webhook.types().includes('refund.failed'))
  await webhook.until(() => webhook.types().filter((type) => type === 'charge.refund.updated').length === 2)
  expect((await stripe.refunds.create({ charge: failing.charge })).amount).toBe(4_000)
})

test('a pending refund fails when its charge is disputed', async () => {
  const world = await openWorld()
  const { stripe, webhook } = world
  const { charge, intent } = await createPaidIntent(stripe, 3_000, 'pm_card_pendingRefund')
  const refund = await stripe.refunds.create({ charge, amount: 1_000 })
  await fetch(`${world.sandbox.url}/payments/${intent.id}/dispute`, { method: 'POST', redirect: 'manual' })
  expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({
    status: 'failed',
    failure_reason: 'charge_for_pending_refund_disputed',
  })
  expect((await stripe.disputes.list({ charge })).data).toMatchObject([{ amount: 3_000 }])
  await webhook.until(() => webhook.types().includes('refund.failed'))
})
