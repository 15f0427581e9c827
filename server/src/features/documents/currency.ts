import type { Currency } from '@sought/contract/platform'
import type { Config } from '../../platform/config.ts'

/** The currency of a payment. */
export function currencyOf(_payment: { id: number }, { currency }: Pick<Config, 'currency'>): Currency {
  return currency
}
