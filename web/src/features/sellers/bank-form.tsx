import type { BankField } from '@sought/contract/bank-account'
import { BankAccount, getBankStatus, saveBankAccount } from '@sought/contract/sellers'
import { fieldLooks, fieldsOf, hintOf, isFilled } from '../../lib/bank-fields.ts'
import { useSend } from '../../lib/calls.ts'
import type { CallError } from '../../lib/client.ts'
import { countryOptions } from '../../lib/countries.ts'
import { useContractForm } from '../../lib/form.ts'
import { toast } from '../../lib/toasts.ts'
import { useSessionEnded } from '../../lib/use-session-ended.ts'
import { Button } from '../../ui/button.tsx'
import { GroupedField } from '../../ui/grouped-field.tsx'
import { significant } from '../../ui/grouped-text.ts'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'

const blank = {
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

const isField = (path: string): path is keyof typeof blank => path in blank

/** One country's numbers mean nothing in another. */
const ofOneCountry = Object.keys(fieldLooks) as BankField[]

type Form = ReturnType<typeof useBankForm>

const useBankForm = () => useContractForm(BankAccount, blank)

/** Holder, country and kind of account, and between them what that country's banks go by. */
export function BankForm({ onSaved }: { onSaved: () => void }) {
  const form = useBankForm()
  const { save, busy } = useSave(form, onSaved)
  const values = form.watch()
  const country = values.country ?? blank.country
  const isComplete = values.account_holder_name.trim() !== '' && isFilled(country, values)
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
            for (const field of ofOneCountry) form.setValue(field, '')
            form.clearErrors()
          },
        })}
      />
      {fieldsOf(country).map((field) => (
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
      <Button type="submit" busy={busy} disabled={!isComplete} className="justify-self-start">
        Save Bank Account
      </Button>
    </form>
  )
}

function useSave(form: Form, onSaved: () => void) {
  const send = useSend(saveBankAccount, { refreshes: [getBankStatus] })
  const sessionEnded = useSessionEnded()
  const saved = () => {
    toast({ title: 'Bank account saved', description: 'We send what is released to you there.' })
    onSaved()
  }
  const failed = (error: CallError) => {
    if (sessionEnded(error)) return
    for (const { path, message } of error.issues) if (isField(path)) form.setError(path, { message })
    toast({
      title: 'Failed to save bank account',
      description: error.userMessage ?? 'Please try again.',
      variant: 'destructive',
    })
  }
  const save = form.handleSubmit((body) => send.mutate({ body }, { onSuccess: saved, onError: failed }))
  return { save, busy: send.isPending }
}

interface BankFieldInputProps {
  form: Form
  field: BankField
  country: string
}

function BankFieldInput({ form, field, country }: BankFieldInputProps) {
  const { label, inputMode, group } = fieldLooks[field]
  const shared = {
    label,
    inputMode,
    hint: hintOf(country, field),
    autoComplete: 'off',
    error: form.formState.errors[field]?.message,
  }
  if (!group) return <TextField {...shared} {...form.register(field)} />
  return (
    <GroupedField
      {...shared}
      group={group}
      value={group(form.watch(field) ?? '')}
      onValueChange={(text) =>
        form.setValue(field, significant(text), { shouldValidate: form.formState.isSubmitted })
      }
    />
  )
}
