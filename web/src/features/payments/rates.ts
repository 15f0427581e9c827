import type { Currency } from '@sought/contract/platform'
import { fees, highestProcessingCents } from '@sought/escrow/fees'
import { holdUntil } from '@sought/escrow/hold'
import { formatCents } from '../../lib/money.ts'

/* The rates in words, read off the rules themselves, so that no screen can say another figure. */

const HUNDRED_CENTS = 100_00
const DAY_MS = 86_400_000

const percent = (cents: number) => `${(cents * 100) / HUNDRED_CENTS}%`

export const platformRate = percent(fees(HUNDRED_CENTS).platformCents)

export function highestProcessingRate(currency: Currency): string {
  const flatCents = highestProcessingCents(0)
  return `${percent(highestProcessingCents(HUNDRED_CENTS) - flatCents)} + ${formatCents(flatCents, currency)}`
}

/** How many days an amount waits for the buyer's word. */
export function holdDays(amountCents: number): number {
  return holdUntil(amountCents, new Date(0)).getTime() / DAY_MS
}
