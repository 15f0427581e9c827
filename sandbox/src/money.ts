import { decimalsOf, payoutStepOf, shownDecimalsOf, stepOf } from './currencies.ts'
import { invalidRequest } from './http/api-error.ts'

/** An amount in the currency of an account's balance. */
export interface Settled {
  amount: number
  currency: string
  /** What the amount was multiplied with. Null if nothing was converted. */
  exchangeRate: number | null
}

/** An amount as the API has it, such as `$12.34`. */
export function formatMoney(amount: number, currency: string): string {
  const decimals = shownDecimalsOf(currency)
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    // An amount that should be whole and is not must be seen.
    maximumFractionDigits: decimalsOf(currency),
  })
  return format.format(amount / 10 ** decimalsOf(currency))
}

/** Refuses an amount with decimals that its currency does not have. */
export const checkStep = (amount: number, currency: string): void =>
  requireMultiple(amount, currency, stepOf(currency), 'Amounts')

/** Refuses an amount that banks in its currency are not paid. */
export const checkPayoutStep = (amount: number, currency: string): void =>
  requireMultiple(amount, currency, payoutStepOf(currency), 'Payouts')

function requireMultiple(amount: number, currency: string, step: number, what: string): void {
  if (amount % step === 0) return
  throw invalidRequest(
    `Invalid amount: ${amount}. ${what} in ${currency.toUpperCase()} must be evenly divisible by ${step}.`,
    { code: 'parameter_invalid_integer', param: 'amount' },
  )
}

/** The nearest amount that the currency has. */
export const roundToStep = (amount: number, currency: string): number =>
  Math.round(amount / stepOf(currency)) * stepOf(currency)

/** The part of a balance that a payout can contain. */
export const payablePart = (balance: number, currency: string): number =>
  balance - (balance % payoutStepOf(currency))
