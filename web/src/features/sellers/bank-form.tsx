import type { BankField } from '@sought/contract/bank-account'
import { BankAccount, saveBankAccount } from '@sought/contract/sellers'
import type * as z from 'zod/mini'
import { explainFailure } from '../../data/use-action.ts'
import { countryOptions } from '../../shared/addresses/countries.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import type { EntryForm } from '../../shared/forms/entry-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import {
  bankFieldFormats,
  getBankFieldHint,
  getBankFields,
  hasRequiredBankFields,
} from '../../shared/payouts/bank-fields.ts'
import { GroupedField } from '../../ui/forms/grouped-field.tsx'
import { removeSeparators } from '../../ui/forms/grouped-text.ts'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { useDefaultCountry } from './use-default-country.ts'

const emptyForm = {
  account_holder_name: '',
  country: 'US',
  routing_number: '',
  account_number: '',
  account_type: 'checking',
  iban: '',
  swift_code: '',
  sort_code: '',
  bsb_code: '',
  bank_name: '',
} as const

/** Cleared when the country changes. */
const countryFields = Object.keys(bankFieldFormats) as BankField[]

/** Holder, country and account type, with the fields used by banks of that country between them. */
export function BankForm({ onSaved }: { onSaved: () => void }) {
  const form = useContractForm(saveBankAccount, {
    schema: BankAccount,
    values: { ...emptyForm, country: useDefaultCountry() },
    success: { title: 'Bank account saved', description: 'We will send your payouts to this account.' },
    failure: explainFailure('Failed to save bank account'),
    onDone: onSaved,
  })
  const values = form.watch()
  const country = values.country ?? emptyForm.country
  const isComplete = values.account_holder_name.trim() !== '' && hasRequiredBankFields(country, values)
  return (
    <Form form={form} name="Bank details" submitLabel="Save Bank Account" disabled={!isComplete}>
      <TextField label="Account holder name" autoComplete="name" {...form.field('account_holder_name')} />
      <Select
        label="Country"
        options={countryOptions}
        {...form.field('country', {
          onChange: () => {
            for (const field of countryFields) form.setValue(field, '')
            form.clearErrors()
          },
        })}
      />
      {getBankFields(country).map((field) => (
        <BankFieldInput key={field} form={form} field={field} country={country} />
      ))}
      <RadioGroup
        label="Account type"
        inRow
        options={[
          { value: 'checking', label: 'Checking' },
          { value: 'savings', label: 'Savings' },
        ]}
        {...form.field('account_type')}
      />
    </Form>
  )
}

interface BankFieldInputProps {
  form: Pick<EntryForm<z.input<typeof BankAccount>>, 'field' | 'control'>
  field: BankField
  country: string
}

function BankFieldInput({ form, field, country }: BankFieldInputProps) {
  const { label, inputMode, group } = bankFieldFormats[field]
  const props = { label, inputMode, hint: getBankFieldHint(country, field), autoComplete: 'off' }
  if (!group) return <TextField {...props} {...form.field(field)} />
  const { value = '', onValueChange, error } = form.control(field)
  return (
    <GroupedField
      {...props}
      error={error}
      group={group}
      value={group(value)}
      onValueChange={(text) => onValueChange(removeSeparators(text))}
    />
  )
}
