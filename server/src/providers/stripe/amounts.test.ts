import { expect, test } from 'vitest'
import { INTENT_OF_LAMP } from '../../testing/intent.ts'
import { type MoneyWorld, openMoneyWorld } from '../../testing/money-world.ts'
import { readAmount, readCurrency, UnreadableAmount } from './amounts.ts'
import type { CardProvider } from './card-provider.ts'

test('amounts of Stripe are read in the smallest unit that people use', () => {
  expect(readAmount(12_345, 'usd')).toBe(12_345)
  expect(readAmount(500, 'jpy')).toBe(500)
  expect(readAmount(5_120, 'kwd')).toBe(5_120)
  expect(readAmount(50_000, 'isk')).toBe(500)
  expect(readAmount(-50_000, 'ugx')).toBe(-500)
})

test('an amount that does not fit, or a currency that nobody knows, is never rounded', () => {
  expect(() => readAmount(50_050, 'isk')).toThrow(UnreadableAmount)
  expect(() => readAmount(50_050, 'isk')).toThrow('50050 of the provider is no whole amount in isk')
  expect(() => readCurrency('btc')).toThrow('btc is not a currency of the table')
})

function cardsOf({ services: { cards } }: MoneyWorld): CardProvider {
  if (!cards) throw new Error('this world has a provider')
  return cards
}

async function movementsOf(cards: CardProvider) {
  const found: [kind: string, amount: number, fee: number, currency: string][] = []
  for await (const page of cards.movementsSince(new Date(0)))
    found.push(
      ...page.map((it) => [it.kind, it.amountCents, it.feeCents, it.currency] as (typeof found)[number]),
    )
  return found.toReversed()
}

/** What Stripe itself says, in its own units. */
const rawOf = async ({ stripe }: MoneyWorld, what: string) =>
  (await stripe<{ data: { amount: number; currency: string }[] }>('GET', `/v1/${what}`)).data.map(
    ({ amount, currency }) => [amount, currency],
  )

test('Stripe counts krónur in hundredths, and we do not: intent, refund, transfer, reversal and chargeback', {
  tags: ['proof'],
}, async () => {
  const world = await openMoneyWorld({ env: { CURRENCY: 'isk', PLATFORM_COUNTRY: 'IS' } })
  const cards = cardsOf(world)
  const accountId = await world.connectBob('DE')
  const currency = 'isk' as const
  const payment = { ...INTENT_OF_LAMP, currency, id: 1, createdAt: new Date(0), attempt: 0 }
  const created = await cards.createIntent({ ...payment, amountCents: 10_000 })
  // The bank disputes it as soon as it is paid.
  expect((await world.enterCard(created.clientSecret, '4000000000000259')).status).toBe(200)
  expect(await rawOf(world, 'payment_intents')).toEqual([[1_000_000, 'isk']])
  const intent = await cards.readIntent(created.id)
  expect(intent).toMatchObject({
    receivedCents: 10_000,
    currency,
    fee: { fee: 290, currency },
    conversion: null,
  })
  const { chargebacks } = await cards.readHistory(created.id)
  expect(chargebacks).toMatchObject([
    { amountCents: 10_000, transactions: [{ takenCents: 10_000, fee: 15, currency, conversion: null }] },
  ])

  const other = await cards.createIntent({ ...payment, id: 2, amountCents: 5_000 })
  expect((await world.enterCard(other.clientSecret)).status).toBe(200)
  const of = { paymentId: 2, intentId: other.id, currency, createdAt: new Date(0), attempt: 0 }
  expect(await cards.refund({ ...of, amountCents: 1_200 })).toMatchObject({ amountCents: 1_200 })
  expect(await rawOf(world, 'refunds')).toEqual([[120_000, 'isk']])
  const { id: transferId } = await cards.transfer({ ...of, payoutId: 1, accountId, amountCents: 3_000 })
  expect(await rawOf(world, 'transfers')).toEqual([[300_000, 'isk']])
  const reversal = { causeId: 're_1', transferId, accountId, amountCents: 700 }
  expect(await cards.reverseTransfer(reversal)).toEqual({ cents: 700, conversions: [] })
  expect(await rawOf(world, `transfers/${transferId}/reversals`)).toEqual([[70_000, 'isk']])
  expect(await movementsOf(cards)).toEqual([
    ['charge', 10_000, 290, 'isk'],
    ['dispute', -10_000, 15, 'isk'],
    ['charge', 5_000, 145, 'isk'],
    ['refund', -1_200, 0, 'isk'],
    ['transfer', -3_000, 0, 'isk'],
    ['transfer', 700, 0, 'isk'],
  ])
})

test('what Stripe converts into krónur is worth whole ones', { tags: ['proof'] }, async () => {
  const world = await openMoneyWorld({ env: { CURRENCY: 'usd', PLATFORM_COUNTRY: 'IS' } })
  const cards = cardsOf(world)
  const accountId = await world.connectBob('DE')
  const payment = { ...INTENT_OF_LAMP, id: 1, createdAt: new Date(0), attempt: 0 }
  const { id: intentId, clientSecret } = await cards.createIntent({ ...payment, amountCents: 1_001 })
  expect((await world.enterCard(clientSecret)).status).toBe(200)
  expect(await cards.readIntent(intentId)).toMatchObject({
    receivedCents: 1_001,
    currency: 'usd',
    conversion: { amount: 1_001, currency: 'usd', settledAmount: 1_251, settledCurrency: 'isk' },
  })
  const of = {
    paymentId: 1,
    intentId,
    accountId,
    currency: 'usd',
    createdAt: new Date(0),
    attempt: 0,
  } as const
  const sent = await cards.transfer({ ...of, payoutId: 1, amountCents: 900 })
  // 900 of 1,001 cents, rounded down.
  expect(sent.conversion).toMatchObject({ amount: -900, settledAmount: -1_124, settledCurrency: 'isk' })
  expect(await rawOf(world, 'transfers')).toEqual([[112_400, 'isk']])
  const { cents, conversions } = await cards.reverseTransfer({
    causeId: 're_1',
    transferId: sent.id,
    accountId,
    amountCents: 900,
  })
  expect([cents, conversions.map(({ settledAmount }) => settledAmount)]).toEqual([900, [1_124]])
})

test('a payment with an amount that does not fit is set aside until it does', {
  tags: ['proof'],
}, async () => {
  const world = await openMoneyWorld({ env: { CURRENCY: 'isk', PLATFORM_COUNTRY: 'IS' }, webhook: 'lost' })
  const { clientSecret, paymentId } = await world.start(await world.agree(10_000))
  expect((await world.enterCard(clientSecret)).status).toBe(200)
  const misreport = (kind: string, path: string, amount: number) =>
    world.sql.query(
      `update sandbox.objects set body = jsonb_set(body::jsonb, array[$2], to_jsonb($3::bigint)) where kind = $1`,
      [kind, path, amount],
    )
  const setAside = async () =>
    (await world.sql.query('select task, reason from set_aside_payments')).rows.map(
      ({ task, reason }) => `${task}: ${reason.split(': ')[0]}`,
    )

  await misreport('payment_intent', 'amount_received', 1_000_050)
  await world.runJobs('sync-pending-payments')
  expect(await world.statusOf(paymentId)).toBe('pending')
  expect(await setAside()).toEqual(['charge: 1000050 of the provider is no whole amount in isk'])
  const { rows } = await world.sql.query('select from ledger_entries')
  expect(rows).toEqual([])
  const confirmed = await world.ada.call(`POST /api/manual-delivery-confirm/${paymentId}`)
  expect([confirmed.statusCode, confirmed.json().code]).toEqual([503, 'provider_failed'])

  await misreport('payment_intent', 'amount_received', 1_000_000)
  world.advanceClock(86_400_000)
  await world.runJobs('sync-pending-payments')
  expect(await world.statusOf(paymentId)).toBe('held_in_escrow')
  expect(await setAside()).toEqual([])
  expect(await world.balanceOf(`escrow:${paymentId}`)).toBe(10_000)
  await world.expectBooksRight()

  await world.connectBob('DE')
  await misreport('balance_transaction', 'fee', 29_050)
  await world.ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
  expect(await world.statusOf(paymentId)).toBe('held_in_escrow')
  await misreport('balance_transaction', 'fee', 29_000)
  await world.ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
  await misreport('balance_transaction', 'fee', 29_050)
  await world.runJobs()
  expect(await setAside()).toEqual(['payout: 29050 of the provider is no whole amount in isk'])
  await misreport('balance_transaction', 'fee', 29_000)
  world.advanceClock(86_400_000)
  await world.runJobs('retry-payouts')
  expect(await setAside()).toEqual([])
  expect(await rawOf(world, 'transfers')).toEqual([
    [(await world.sql.query('select amount from payouts')).rows[0].amount * 100, 'isk'],
  ])
  await world.expectBooksRight()
})
