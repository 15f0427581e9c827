import type { Currency } from '@sought/contract/currencies'
import { parseMoney } from '@sought/contract/money'

/** The allowed amounts. */
export interface Range {
  min: number
  /** Null if there is no maximum. */
  max: number | null
}

/** Reads an amount as the reader writes it, such as '12.50' or '12,50'. Null if it is not one. */
export const readAmount = (text: string, currency: Currency): number | null =>
  parseMoney(text, currency, globalThis.navigator?.language)

export function isInRange({ min, max }: Range, amount: number | null): amount is number {
  return amount !== null && amount >= min && (max === null || amount <= max)
}
