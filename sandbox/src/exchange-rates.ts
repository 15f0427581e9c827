import type Stripe from 'stripe'
import * as z from 'zod'
import { CURRENCIES, decimalsOf, isCurrency, PER_DOLLAR } from './currencies.ts'
import type { Tx } from './database.ts'
import { invalidRequest, notFound } from './http/api-error.ts'
import { currency } from './http/params.ts'
import { type Call, route } from './http/route.ts'
import { roundToStep, type Settled } from './money.ts'
import { getObject } from './objects.ts'
import { PLATFORM_ID } from './platform-account.ts'

/*
 * Money in a currency that an account does not hold is converted into its default currency, at the rate of the moment
 * (ADR 38). Tests can move the rates.
 */

const DECIMALS = 6

/** The rates of a currency that a test has moved. */
async function readMoved(tx: Tx, from: string): Promise<Map<string, number>> {
  const rows = await tx.query<{ source: string; target: string; rate: string }>(
    'select source, target, rate from sandbox.exchange_rates where $1 in (source, target)',
    [from],
  )
  return new Map(
    rows.map(({ source, target, rate }) =>
      source === from ? [target, Number(rate)] : [source, round(1 / Number(rate))],
    ),
  )
}

const rateBetween = async (tx: Tx, from: string, to: string) =>
  (await readMoved(tx, from)).get(to) ?? usualRate(from, to)

const usualRate = (from: string, to: string) => round(perDollar(to) / perDollar(from))

function perDollar(currency: string): number {
  if (!isCurrency(currency)) throw notFound('exchange rate', currency)
  return PER_DOLLAR[currency]
}

const round = (rate: number) => Number(rate.toPrecision(DECIMALS))

/** Converts an amount in the smallest unit of its currency, at the rate of the moment. */
export async function convert(tx: Tx, amount: number, from: string, to: string): Promise<Settled> {
  if (from === to) return { amount, currency: to, exchangeRate: null }
  const rate = await rateBetween(tx, from, to)
  const exchangeRate = round(rate * 10 ** (decimalsOf(to) - decimalsOf(from)))
  return {
    amount: Math.sign(amount) * roundToStep(Math.abs(amount) * exchangeRate, to),
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
  const moved = await readMoved(tx, from)
  const others = CURRENCIES.filter((to) => to !== from)
  const rates = Object.fromEntries(others.map((to) => [to, moved.get(to) ?? usualRate(from, to)]))
  return { id: from, object: 'exchange_rate', rates }
}

export const exchangeRateRoutes = [
  route('POST', '/v1/test_helpers/exchange_rates', RateParams, moveRate),
  route('GET', '/v1/exchange_rates/:id', z.strictObject({}), retrieveRates),
]
