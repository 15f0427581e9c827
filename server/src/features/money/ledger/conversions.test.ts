import { setUpStripeConnect } from '@sought/contract/sellers'
import { expect, onTestFinished, test } from 'vitest'
import { cardBrowserOf } from '../../../market-builder/card-browser.ts'
import { changeSettings } from '../../../testing/change-settings.ts'
import { givenReleasedPayment, openChargeback, payoutOf } from '../../../testing/chargebacks.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import { checkLedger } from './check-ledger.ts'

/* Deals whose money the provider converts, on a platform in the US that settles in dollars. */

const open = shareMoneyWorld()

const moveRate = (world: MoneyWorld, from: string, to: string, rate: number) =>
  world.stripe('POST', '/v1/test_helpers/exchange_rates', { from, to, rate: String(rate) })

/** Prices are in ringgit until the end of the test. */
async function priceInRinggit({ services }: MoneyWorld): Promise<void> {
  await changeSettings(services, { currencies: ['myr', 'usd'] })
  onTestFinished(() => changeSettings(services, { currencies: ['usd'] }))
}

/** Gives Bob an account in a country, from which he pays out himself, and returns its id. */
async function connectBob(world: MoneyWorld, country: 'DE' | 'US'): Promise<string> {
  const { onboardingUrl } = await world.bob.send(setUpStripeConnect, { body: { country } })
  await cardBrowserOf(world.services).completeOnboarding(onboardingUrl)
  const { rows } = await world.sql.query('select stripe_connect_account_id as id from users where id = $1', [
    world.bob.id,
  ])
  const { secretKey, apiUrl } = world.services.sandbox?.keys ?? {}
  const answer = await fetch(`${apiUrl}/v1/balance_settings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'stripe-account': rows[0].id },
    body: new URLSearchParams({ 'payments[payouts][schedule][interval]': 'manual' }),
  })
  expect(answer.status).toBe(200)
  return rows[0].id
}

/** What a payment changed in each account and currency, without zeros. */
async function booksOf({ sql }: MoneyWorld, paymentId: number): Promise<Record<string, number>> {
  const { rows } = await sql.query(
    `select split_part(account, ':', 1) || case when account like 'fees:%' then ':' || split_part(account, ':', 2) else '' end
       || ' ' || currency as name, sum(amount_cents)::int as cents
     from ledger_entries where payment_id = $1 group by 1 having sum(amount_cents) <> 0 order by 1`,
    [paymentId],
  )
  return Object.fromEntries(rows.map(({ name, cents }) => [name, cents]))
}

const awaitFact = ({ sql }: MoneyWorld, key: string) =>
  eventually(async () => {
    expect((await sql.query('select from provider_facts where key = $1', [key])).rowCount).toBe(1)
  })

test('a seller abroad is paid, and a chargeback takes back what their account has', async () => {
  const world = await open()
  await moveRate(world, 'usd', 'eur', 0.8)
  await connectBob(world, 'DE')
  const paymentId = await givenReleasedPayment(world)
  await world.runJobs()
  expect(await payoutOf(world, paymentId)).toEqual({ status: 'paid', amount: 11_262, reversed: 0 })
  world.advanceClock(4 * 86_400_000)
  // Now the account can give back only 80.00 of every 90.00 dollars.
  await moveRate(world, 'usd', 'eur', 0.9)
  const chargebackId = await openChargeback(world, paymentId)
  await awaitFact(world, `dispute_opened:${chargebackId}`)
  await world.runJobs()
  const { reversed } = await payoutOf(world, paymentId)
  expect(reversed).toBeGreaterThan(9_000)
  expect(reversed).toBeLessThanOrEqual(10_010)
  await world.expectBooksRight()
  await world.press(`/sandbox/disputes/${chargebackId}/lost`)
  await awaitFact(world, `dispute_lost:${chargebackId}`)
  await world.runJobs()
  await world.expectBooksRight()
})

test('a charge in ringgit settles in dollars, and so do its payout, refund and chargeback', async () => {
  const world = await open()
  await priceInRinggit(world)
  await moveRate(world, 'myr', 'usd', 0.25)
  const accountId = await connectBob(world, 'US')
  // Money of other deals, from which a payout can be sent again.
  await world.payIntoEscrow(90_000)
  const paymentId = await givenReleasedPayment(world)
  // Neither party is affected by what the rate does afterwards.
  await moveRate(world, 'myr', 'usd', 0.3)
  await world.runJobs()
  const { data } = await world.stripe<{ data: object[] }>('GET', `/v1/transfers?destination=${accountId}`)
  const sold = await payoutOf(world, paymentId)
  expect(data).toMatchObject([{ amount: Math.floor(sold.amount / 4), currency: 'usd' }])
  const sent = Math.floor(sold.amount / 4)
  // In ringgit, nothing is left at the provider: everything is in dollars.
  expect(await booksOf(world, paymentId)).toEqual({
    'fees:platform myr': 360,
    'fees:processing myr': 12_000 - 360 - sold.amount,
    'fees:provider usd': -117,
    'fx myr': sold.amount - 12_000,
    'fx usd': 3_000 - sent,
    'provider usd': sent + 117 - 3_000,
  })
  await world.expectBooksRight()
  world.advanceClock(4 * 86_400_000)
  const chargebackId = await openChargeback(world, paymentId, { amount: '4000' })
  await awaitFact(world, `dispute_opened:${chargebackId}`)
  await world.runJobs()
  await world.expectBooksRight()
  await moveRate(world, 'myr', 'usd', 0.2)
  await world.press(`/sandbox/disputes/${chargebackId}/won`)
  await awaitFact(world, `dispute_won:${chargebackId}`)
  await world.runJobs()
  expect((await payoutOf(world, paymentId)).status).toBe('paid')
  await world.expectBooksRight()
  const { totals } = await checkLedger(world.services.database.read, world.services.cards)
  expect(totals).toEqual([
    'The ledger has 0.00 MYR at the provider, which has 0.00 MYR',
    expect.stringMatching(/^The ledger has ([\d.]+ USD) at the provider, which has \1$/),
  ])
})
