import { SELLER_COUNTRIES } from '@sought/contract/constants'
import type { SelectOption } from '../../ui/forms/select.tsx'

export type SellerCountry = (typeof SELLER_COUNTRIES)[number]

export const findCountry = (code: string | undefined): SellerCountry | undefined =>
  SELLER_COUNTRIES.find((country) => country === code)

const names = new Intl.DisplayNames('en', { type: 'region' })

export const getCountryName = (code: string): string => names.of(code) ?? code

/** The supported seller countries, with their English names. */
export const countryOptions: readonly SelectOption[] = SELLER_COUNTRIES.map((code) => ({
  value: code,
  label: getCountryName(code),
}))
