import { CATEGORIES } from '@sought/contract/constants'
import { type BoardFilters, paths, routes } from '@sought/contract/paths'
import { listPlaces } from '@sought/contract/places'
import { RADIUS_KM_DEFAULT, RADIUS_KM_MAX, Urgency } from '@sought/contract/request-filters'
import { type FormEvent, useId, useState } from 'react'
import { useLocation } from 'wouter'
import { useRead } from '../../lib/calls.ts'
import type { FieldIssue } from '../../lib/client.ts'
import { useCurrency } from '../../lib/currency.ts'
import { getCurrencySymbol } from '../../lib/money.ts'
import { urgencyLabels } from '../../lib/urgency.ts'
import { Button } from '../../ui/button.tsx'
import { Select, toOptions } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { readFilters } from './board-filters.ts'

/** A shorter text would suggest any place. */
const PLACE_MIN_LENGTH = 2

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
  const symbol = getCurrencySymbol(useCurrency())
  const errorOf = (name: string) => issues.find(({ path }) => path === name)?.message
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const given = readFilters(new URLSearchParams([...fields].map(([name, value]) => [name, String(value)])))
    // Without a place, the radius means nothing.
    navigate(paths.home(given.near ? given : { ...given, radiusKm: undefined }))
  }
  /** A choice takes effect at once. What is typed waits for the end of the input. */
  const applyChoice = ({ target, currentTarget }: FormEvent<HTMLFormElement>) => {
    if (target instanceof HTMLSelectElement) currentTarget.requestSubmit()
  }
  return (
    <details open={issues.length > 0 || !filters.search} className="rounded-card border border-line">
      <summary className="flex min-h-11 cursor-pointer items-center px-4 font-strong">
        Filters and sorting
      </summary>
      <form
        // The fields show the address again after the back button.
        key={JSON.stringify(filters)}
        action={routes.home}
        aria-label="Filters"
        onSubmit={apply}
        onChange={applyChoice}
        className="grid gap-4 border-line border-t p-4 sm:grid-cols-2 lg:grid-cols-4"
      >
        {filters.search && <input type="hidden" name="search" value={filters.search} />}
        <TextField
          label="Minimum budget"
          name="minBudget"
          inputMode="decimal"
          autoComplete="off"
          before={symbol}
          defaultValue={filters.minBudget}
          error={errorOf('minBudget')}
        />
        <TextField
          label="Maximum budget"
          name="maxBudget"
          inputMode="decimal"
          autoComplete="off"
          before={symbol}
          defaultValue={filters.maxBudget}
          error={errorOf('maxBudget')}
        />
        <PlaceFilter defaultValue={filters.near} error={errorOf('near')} />
        <TextField
          label="Radius in km"
          name="radiusKm"
          type="number"
          min={1}
          max={RADIUS_KM_MAX}
          placeholder={String(RADIUS_KM_DEFAULT)}
          defaultValue={filters.radiusKm}
          error={errorOf('radiusKm')}
        />
        <Select
          label="Category"
          name="category"
          options={anyOr(Object.fromEntries(CATEGORIES.map((name) => [name, name])))}
          defaultValue={filters.category ?? ''}
          error={errorOf('category')}
        />
        <Select
          label="Urgency"
          name="urgency"
          options={anyOr(Object.fromEntries(Urgency.options.map((it) => [it, urgencyLabels[it].short])))}
          defaultValue={filters.urgency ?? ''}
          error={errorOf('urgency')}
        />
        <TextField
          label="Posted since"
          name="since"
          type="date"
          defaultValue={filters.since?.slice(0, 10)}
          error={errorOf('since')}
        />
        <Select
          label="Picture"
          name="hasImage"
          options={toOptions(imageLabels)}
          defaultValue={filters.hasImage ?? ''}
          error={errorOf('hasImage')}
        />
        {filters.location && <input type="hidden" name="location" value={filters.location} />}
        <Select
          label="Sort by"
          name="sort"
          options={toOptions(sortLabels)}
          defaultValue={filters.sort ?? 'newest'}
          error={errorOf('sort')}
        />
        <Button type="submit" formMethod="get" className="self-end lg:col-start-4">
          Show Requests
        </Button>
      </form>
    </details>
  )
}

interface PlaceFilterProps {
  defaultValue: string | undefined
  error: string | undefined
}

/** The browser's own suggestions can be used with the keyboard, and allow any text. */
function PlaceFilter({ defaultValue, error }: PlaceFilterProps) {
  const listId = useId()
  const [typed, setTyped] = useState('')
  const places = useRead(
    listPlaces,
    { query: { search: typed } },
    { enabled: typed.trim().length >= PLACE_MIN_LENGTH },
  )
  return (
    <>
      <TextField
        label="Near"
        name="near"
        placeholder="Town or city"
        autoComplete="off"
        maxLength={100}
        list={listId}
        defaultValue={defaultValue}
        error={error}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <datalist id={listId}>
        {places.data?.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
