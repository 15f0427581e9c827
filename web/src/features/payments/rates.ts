import type { Currency } from '@sought/contract/platform'
import { calculateFees, calculateMaxProcessingCents, STANDARD_FEES } from '@sought/escrow/fees'
import { calculateHoldEnd } from '@sought/escrow/hold'
import { formatCents } from '../../lib/money.ts'

/* Rates for display, derived from the fee rules so that they cannot differ. */

const HUNDRED_CENTS = 100_00
const DAY_MS = 86_400_000

const percent = (cents: number) => `${(cents * 100) / HUNDRED_CENTS}%`

export const platformRate = percent(calculateFees(HUNDRED_CENTS, STANDARD_FEES).platformCents)

export function maxProcessingRate(currency: Currency): string {
  const flatCents = calculateMaxProcessingCents(0)
  return `${percent(calculateMaxProcessingCents(HUNDRED_CENTS) - flatCents)} + ${formatCents(flatCents, currency)}`
}

/** How many days a payment of this amount stays in escrow. */
export function getHoldDays(amountCents: number): number {
  return calculateHoldEnd(amountCents, new Date(0)).getTime() / DAY_MS
}
