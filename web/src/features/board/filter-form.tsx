import { BOARD_FILTERS, type BoardFilters, buildQueryString, paths, routes } from '@sought/contract/paths'
import { RADIUS_KM_DEFAULT, RADIUS_KM_MAX, Urgency } from '@sought/contract/request-filters'
import { ChevronDown } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import type { FieldIssue } from '../../data/client.ts'
import { getCurrencySymbol } from '../../format/money.ts'
import { useCurrencies } from '../../shared/market/currency.ts'
import { useMarket } from '../../shared/market/market.ts'
import { PlaceField } from '../../shared/request-form/place-field.tsx'
import { urgencyLabels } from '../../shared/requests/urgency.ts'
import { Button } from '../../ui/forms/button.tsx'
import { Select, toOptions } from '../../ui/forms/select.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { activeFilters, currencyOf } from './active-filters.tsx'
import { readFilters } from './board-filters.ts'

const sortLabels = { newest: 'Newest first', budget: 'Highest budget', expiring: 'Expiring soonest' }
const imageLabels = { '': 'Any', true: 'With a picture', false: 'Without a picture' }
const anyOr = (labels: Record<string, string>) => toOptions({ '': 'Any', ...labels })

interface FilterFormProps {
  filters: BoardFilters
  /** Why the server refused the filters, shown at the fields. */
  issues?: readonly FieldIssue[]
}

/** The filters of the board. A plain form, so that it works without JavaScript; the address is its only state. */
export function FilterForm({ filters, issues = [] }: FilterFormProps) {
  const [, navigate] = useLocation()
  const currencies = useCurrencies()
  const currency = currencyOf(filters, currencies)
  const { categories } = useMarket()
  const symbol = getCurrencySymbol(currency)
  const activeCount = activeFilters(filters, currency).length
  // Opens the form for people who come without a search and filters, because they want to choose some.
  const [isOpen, setIsOpen] = useState(!filters.search && activeCount === 0)
  const [version, keepFields] = useFieldsVersion(filters)
  const field = (name: keyof BoardFilters) => ({
    name,
    defaultValue: filters[name] ?? '',
    error: issues.find(({ path }) => path === name)?.message,
  })
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const given = readFilters(
      new URLSearchParams([...fields].map(([name, value]) => [name, String(value)])),
      categories,
    )
    // Without a place, the radius has no meaning.
    const applied = given.near ? given : { ...given, radiusKm: undefined }
    keepFields(applied)
    navigate(paths.home(applied))
  }
  /** A selected option applies immediately. Typed text applies when the input ends. */
  const applyChoice = ({ target, currentTarget }: FormEvent<HTMLFormElement>) => {
    if (target instanceof HTMLSelectElement) currentTarget.requestSubmit()
  }
  return (
    <details
      open={isOpen || issues.length > 0}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      className="group rounded-card border border-line"
    >
      <summary className="flex min-h-11 list-none items-center gap-2 px-4 font-strong hover:text-accent [&::-webkit-details-marker]:hidden">
        Filters and sorting
        {activeCount > 0 && <span className="font-normal text-ink-soft">{activeCount} active</span>}
        <ChevronDown
          aria-hidden="true"
          className="ml-auto size-5 shrink-0 text-ink-soft group-open:rotate-180"
        />
      </summary>
      <form
        key={version}
        action={routes.home}
        aria-label="Filters"
        onSubmit={apply}
        onChange={applyChoice}
        className="grid grid-cols-2 gap-x-3 gap-y-4 border-line border-t p-4 sm:gap-x-4 lg:grid-cols-4"
      >
        {filters.search && <input type="hidden" name="search" value={filters.search} />}
        <TextField
          label="Minimum budget"
          inputMode="decimal"
          autoComplete="off"
          before={symbol}
          {...field('minBudget')}
        />
        <TextField
          label="Maximum budget"
          inputMode="decimal"
          autoComplete="off"
          before={symbol}
          {...field('maxBudget')}
        />
        {currencies.length > 1 && (
          <Select
            label="Currency"
            options={toOptions({
              '': 'All currencies',
              ...Object.fromEntries(currencies.map((code) => [code, code.toUpperCase()])),
            })}
            className="max-sm:col-span-2"
            {...field('currency')}
          />
        )}
        <NearField {...field('near')} />
        <TextField
          label="Radius in km"
          type="number"
          min={1}
          max={RADIUS_KM_MAX}
          placeholder={String(RADIUS_KM_DEFAULT)}
          {...field('radiusKm')}
        />
        <TextField
          label="Posted since"
          type="date"
          {...field('since')}
          defaultValue={filters.since?.slice(0, 10)}
        />
        <Select
          label="Category"
          options={anyOr(Object.fromEntries(categories.map((name) => [name, name])))}
          className="max-sm:col-span-2"
          {...field('category')}
        />
        <Select
          label="Urgency"
          options={anyOr(Object.fromEntries(Urgency.options.map((it) => [it, urgencyLabels[it].short])))}
          {...field('urgency')}
        />
        <Select label="Picture" options={toOptions(imageLabels)} {...field('hasImage')} />
        {filters.location && <input type="hidden" name="location" value={filters.location} />}
        <Select
          label="Sort by"
          options={toOptions(sortLabels)}
          {...field('sort')}
          defaultValue={filters.sort ?? 'newest'}
          className="max-sm:col-span-2"
        />
        <Button type="submit" formMethod="get" className="self-end max-lg:col-span-2 lg:col-start-4">
          Show Requests
        </Button>
      </form>
    </details>
  )
}

/**
 * A new version remounts the fields. They then show the filters of the URL, after the back button or the removal of a
 * filter. Filters that the form itself has applied need no new version, so its fields keep the focus.
 */
function useFieldsVersion(
  filters: BoardFilters,
): [version: number, keepFields: (filters: BoardFilters) => void] {
  const address = addressOf(filters)
  const [shown, setShown] = useState({ address, version: 0, applied: '' })
  if (shown.address !== address) {
    const version = shown.applied === address ? shown.version : shown.version + 1
    setShown({ address, version, applied: '' })
  }
  return [shown.version, (applied) => setShown({ ...shown, applied: addressOf(applied) })]
}

const addressOf = (filters: BoardFilters) =>
  buildQueryString(Object.fromEntries(BOARD_FILTERS.map((name) => [name, filters[name]])))

interface NearFieldProps {
  defaultValue: string | undefined
  error: string | undefined
}

function NearField({ defaultValue = '', error }: NearFieldProps) {
  const [near, setNear] = useState(defaultValue)
  return (
    <PlaceField
      label="Near"
      name="near"
      placeholder="Town or city"
      value={near}
      onValueChange={setNear}
      error={error}
      className="max-lg:col-span-2"
    />
  )
}
