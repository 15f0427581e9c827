import { Urgency } from '@sought/contract/request-filters'
import { getCurrencySymbol } from '../../format/money.ts'
import { classNames } from '../../ui/base/class-names.ts'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { Select, toOptions } from '../../ui/forms/select.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { useCurrencies } from '../market/currency.ts'
import { urgencyLabels } from '../requests/urgency.ts'
import { PlaceField } from './place-field.tsx'
import type { RequestFormState } from './request-form-state.ts'

interface FieldsProps {
  form: RequestFormState
}

export function TextFields({ form, categories }: FieldsProps & { categories: readonly string[] }) {
  return (
    <>
      <TextField
        label="Title"
        placeholder="What are you looking for?"
        autoComplete="off"
        {...form.field('title')}
      />
      <div className="grid gap-6 sm:grid-cols-2">
        <Select
          label="Category"
          placeholder="Choose one"
          options={categories.map((name) => ({ value: name, label: name }))}
          defaultValue=""
          // The schema compares the budgets only once a category is chosen.
          {...form.field('category', { deps: 'minBudget' })}
        />
        <PlaceField label="Location" placeholder="Town or area" {...form.control('location')} />
      </div>
      <TextArea
        label="Description"
        rows={5}
        placeholder="Brand, size, colour, condition: anything that helps sellers to know whether they have it."
        {...form.field('description')}
      />
    </>
  )
}

export function BudgetFields({ form }: FieldsProps) {
  const currencies = useCurrencies()
  const [first = 'usd'] = currencies
  const chosen = form.control('currency')
  const symbol = getCurrencySymbol(chosen.value || first)
  const budget = (name: 'minBudget' | 'maxBudget') => {
    const { error, ...field } = form.field(name, { setValueAs: parseBudget, deps: 'minBudget' })
    return {
      ...field,
      optional: true,
      // Not a number field, which would turn letters into an empty value, which means an open budget.
      inputMode: 'decimal' as const,
      autoComplete: 'off',
      before: symbol,
      error: error && Number.isNaN(form.getValues(name)) ? 'Must be a number' : error,
    }
  }
  return (
    <div className={classNames('grid gap-6', currencies.length > 1 ? 'sm:grid-cols-3' : 'sm:grid-cols-2')}>
      {currencies.length > 1 && (
        <Select
          label="Currency"
          options={toOptions(Object.fromEntries(currencies.map((code) => [code, code.toUpperCase()])))}
          value={chosen.value ?? ''}
          onChange={({ target }) => chosen.onValueChange(currencies.find((it) => it === target.value))}
          error={chosen.error}
        />
      )}
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

/** Parses a typed budget, such as '1,500'. Empty is undefined, which the schema turns into 0. */
function parseBudget(typed: string | number | undefined): number | undefined {
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
      {...form.field('urgency')}
    />
  )
}
