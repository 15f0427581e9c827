import { type Currency, getConfig } from '@sought/contract/platform'
import { useRead } from './calls.ts'

/** The deployment's one currency. */
export function useCurrency(): Currency {
  return useRead(getConfig).data?.currency ?? 'usd'
}
