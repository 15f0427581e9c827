import type { Currency } from '@sought/contract/currencies'
import { rulesOf } from '@sought/contract/currencies'
import { initiateDispute, resolveDispute } from '@sought/contract/disputes'
import { changeSettings } from '@sought/contract/market-settings'
import { acceptOffer, makeOffer } from '@sought/contract/offers'
import { confirmDelivery } from '@sought/contract/payments'
import { postWantedItem } from '@sought/contract/requests'
import { expect, test } from 'vitest'
import { lamp } from '../../../market-builder/given.ts'
import { intentOf, openChargeback, payoutOf } from '../../../testing/chargebacks.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, openMoneyWorld } from '../../../testing/money-world.ts'
import type { Person } from '../../../testing/world.ts'
import { checkLedger } from './check-ledger.ts'

/* A market with five currencies, on a platform in the US that settles dollars and converts the rest. */

const DAY_MS = 86_400_000

/** About 120 dollars in each, and uneven, so that something has to be rounded. */
const PRICES = { usd: 12_001, eur: 10_207, jpy: 18_001, kwd: 36_730, idr: 199_200_051 } as const

type Price = keyof typeof PRICES

const ALL = Object.keys(PRICES) as Price[]

interface Market extends MoneyWorld {
  root: Person
}

async function openMarket(): Promise<Market> {
  const world = await openMoneyWorld()
  const root = await world.signUp('Root', 'admin')
  await root.send(changeSettings, { body: { currencies: ALL } })
  await world.connectBob()
  return { ...world, root }
}

/** Ada pays Bob's offer, and the money is in escrow. Returns the payment's id. */
async function pay(market: Market, currency: Price): Promise<number> {
  const { ada, bob } = market
  const { id: wantedItemId } = await ada.send(postWantedItem, { body: { ...lamp, currency } })
  const offer = { wantedItemId, receiverId: ada.id, amount: PRICES[currency] }
  const { id: offerId } = await bob.send(makeOffer, { body: offer })
  await ada.send(acceptOffer, { params: { id: offerId } })
  const started = await market.start({ itemId: wantedItemId, offerId, amount: PRICES[currency] })
  expect(started.currency).toBe(currency)
  expect((await market.enterCard(started.clientSecret)).status).toBe(200)
  await eventually(async () => expect(await market.statusOf(started.paymentId)).toBe('held_in_escrow'))
  return started.paymentId
}

const confirm = ({ ada }: Market, id: number) => ada.send(confirmDelivery, { params: { id } })

async function rule(
  { ada, root }: Market,
  id: number,
  ruling: { action: 'split_difference' | 'refund_partial'; refundAmount?: number },
): Promise<void> {
  await ada.send(initiateDispute, { body: { paymentId: id, reason: 'Not green' } })
  await root.send(resolveDispute, { params: { id }, body: { note: 'Both are right', ...ruling } })
}

const awaitFact = ({ sql }: Market, key: string) =>
  eventually(async () => {
    expect((await sql.query('select from provider_facts where key = $1', [key])).rowCount).toBe(1)
  })

const moveRate = (market: Market, from: Currency, rate: number) =>
  market.stripe('POST', '/v1/test_helpers/exchange_rates', { from, to: 'usd', rate: String(rate) })

/** What the payment changed in each kind of account, in its own currency. */
async function sharesOf({ sql }: Market, paymentId: number, currency: Price) {
  const { rows } = await sql.query(
    `select case when account like 'fees:%' then account else split_part(account, ':', 1) end as name,
       sum(amount_cents) filter (where key ~ '^(release|ruling):')::float8 as amount
     from ledger_entries where payment_id = $1 and currency = $2 group by 1`,
    [paymentId, currency],
  )
  const amounts = Object.fromEntries(rows.map(({ name, amount }) => [name, amount ?? 0]))
  const { buyer = 0, seller = 0 } = amounts
  return { buyer, seller, platform: amounts['fees:platform'], card: amounts['fees:processing'] }
}

/** What the provider did for a payment, in its own currency and units. */
async function refundsOf(market: Market, paymentId: number): Promise<[amount: number, currency: string][]> {
  const path = `/v1/refunds?payment_intent=${await intentOf(market, paymentId)}`
  const { data } = await market.stripe<{ data: { amount: number; currency: string }[] }>('GET', path)
  return data.map(({ amount, currency }) => [amount, currency])
}

/** One line for each currency of the ledger, with equal amounts. */
async function expectTotals(market: Market, currencies: Price[]): Promise<void> {
  await market.expectBooksRight()
  const { totals } = await checkLedger(market.services.database.read, market.services.cards)
  expect(totals).toEqual(
    currencies.toSorted().map((code) => {
      const { decimals } = rulesOf(code)
      // Everything is in dollars at the provider.
      const amount = code === 'usd' ? '-?[\\d.]+' : (0).toFixed(decimals).replace('.', '\\.')
      const line = `^The ledger has (${amount} ${code.toUpperCase()}) at the provider, which has \\1$`
      return expect.stringMatching(new RegExp(line))
    }),
  )
}

/** The parts are exact: they are what can be charged, refunded and paid, and sum to the price. */
async function expectExact(market: Market, paymentId: number, currency: Price) {
  const shares = await sharesOf(market, paymentId, currency)
  const { step } = rulesOf(currency)
  const parts = Object.values(shares)
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(PRICES[currency])
  for (const part of parts) expect(part % step).toBe(0)
  return shares
}

test('a dinar is divided into amounts that the provider takes', async () => {
  const market = await openMarket()
  const paymentId = await pay(market, 'kwd')
  await rule(market, paymentId, { action: 'split_difference' })
  await market.runJobs()
  const shares = await expectExact(market, paymentId, 'kwd')
  expect(shares).toEqual({ buyer: 18_370, seller: 17_180, platform: 550, card: 630 })
  expect(await refundsOf(market, paymentId)).toEqual([[18_370, 'kwd']])
  expect(await payoutOf(market, paymentId)).toEqual({ status: 'paid', amount: 17_180, reversed: 0 })
  await expectTotals(market, ['kwd', 'usd'])
})

test('deals, disputes, refunds, chargebacks and payouts in five currencies', {
  tags: ['proof'],
  timeout: 300_000,
}, async () => {
  const market = await openMarket()
  const made: [Price, number][] = []
  const payIn = async (currency: Price) => {
    const paymentId = await pay(market, currency)
    made.push([currency, paymentId])
    return paymentId
  }

  for (const currency of ALL) {
    const { step } = rulesOf(currency)
    await confirm(market, await payIn(currency))
    await rule(market, await payIn(currency), { action: 'split_difference' })
    const refundAmount = 1_110 * step
    const refunded = await payIn(currency)
    await rule(market, refunded, { action: 'refund_partial', refundAmount })
    await market.runJobs()
    expect((await sharesOf(market, refunded, currency)).buyer).toBe(refundAmount)
    expect(await refundsOf(market, refunded)).toEqual([[refundAmount, currency]])
  }
  for (const [currency, paymentId] of made) {
    const { seller } = await expectExact(market, paymentId, currency)
    expect(await payoutOf(market, paymentId)).toEqual({ status: 'paid', amount: seller, reversed: 0 })
  }
  await expectTotals(market, ALL)

  // Rates move between a charge, its chargeback and the bank's decision.
  const rates = {
    eur: [1.2, 1.1],
    jpy: [0.007, 0.0065],
    kwd: [3.3, 3.1],
    idr: [0.000_061, 0.000_059],
  } as const
  // Money of other deals, from which payouts can be sent again.
  for (let deal = 0; deal < 4; deal++) await pay(market, 'usd')
  market.advanceClock(3 * DAY_MS)
  for (const currency of ALL) {
    const { step } = rulesOf(currency)
    const [before, after] = currency === 'usd' ? [] : rates[currency]
    const [won, lost, escrowed] = [await payIn(currency), await payIn(currency), await payIn(currency)]
    await confirm(market, won)
    await confirm(market, lost)
    await market.runJobs()
    if (before) await moveRate(market, currency, before)
    const amount = String(1_230 * step)
    const opened = [
      await openChargeback(market, won, { amount }),
      await openChargeback(market, lost),
      await openChargeback(market, escrowed),
    ]
    for (const id of opened) await awaitFact(market, `dispute_opened:${id}`)
    await market.runJobs()
    await market.expectBooksRight()
    if (after) await moveRate(market, currency, after)
    const [first, ...others] = opened
    await market.press(`/sandbox/disputes/${first}/won`)
    await awaitFact(market, `dispute_won:${first}`)
    for (const id of others) {
      await market.press(`/sandbox/disputes/${id}/lost`)
      await awaitFact(market, `dispute_lost:${id}`)
    }
    await market.runJobs()
    expect(await market.statusOf(escrowed)).toBe('resolved_buyer')
    expect((await payoutOf(market, won)).status).toBe('paid')
    await market.expectBooksRight()
  }
  await expectTotals(market, ALL)

  // Nothing of one currency is in an account of another.
  const { rows } = await market.sql.query(
    `select currency, sum(amount_cents)::float8 as sum from ledger_entries group by currency order by currency`,
  )
  expect(rows).toEqual(ALL.toSorted().map((currency) => ({ currency, sum: 0 })))
})
