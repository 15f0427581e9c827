import { type Currency, isCurrency } from '@sought/contract/currencies'
import { readStored, writeStored } from '../../data/browser-storage.ts'

const KEY = 'sought.currency'

/** The currency of the latest request that was posted in this browser, if the market still has it. */
export function readLastCurrency(currencies: readonly Currency[]): Currency | undefined {
  const last = readStored(
    KEY,
    (stored: unknown) => (isCurrency(String(stored)) ? stored : undefined),
    undefined,
  )
  return currencies.find((currency) => currency === last)
}

export const keepLastCurrency = (currency: Currency): void => writeStored(KEY, currency)
