import type { BankField } from '@sought/contract/bank-account'
import { BankAccount, saveBankAccount } from '@sought/contract/sellers'
import { useAction } from '../../data/use-action.ts'
import { countryOptions } from '../../shared/addresses/countries.ts'
import { useContractForm } from '../../shared/forms/form.ts'
import {
  bankFieldFormats,
  getBankFieldHint,
  getBankFields,
  hasRequiredBankFields,
} from '../../shared/payouts/bank-fields.ts'
import { Button } from '../../ui/forms/button.tsx'
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

const isField = (path: string): path is keyof typeof emptyForm => path in emptyForm

/** Cleared when the country changes. */
const countryFields = Object.keys(bankFieldFormats) as BankField[]

type Form = ReturnType<typeof useBankForm>

const useBankForm = () => useContractForm(BankAccount, { ...emptyForm, country: useDefaultCountry() })

/** Holder, country and account type, with the fields used by banks of that country between them. */
export function BankForm({ onSaved }: { onSaved: () => void }) {
  const form = useBankForm()
  const { save, isPending } = useSaveBankAccount(form, onSaved)
  const values = form.watch()
  const country = values.country ?? emptyForm.country
  const isComplete = values.account_holder_name.trim() !== '' && hasRequiredBankFields(country, values)
  return (
    <form noValidate aria-label="Bank details" onSubmit={save} className="grid gap-5">
      <TextField
        label="Account holder name"
        autoComplete="name"
        error={form.formState.errors.account_holder_name?.message}
        {...form.register('account_holder_name')}
      />
      <Select
        label="Country"
        options={countryOptions}
        {...form.register('country', {
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
        {...form.register('account_type')}
      />
      <Button type="submit" busy={isPending} disabled={!isComplete} className="justify-self-start">
        Save Bank Account
      </Button>
    </form>
  )
}

function useSaveBankAccount(form: Form, onSaved: () => void) {
  const { run, isPending } = useAction(saveBankAccount, {
    success: { title: 'Bank account saved', description: 'We will send your payouts to this account.' },
    failure: ({ issues, userMessage }) => {
      for (const { path, message } of issues) if (isField(path)) form.setError(path, { message })
      return { title: 'Failed to save bank account', description: userMessage ?? 'Please try again.' }
    },
    onDone: onSaved,
  })
  return { save: form.handleSubmit((body) => run({ body })), isPending }
}

interface BankFieldInputProps {
  form: Form
  field: BankField
  country: string
}

function BankFieldInput({ form, field, country }: BankFieldInputProps) {
  const { label, inputMode, group } = bankFieldFormats[field]
  const props = {
    label,
    inputMode,
    hint: getBankFieldHint(country, field),
    autoComplete: 'off',
    error: form.formState.errors[field]?.message,
  }
  if (!group) return <TextField {...props} {...form.register(field)} />
  return (
    <GroupedField
      {...props}
      group={group}
      value={group(form.watch(field) ?? '')}
      onValueChange={(text) =>
        form.setValue(field, removeSeparators(text), { shouldValidate: form.formState.isSubmitted })
      }
    />
  )
}
