import type { Currency } from '@sought/contract/currencies'
import { getConfig } from '@sought/contract/platform'
import { useRead } from '../../data/calls.ts'

/** The currency of this deployment. */
export function useCurrency(): Currency {
  return useRead(getConfig).data?.currency ?? 'usd'
}
