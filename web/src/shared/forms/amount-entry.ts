import type { Currency } from '@sought/contract/currencies'
import * as z from 'zod/mini'
import { isInRange, type Range, readAmount } from '../../format/amount.ts'
import { formatMoney } from '../../format/money.ts'

/** The schema of an amount that is entered as text, such as '12.50'. */
export const amountEntry = (range: Range, currency: Currency, message = describeRange(range, currency)) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => readAmount(text, currency)),
    ),
    z.number(message).check(z.refine((amount) => isInRange(range, amount), message)),
  )

export function describeRange({ min, max }: Range, currency: Currency): string {
  return max === null
    ? `Enter at least ${formatMoney(min, currency)}`
    : `Enter an amount from ${formatMoney(min, currency)} to ${formatMoney(max, currency)}`
}
