import { type BankField, getRequiredBankFields } from '@sought/contract/bank-account'
import { inGroups } from '../ui/grouped-text.ts'

/* How the fields that a bank goes by look, in forms and out of them. Which ones a country needs, the contract says. */

interface FieldLook {
  label: string
  inputMode: 'numeric' | 'text'
  /** As people write it in groups; what is plain text has none. */
  group?: (text: string) => string
}

const digits = (most: number) => (text: string) => text.replace(/\D/g, '').slice(0, most)
const capitals = (most: number) => (text: string) => text.toUpperCase().slice(0, most)
const dashed = (size: number) => (text: string) => inGroups(digits(6)(text), size).replaceAll(' ', '-')

export const fieldLooks: Record<BankField, FieldLook> = {
  routing_number: { label: 'Routing number', inputMode: 'numeric', group: digits(9) },
  account_number: { label: 'Account number', inputMode: 'numeric', group: digits(17) },
  sort_code: { label: 'Sort code', inputMode: 'numeric', group: dashed(2) },
  bsb_code: { label: 'BSB', inputMode: 'numeric', group: dashed(3) },
  iban: { label: 'IBAN', inputMode: 'text', group: (text) => inGroups(capitals(34)(text), 4) },
  swift_code: { label: 'SWIFT code', inputMode: 'text', group: capitals(11) },
  bank_name: { label: 'Bank name', inputMode: 'text' },
}

const hints: Record<string, { [field in BankField]?: string }> = {
  US: { routing_number: '9 digits, at the bottom left of a check' },
  CA: { routing_number: 'Transit and institution number, 8 digits' },
  GB: { sort_code: 'For example 20-00-00', account_number: '8 digits' },
  AU: { bsb_code: 'For example 062-000' },
  MY: { swift_code: 'Either this or the bank name' },
}

export const hintOf = (country: string, field: BankField): string | undefined => hints[country]?.[field]

/** The fields to show for a country, in order. */
export const fieldsOf = (country: string): BankField[] => getRequiredBankFields(country).flat()

/** Whether everything that the country needs has something in it; of those that stand for each other, one. */
export function isFilled(country: string, values: { [field in BankField]?: string | undefined }): boolean {
  return getRequiredBankFields(country).every((fields) => fields.some((field) => values[field]?.trim()))
}
