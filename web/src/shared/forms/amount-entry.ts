import type { Currency } from '@sought/contract/currencies'
import * as z from 'zod/mini'
import { isInRange, parseCents, type Range } from '../../format/amount.ts'
import { formatMoney } from '../../format/money.ts'

/** The schema of an amount in cents, which is entered as text such as '12.50'. */
export const amountEntry = (range: Range, message: string) =>
  z.pipe(
    z.pipe(z.string(), z.transform(parseCents)),
    z.number(message).check(z.refine((cents) => isInRange(range, cents), message)),
  )

export function describeRange({ minCents, maxCents }: Range, currency: Currency): string {
  const min = formatMoney(minCents, currency)
  return maxCents === null
    ? `Enter at least ${min}`
    : `Enter an amount from ${min} to ${formatMoney(maxCents, currency)}`
}
