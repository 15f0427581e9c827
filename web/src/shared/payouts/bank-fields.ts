import { type BankField, getRequiredBankFields } from '@sought/contract/bank-account'
import { formatInGroups } from '../../ui/forms/grouped-text.ts'

/* The labels and formats of bank details. The contract defines which fields a country needs. */

interface FieldFormat {
  label: string
  inputMode: 'numeric' | 'text'
  /** Formats long numbers in groups. */
  group?: (text: string) => string
}

const onlyDigits = (maxLength: number) => (text: string) => text.replace(/\D/g, '').slice(0, maxLength)
const upperCase = (maxLength: number) => (text: string) => text.toUpperCase().slice(0, maxLength)
const dashedDigits = (size: number) => (text: string) =>
  formatInGroups(onlyDigits(6)(text), size).replaceAll(' ', '-')

export const bankFieldFormats: Record<BankField, FieldFormat> = {
  routing_number: { label: 'Routing number', inputMode: 'numeric', group: onlyDigits(9) },
  account_number: { label: 'Account number', inputMode: 'numeric', group: onlyDigits(17) },
  sort_code: { label: 'Sort code', inputMode: 'numeric', group: dashedDigits(2) },
  bsb_code: { label: 'BSB', inputMode: 'numeric', group: dashedDigits(3) },
  iban: { label: 'IBAN', inputMode: 'text', group: (text) => formatInGroups(upperCase(34)(text), 4) },
  swift_code: { label: 'SWIFT code', inputMode: 'text', group: upperCase(11) },
  bank_name: { label: 'Bank name', inputMode: 'text' },
}

const hints: Record<string, { [field in BankField]?: string }> = {
  US: { routing_number: '9 digits, at the bottom left of a check' },
  CA: { routing_number: 'Transit and institution number, 8 digits' },
  GB: { sort_code: 'For example 20-00-00', account_number: '8 digits' },
  AU: { bsb_code: 'For example 062-000' },
  MY: { swift_code: 'Either this or the bank name' },
}

export const getBankFieldHint = (country: string, field: BankField): string | undefined =>
  hints[country]?.[field]

/** The fields to show for a country, in order. */
export const getBankFields = (country: string): BankField[] => getRequiredBankFields(country).flat()

/** Whether all required fields are filled in. One of several alternative fields is enough. */
export function hasRequiredBankFields(
  country: string,
  values: { [field in BankField]?: string | undefined },
): boolean {
  return getRequiredBankFields(country).every((fields) => fields.some((field) => values[field]?.trim()))
}
