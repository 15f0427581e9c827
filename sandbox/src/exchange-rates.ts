import type Stripe from 'stripe'
import * as z from 'zod'
import { firstRow, type Tx } from './database.ts'
import { invalidRequest } from './http/api-error.ts'
import { currency } from './http/params.ts'
import { type Call, route } from './http/route.ts'
import { decimalsOf, type Settled } from './money.ts'
import { getObject } from './objects.ts'
import { PLATFORM_ID } from './platform-account.ts'

/*
 * Money in a currency that an account does not hold is converted into its default currency, at the rate of the moment
 * (ADR 38). Tests can move the rates.
 */

/** How much one dollar is worth, until a test moves it. A currency that is missing is worth one dollar. */
const PER_DOLLAR: Record<string, number> = {
  aud: 1.5,
  brl: 5.4,
  cad: 1.4,
  chf: 0.8,
  czk: 21,
  dkk: 6.4,
  eur: 0.85,
  gbp: 0.75,
  hkd: 7.8,
  huf: 330,
  inr: 88,
  isk: 125,
  jpy: 150,
  mxn: 18.5,
  myr: 4.2,
  nok: 10,
  nzd: 1.75,
  pln: 3.6,
  ron: 4.3,
  sek: 9.4,
  sgd: 1.3,
  thb: 32.5,
}

const DECIMALS = 6

async function rateBetween(tx: Tx, from: string, to: string): Promise<number> {
  const moved = firstRow(
    await tx.query<{ source: string; rate: string }>(
      `select source, rate from sandbox.exchange_rates
       where (source, target) in (($1, $2), ($2, $1))`,
      [from, to],
    ),
  )
  if (moved) return moved.source === from ? Number(moved.rate) : round(1 / Number(moved.rate))
  return round((PER_DOLLAR[to] ?? 1) / (PER_DOLLAR[from] ?? 1))
}

const round = (rate: number) => Number(rate.toPrecision(DECIMALS))

/** Converts an amount in the smallest unit of its currency, at the rate of the moment. */
export async function convert(tx: Tx, amount: number, from: string, to: string): Promise<Settled> {
  if (from === to) return { amount, currency: to, exchangeRate: null }
  const rate = await rateBetween(tx, from, to)
  const exchangeRate = round(rate * 10 ** (decimalsOf(to) - decimalsOf(from)))
  return {
    amount: Math.sign(amount) * Math.round(Math.abs(amount) * exchangeRate),
    currency: to,
    exchangeRate,
  }
}

/** Converts an amount unless the account, or the platform, has a bank account in its currency. */
export async function settle(
  tx: Tx,
  account: string | null,
  amount: number,
  currency: string,
): Promise<Settled> {
  const { body } = await getObject(tx, 'account', account ?? PLATFORM_ID)
  const banks = body.external_accounts?.data.map((bank) => bank.currency) ?? []
  const own = body.default_currency ?? currency
  return convert(tx, amount, currency, banks.includes(currency) ? currency : own)
}

const RateParams = z.strictObject({
  from: currency,
  to: currency,
  rate: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,12})?$/, 'Invalid rate')
    .transform(Number)
    .refine((rate) => rate > 0, 'The rate must be positive'),
})

/** Moves a rate, and its inverse. One unit of `from` is then worth `rate` units of `to`. */
async function moveRate({ tx, params }: Call<z.output<typeof RateParams>>): Promise<Stripe.ExchangeRate> {
  const { from, to, rate } = params
  if (from === to) throw invalidRequest('The currencies must differ.', { param: 'to' })
  await tx.query('delete from sandbox.exchange_rates where (source, target) in (($1, $2), ($2, $1))', [
    from,
    to,
  ])
  await tx.query('insert into sandbox.exchange_rates (source, target, rate) values ($1, $2, $3)', [
    from,
    to,
    rate,
  ])
  return presentRates(tx, from)
}

const retrieveRates = ({ tx, id }: Call) => presentRates(tx, id)

async function presentRates(tx: Tx, from: string): Promise<Stripe.ExchangeRate> {
  const moved = await tx.query<{ currency: string }>(
    `select unnest(array[source, target]) as currency from sandbox.exchange_rates where $1 in (source, target)`,
    [from],
  )
  const others = new Set(['usd', ...Object.keys(PER_DOLLAR), ...moved.map(({ currency }) => currency)])
  others.delete(from)
  const rates: Record<string, number> = {}
  for (const to of [...others].toSorted()) rates[to] = await rateBetween(tx, from, to)
  return { id: from, object: 'exchange_rate', rates }
}

export const exchangeRateRoutes = [
  route('POST', '/v1/test_helpers/exchange_rates', RateParams, moveRate),
  route('GET', '/v1/exchange_rates/:id', z.strictObject({}), retrieveRates),
]
