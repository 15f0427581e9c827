import type { BankField } from '@sought/contract/bank-account'
import type { PayoutBankDetails } from '@sought/contract/payouts'
import { fieldLooks, fieldsOf } from '../../lib/bank-fields.ts'

/** A line of an account: how it is read, and how it is typed into a bank's form. */
export interface BankRow {
  label: string
  shown: string
  copied: string
}

const regions = new Intl.DisplayNames('en', { type: 'region' })
const accountTypes = { checking: 'Checking', savings: 'Savings' } as const
const everyField = Object.keys(fieldLooks) as BankField[]

/** An account as its country's banks know it: what they go by first, then whatever else the seller gave. */
export function bankRows(details: PayoutBankDetails): BankRow[] {
  const { account_holder_name, country, account_type, bank_address } = details
  const fields = [...new Set([...fieldsOf(country), ...everyField])].filter(isNews(details))
  return [
    asWritten('Account holder', account_holder_name),
    ...fields.map((field) => numberRow(field, details[field] ?? '')),
    ...(bank_address ? [asWritten('Bank address', bank_address)] : []),
    asWritten('Account type', accountTypes[account_type]),
    asWritten('Country', regions.of(country) ?? country),
  ]
}

/** Given, and not a number that an earlier line has already: a sort code is kept as a routing number, too. */
function isNews(details: PayoutBankDetails) {
  const seen = new Set<string>()
  return (field: BankField): boolean => {
    const value = details[field] ?? ''
    if (value === '' || seen.has(value)) return false
    seen.add(value)
    return true
  }
}

const asWritten = (label: string, words: string): BankRow => ({ label, shown: words, copied: words })

function numberRow(field: BankField, value: string): BankRow {
  const { label, group } = fieldLooks[field]
  return { label, shown: isWhole(group?.(value), value) ?? value, copied: value }
}

/** A form cuts off what is too long for its country; here every digit counts. */
function isWhole(grouped: string | undefined, value: string): string | undefined {
  return grouped?.replace(/[^0-9a-z]/gi, '') === value ? grouped : undefined
}
