import { type AddressField, getAddressFields } from '@sought/contract/address-rules'
import { DELIVERY_COUNTRIES, DeliveryAddress } from '@sought/contract/delivery-address'
import * as z from 'zod/mini'
import { Select, type SelectOption } from '../../ui/forms/select.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import type { EntryForm } from '../forms/entry-form.ts'
import { getCountryName } from './countries.ts'

/* The fields of an address. Load it lazily: the rules of all countries are large. */

/** The form requires the region even if the postal code implies it, because sellers need it for their labels. */
export const AddressEntry = DeliveryAddress.check(
  z.superRefine((address, context) => {
    const region = getAddressFields(address.country).find(({ field }) => field === 'region')
    if (!region?.isRequired || address.region || !address.postalCode) return
    const message = `${region.label} is required`
    context.addIssue({ code: 'custom', path: ['region'], message, input: address.region })
  }),
)

const blank = { name: '', line1: '', line2: '', city: '', region: '', postalCode: '' }

/** The given address, or an empty one in a country. */
export const addressValues = (initial: DeliveryAddress | null, country: string) =>
  initial ?? { ...blank, country }

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

type AddressForm = Pick<
  EntryForm<z.input<typeof AddressEntry>>,
  'field' | 'watch' | 'getValues' | 'setValue' | 'clearErrors'
>

/** The country, and then the fields in the order and with the names of that country. */
export function AddressFields({ form }: { form: AddressForm }) {
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
        {...form.field('country', { onChange: clearUnused })}
      />
      {fields.map(({ field, label, isRequired }) => (
        <TextField
          key={field}
          label={label}
          optional={!isRequired}
          className={isShort(field) ? undefined : 'sm:col-span-2'}
          autoComplete={AUTOCOMPLETE[field]}
          {...form.field(field)}
        />
      ))}
    </div>
  )
}
