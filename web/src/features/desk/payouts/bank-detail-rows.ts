import type { BankField } from '@sought/contract/bank-account'
import type { PayoutBankDetails } from '@sought/contract/payouts'
import { bankFieldFormats, getBankFields } from '../../../shared/payouts/bank-fields.ts'

/** One line of bank details: as displayed, and as copied for a form. */
export interface BankDetailRow {
  label: string
  display: string
  copyText: string
}

const regions = new Intl.DisplayNames('en', { type: 'region' })
const accountTypes = { checking: 'Checking', savings: 'Savings' } as const
const allFields = Object.keys(bankFieldFormats) as BankField[]

/** The fields used by banks of this country come first, then all other fields that the seller entered. */
export function toDetailRows(details: PayoutBankDetails): BankDetailRow[] {
  const { account_holder_name, country, account_type, bank_address } = details
  const fields = [...new Set([...getBankFields(country), ...allFields])].filter(isNewValue(details))
  return [
    textRow('Account holder', account_holder_name),
    ...fields.map((field) => fieldRow(field, details[field] ?? '')),
    ...(bank_address ? [textRow('Bank address', bank_address)] : []),
    textRow('Account type', accountTypes[account_type]),
    textRow('Country', regions.of(country) ?? country),
  ]
}

/** Skips empty fields and repeated values: a sort code is also stored as the routing number. */
function isNewValue(details: PayoutBankDetails) {
  const seen = new Set<string>()
  return (field: BankField): boolean => {
    const value = details[field] ?? ''
    if (value === '' || seen.has(value)) return false
    seen.add(value)
    return true
  }
}

const textRow = (label: string, text: string): BankDetailRow => ({ label, display: text, copyText: text })

function fieldRow(field: BankField, value: string): BankDetailRow {
  const { label, group } = bankFieldFormats[field]
  const grouped = group?.(value)
  return { label, display: grouped && isComplete(grouped, value) ? grouped : value, copyText: value }
}

/** Grouping cuts off values that are too long for their country. Here every digit must be shown. */
function isComplete(grouped: string, value: string): boolean {
  return grouped.replace(/[^0-9a-z]/gi, '') === value
}
