import { getConfig } from '@sought/contract/platform'
import { useRead } from '../../data/calls.ts'
import { findCountry, type SellerCountry } from '../../shared/addresses/countries.ts'

/** The platform's own country, if sellers there can be paid. */
export function useDefaultCountry(): SellerCountry {
  return findCountry(useRead(getConfig).data?.platformCountry) ?? 'US'
}
