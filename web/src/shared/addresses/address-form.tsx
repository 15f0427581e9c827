import { type AddressField, getAddressFields } from '@sought/contract/address-rules'
import { DELIVERY_COUNTRIES, DeliveryAddress } from '@sought/contract/delivery-address'
import * as z from 'zod/mini'
import type { FieldIssue } from '../../data/client.ts'
import { Select, type SelectOption } from '../../ui/forms/select.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { useContractForm } from '../forms/form.ts'
import { getCountryName } from './countries.ts'

/* The fields of an address. Load it lazily: the rules of all countries are large. */

/** Sellers need the region for their labels, even where the postal code implies it. */
const AddressEntry = DeliveryAddress.check(
  z.superRefine((address, context) => {
    const region = getAddressFields(address.country).find(({ field }) => field === 'region')
    if (!region?.isRequired || address.region || !address.postalCode) return
    const message = `${region.label} is required`
    context.addIssue({ code: 'custom', path: ['region'], message, input: address.region })
  }),
)

const emptyFields = { name: '', line1: '', line2: '', city: '', region: '', postalCode: '' }

const isField = (path: string): path is AddressField | 'country' => path in emptyFields || path === 'country'

export type AddressForm = ReturnType<typeof useAddressForm>

/** Starts with the given address, or empty with a country. */
export function useAddressForm(initial: DeliveryAddress | null, country: string) {
  return useContractForm(AddressEntry, initial ?? { ...emptyFields, country })
}

/** Shows the server's errors at their fields. */
export function showAddressIssues(form: AddressForm, issues: readonly FieldIssue[]): void {
  for (const { path, message } of issues) {
    const field = path.replace(/^deliveryAddress\./, '')
    if (isField(field)) form.setError(field, { message })
  }
}

const countryOptions: readonly SelectOption[] = DELIVERY_COUNTRIES.map((code) => ({
  value: code,
  label: getCountryName(code),
})).toSorted((one, two) => one.label.localeCompare(two.label, 'en'))

const AUTOCOMPLETE: Record<AddressField, string> = {
  name: 'shipping name',
  line1: 'shipping address-line1',
  line2: 'shipping address-line2',
  city: 'shipping address-level2',
  region: 'shipping address-level1',
  postalCode: 'shipping postal-code',
}

const isShort = (field: AddressField) => ['city', 'region', 'postalCode'].includes(field)

/** The country, and then the fields in the order and with the names of that country. */
export function AddressFields({ form }: { form: AddressForm }) {
  const { errors } = form.formState
  const fields = getAddressFields(form.watch('country'))
  const clearUnused = () => {
    form.clearErrors()
    const used = getAddressFields(form.getValues('country')).map(({ field }) => field)
    for (const field of ['city', 'region', 'postalCode'] as const) {
      if (!used.includes(field)) form.setValue(field, '')
    }
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 sm:grid-cols-2">
      <Select
        label="Country"
        className="sm:col-span-2"
        autoComplete="shipping country"
        options={countryOptions}
        error={errors.country?.message}
        {...form.register('country', { onChange: clearUnused })}
      />
      {fields.map(({ field, label, isRequired }) => (
        <TextField
          key={field}
          label={label}
          optional={!isRequired}
          className={isShort(field) ? undefined : 'sm:col-span-2'}
          autoComplete={AUTOCOMPLETE[field]}
          error={errors[field]?.message}
          {...form.register(field)}
        />
      ))}
    </div>
  )
}
