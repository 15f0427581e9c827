import { type Currency, fromProviderAmount, isCurrency } from '@sought/contract/currencies'
import { ProviderFailed } from './card-provider.ts'

/*
 * Every amount of Stripe is read here, and every amount that we send passes `toProviderAmount`. Everywhere else, amounts
 * are in our smallest unit (ADR 102).
 */

/** Stripe reported an amount that we cannot express. It is never rounded, and the payment is set aside. */
export class UnreadableAmount extends ProviderFailed {
  constructor(cause: unknown) {
    super('unknown', cause)
    this.message = cause instanceof Error ? cause.message : String(cause)
  }
}

export function readCurrency(code: string): Currency {
  if (isCurrency(code)) return code
  throw new UnreadableAmount(new RangeError(`${code} is not a currency of the table`))
}

/** Negative if the money left our balance. */
export function readAmount(amount: number, currency: string): number {
  const known = readCurrency(currency)
  try {
    return fromProviderAmount(amount, known)
  } catch (error) {
    throw new UnreadableAmount(error)
  }
}
