// @module-tag proof

import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { completeOnboarding, getError, openWorld, type World } from './testing/world.ts'

function moveRate({ stripe }: World, from: string, to: string, rate: number) {
  return stripe.rawRequest('POST', '/v1/test_helpers/exchange_rates', { from, to, rate })
}

async function charge({ stripe }: World, amount: number, currency: string, card = 'pm_card_bypassPending') {
  const { latest_charge } = await stripe.paymentIntents.create({
    amount,
    currency,
    capture_method: 'automatic',
    payment_method: card,
    confirm: true,
    return_url: 'http://localhost:3000',
  })
  return stripe.charges.retrieve(String(latest_charge), { expand: ['balance_transaction'] })
}

const transactionOf = ({ balance_transaction }: Stripe.Charge) =>
  balance_transaction as Stripe.BalanceTransaction

async function openAccount(world: World, country: string): Promise<string> {
  const { id } = await world.stripe.accounts.create({
    type: 'express',
    country,
    capabilities: { transfers: { requested: true } },
    tos_acceptance: { service_agreement: 'recipient' },
    // A daily payout would empty the balance that the tests read.
    settings: { payouts: { schedule: { interval: 'manual' } } },
  })
  await completeOnboarding(world, id)
  return id
}

test('a charge, its refunds and its disputes are converted at the rate of the moment', async () => {
  const world = await openWorld()
  const { stripe } = world
  expect((await moveRate(world, 'eur', 'usd', 1.25)).rates).toMatchObject({ usd: 1.25 })
  const paid = await charge(world, 10_000, 'eur')
  expect(transactionOf(paid)).toMatchObject({
    amount: 12_500,
    currency: 'usd',
    exchange_rate: 1.25,
    fee: 393,
    fee_details: [{ currency: 'usd' }],
    net: 12_107,
  })
  await moveRate(world, 'eur', 'usd', 1.5)
  const refund = await stripe.refunds.create({ charge: paid.id, amount: 1_000 })
  expect(refund).toMatchObject({ amount: 1_000, currency: 'eur' })
  const [taken] = (await stripe.balanceTransactions.list({ source: refund.id })).data
  expect(taken).toMatchObject({ amount: -1_500, currency: 'usd', exchange_rate: 1.5 })

  const disputed = await charge(world, 2_000, 'eur', 'pm_card_createDispute')
  const [dispute] = (await stripe.disputes.list({ charge: disputed.id })).data
  expect(dispute).toMatchObject({
    amount: 2_000,
    currency: 'eur',
    balance_transactions: [{ amount: -3_000, currency: 'usd', fee: 1_500, exchange_rate: 1.5 }],
  })
  await moveRate(world, 'usd', 'eur', 0.5)
  const won = await stripe.disputes.update(String(dispute?.id), {
    evidence: { uncategorized_text: 'winning_evidence' },
  })
  expect(won.balance_transactions[1]).toMatchObject({ amount: 4_000, exchange_rate: 2 })
})

test('an account abroad receives its own currency and gives it back at the new rate', async () => {
  const world = await openWorld()
  const { stripe } = world
  const destination = await openAccount(world, 'DE')
  await moveRate(world, 'usd', 'eur', 0.8)
  const paid = await charge(world, 10_000, 'usd')
  const transfer = await stripe.transfers.create({
    amount: 9_000,
    currency: 'usd',
    destination,
    source_transaction: paid.id,
  })
  const theirs = { stripeAccount: destination }
  const source = String(transfer.destination_payment)
  expect((await stripe.balanceTransactions.list({ source }, theirs)).data).toMatchObject([
    { type: 'payment', amount: 7_200, currency: 'eur', exchange_rate: 0.8 },
  ])
  world.advanceClock(2 * 86_400_000)
  await moveRate(world, 'usd', 'eur', 0.9)
  expect((await getError(stripe.transfers.createReversal(transfer.id))).code).toBe('balance_insufficient')
  const reversal = await stripe.transfers.createReversal(transfer.id, { amount: 1_000 })
  expect(reversal).toMatchObject({ amount: 1_000, currency: 'usd' })
  const [back] = (
    await stripe.balanceTransactions.list({ source: String(reversal.destination_payment_refund) }, theirs)
  ).data
  expect(back).toMatchObject({ amount: -900, currency: 'eur', exchange_rate: 0.9 })
  expect((await stripe.balance.retrieve({}, theirs)).available).toMatchObject([
    { amount: 6_300, currency: 'eur' },
  ])
})

test('a transfer from a charge is in the currency of its balance transaction', async () => {
  const world = await openWorld()
  const { stripe } = world
  const destination = await openAccount(world, 'GB')
  await moveRate(world, 'eur', 'usd', 1.2)
  const paid = await charge(world, 10_000, 'eur')
  const from = { destination, source_transaction: paid.id }
  expect((await getError(stripe.transfers.create({ ...from, amount: 100, currency: 'eur' }))).message).toBe(
    "The currency of source_transaction's balance transaction (usd) must be the same as the transfer currency (eur)",
  )
  expect((await getError(stripe.transfers.create({ ...from, amount: 12_001, currency: 'usd' }))).param).toBe(
    'amount',
  )
  expect((await stripe.transfers.create({ ...from, amount: 5_000, currency: 'usd' })).currency).toBe('usd')
})

test('a currency without decimals is converted in its smallest unit', async () => {
  const world = await openWorld()
  await moveRate(world, 'jpy', 'usd', 0.0065)
  expect(transactionOf(await charge(world, 10_000, 'jpy'))).toMatchObject({
    amount: 6_500,
    currency: 'usd',
    exchange_rate: 0.65,
  })
  expect(await getError(moveRate(world, 'usd', 'usd', 1))).toMatchObject({ param: 'to' })
  expect(await getError(moveRate(world, 'usd', 'eur', -1))).toMatchObject({ param: 'rate' })
})
