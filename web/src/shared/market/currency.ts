import type { Currency } from '@sought/contract/currencies'
import { getConfig } from '@sought/contract/platform'
import { useRead } from '../../data/calls.ts'

/** The currencies of the market. The first one is the default. */
export function useCurrencies(): readonly Currency[] {
  return useRead(getConfig).data?.currencies.map(({ code }) => code) ?? ['usd']
}

/** The market's first currency, for amounts that name none. */
export function useFirstCurrency(): Currency {
  return useRead(getConfig).data?.currency ?? 'usd'
}
