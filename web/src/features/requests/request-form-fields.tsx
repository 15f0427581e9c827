import { CATEGORIES } from '@sought/contract/constants'
import { Urgency } from '@sought/contract/requests'
import { useCurrency } from '../../lib/currency.ts'
import { getCurrencySymbol } from '../../lib/money.ts'
import { urgencyLabels } from '../../lib/urgency.ts'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { RequestFormState } from './request-form-state.ts'

interface FieldsProps {
  form: RequestFormState
}

export function WordsFields({ form }: FieldsProps) {
  const { errors } = form.formState
  return (
    <>
      <TextField
        label="Title"
        placeholder="What are you looking for?"
        autoComplete="off"
        error={errors.title?.message}
        {...form.register('title')}
      />
      <div className="grid gap-6 sm:grid-cols-2">
        <Select
          label="Category"
          placeholder="Choose one"
          options={CATEGORIES.map((name) => ({ value: name, label: name }))}
          defaultValue=""
          error={errors.category?.message}
          // Without a category the schema does not get as far as comparing the budgets.
          {...form.register('category', { deps: 'minBudget' })}
        />
        <TextField
          label="Location"
          placeholder="Town or area"
          autoComplete="address-level2"
          error={errors.location?.message}
          {...form.register('location')}
        />
      </div>
      <TextArea
        label="Description"
        rows={5}
        placeholder="Brand, size, colour, condition: anything that helps sellers to know whether they have it."
        error={errors.description?.message}
        {...form.register('description')}
      />
    </>
  )
}

export function BudgetFields({ form }: FieldsProps) {
  const symbol = getCurrencySymbol(useCurrency())
  const budget = (name: 'minBudget' | 'maxBudget') => {
    const message = form.formState.errors[name]?.message
    return {
      optional: true,
      // A number field would turn letters into nothing, which here means something.
      inputMode: 'decimal' as const,
      autoComplete: 'off',
      before: symbol,
      error: message && Number.isNaN(form.getValues(name)) ? 'Must be a number' : message,
      ...form.register(name, { setValueAs: toAmount, deps: 'minBudget' }),
    }
  }
  return (
    <div className="grid gap-6 sm:grid-cols-2">
      <TextField label="Minimum budget" placeholder="0" {...budget('minBudget')} />
      <TextField
        label="Maximum budget"
        placeholder="Open"
        hint="Leave it empty, or enter 0, for an open budget."
        {...budget('maxBudget')}
      />
    </div>
  )
}

/** A budget as it was typed, '1,500' too. Nothing is undefined, for which the schema has its 0. */
function toAmount(typed: string | number | undefined): number | undefined {
  const digits = String(typed ?? '').replace(/[\s,](?=\d{3}(\D|$))/g, '')
  return digits.trim() === '' ? undefined : Number(digits)
}

export function UrgencyField({ form }: FieldsProps) {
  return (
    <RadioGroup
      label="Urgency"
      inRow
      options={Urgency.options.map((value) => ({
        value,
        label: urgencyLabels[value].short,
        hint: urgencyLabels[value].long,
      }))}
      error={form.formState.errors.urgency?.message}
      {...form.register('urgency')}
    />
  )
}
