// @module-tag proof

import { expect, test } from 'vitest'
import { formatMoney } from './money.ts'
import {
  completeOnboarding,
  confirmInBrowser,
  createPaidIntent,
  getError,
  openWorld,
  type World,
} from './testing/world.ts'

const DAY_MS = 86_400_000

const charge = ({ stripe }: World, amount: number, currency: string) =>
  stripe.paymentIntents.create({ amount, currency })

test.each([
  ['usd', 49, 'amount_too_small', 'Amount must be at least $0.50'],
  ['jpy', 49, 'amount_too_small', 'Amount must be at least ¥50'],
  ['huf', 17_499, 'amount_too_small', 'Amount must be at least HUF 175.00'],
  [
    'idr',
    800_000,
    'amount_too_small',
    'Amount must convert to at least $0.50. IDR 8,000.00 converts to approximately $0.48.',
  ],
  [
    'isk',
    6_100,
    'amount_too_small',
    'Amount must convert to at least $0.50. ISK 61 converts to approximately $0.49.',
  ],
  ['usd', 100_000_000, 'amount_too_large', 'Amount must be no more than $999,999.99'],
  ['idr', 1_000_000_000_000, 'amount_too_large', 'Amount must be no more than IDR 9,999,999,999.99'],
  ['inr', 1_000_000_000, 'amount_too_large', 'Amount must be no more than ₹9,999,999.99'],
  [
    'kwd',
    5_124,
    'parameter_invalid_integer',
    'Invalid amount: 5124. Amounts in KWD must be evenly divisible by 10.',
  ],
  [
    'isk',
    50_050,
    'parameter_invalid_integer',
    'Invalid amount: 50050. Amounts in ISK must be evenly divisible by 100.',
  ],
  [
    'ugx',
    500_001,
    'parameter_invalid_integer',
    'Invalid amount: 500001. Amounts in UGX must be evenly divisible by 100.',
  ],
])('a charge in %s of %i is refused with %s', async (currency, amount, code, message) => {
  const error = await getError(charge(await openWorld(), amount, currency))
  expect(error).toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError', param: 'amount', code })
  expect(error.message.replaceAll('\u00a0', ' ')).toBe(message)
})

test('the smallest and the largest charges are taken', async () => {
  const world = await openWorld()
  for (const [currency, amount] of [
    ['usd', 50],
    ['usd', 99_999_999],
    ['jpy', 9_999_999_999],
    ['idr', 999_999_999_999],
    ['kwd', 160],
    ['kwd', 99_999_990],
    ['huf', 9_999_999_999],
    ['isk', 6_500],
    ['isk', 99_999_900],
  ] as const)
    expect(await charge(world, amount, currency)).toMatchObject({ amount, currency })
  expect(await getError(charge(world, 5_000, 'btc'))).toMatchObject({ param: 'currency' })
})

test('refunds, transfers and their reversals have no decimals that their currency has not', async () => {
  const world = await openWorld({ platformCountry: 'IS' })
  const { stripe } = world
  const paid = await createPaidIntent(stripe, 1_000_000, 'pm_card_bypassPending', 'isk')
  const refuses = async (call: Promise<unknown>) => expect((await getError(call)).param).toBe('amount')
  await refuses(stripe.refunds.create({ charge: paid.charge, amount: 50_050 }))
  await stripe.refunds.create({ charge: paid.charge, amount: 50_000 })
  const { id: destination } = await stripe.accounts.create({
    type: 'express',
    country: 'IS',
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
  })
  await completeOnboarding(world, destination)
  const transfer = { currency: 'isk', destination, source_transaction: paid.charge }
  await refuses(stripe.transfers.create({ ...transfer, amount: 100_050 }))
  const { id } = await stripe.transfers.create({ ...transfer, amount: 100_000 })
  await refuses(stripe.transfers.createReversal(id, { amount: 50 }))
  await stripe.transfers.createReversal(id, { amount: 100 })
  // A conversion ends in whole krónur too.
  const { charge: inDollars } = await createPaidIntent(stripe, 1_001, 'pm_card_visa', 'usd')
  const { data } = await stripe.balanceTransactions.list({ source: inDollars })
  expect(data).toMatchObject([{ amount: 125_100, currency: 'isk', exchange_rate: 125 }])
  for (const each of data) expect([each.fee % 100, each.net % 100]).toEqual([0, 0])
})

test('banks are paid whole forints', async () => {
  const world = await openWorld({ platformCountry: 'HU', payoutSchedule: 'manual' })
  const { stripe } = world
  await createPaidIntent(stripe, 1_000_045, 'pm_card_bypassPending', 'huf')
  const available = async () => (await stripe.balance.retrieve()).available[0]
  expect(await available()).toEqual({ amount: 976_544, currency: 'huf', source_types: { card: 976_544 } })
  const refused = await getError(stripe.payouts.create({ amount: 1_045, currency: 'huf' }))
  expect(refused.message).toBe('Invalid amount: 1045. Payouts in HUF must be evenly divisible by 100.')
  await stripe.payouts.create({ amount: 1_000, currency: 'huf' })
  await stripe.balanceSettings.update({ payments: { payouts: { schedule: { interval: 'daily' } } } })
  world.advanceClock(DAY_MS)
  await world.webhook.until(() => world.webhook.types().filter((it) => it === 'payout.created').length === 2)
  const { data } = await stripe.payouts.list()
  expect(data.map(({ amount }) => amount)).toEqual([975_500, 1_000])
  expect(await available()).toMatchObject({ amount: 44 })
})

test('an account receives the currency of its country', async () => {
  const { stripe } = await openWorld()
  const { country, default_currency } = await stripe.accounts.retrieveCurrent()
  expect([country, default_currency]).toEqual(['US', 'usd'])
  for (const [code, currency] of [
    ['JP', 'jpy'],
    ['KW', 'kwd'],
    ['ID', 'idr'],
    ['HU', 'huf'],
    ['IS', 'isk'],
    ['DE', 'eur'],
    ['EC', 'usd'],
  ] as const)
    expect((await stripe.countrySpecs.retrieve(code)).default_currency).toBe(currency)
})

test('a charge that is disputed in parts is divided into amounts that its currency has', async () => {
  const world = await openWorld()
  const intent = await charge(world, 10_010, 'kwd')
  await confirmInBrowser(world, intent, '4000000404000079')
  const { data } = await world.stripe.disputes.list({ payment_intent: intent.id })
  expect(data.map(({ amount }) => amount).toSorted()).toEqual([5_000, 5_010])
})

test.each([
  [123_450, 'usd', '$1,234.50'],
  [1_500, 'jpy', '¥1,500'],
  [5_120, 'kwd', 'KWD 5.120'],
  [50_000, 'isk', 'ISK 500'],
  [50_050, 'isk', 'ISK 500.5'],
  [999_999_999_999, 'idr', 'IDR 9,999,999,999.99'],
  [-1_000, 'huf', '-HUF 10.00'],
])('%i %s is shown as %s', (amount, currency, text) => {
  expect(formatMoney(amount, currency).replaceAll('\u00a0', ' ')).toBe(text)
})
