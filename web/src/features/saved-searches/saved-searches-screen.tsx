import type { Currency } from '@sought/contract/currencies'
import { buildQueryString, paths, routes } from '@sought/contract/paths'
import { RADIUS_KM_DEFAULT } from '@sought/contract/request-filters'
import {
  type AlertTime,
  changeSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
  type SavedSearch,
  type SearchFilters,
  SearchName,
} from '@sought/contract/saved-searches'
import { useRead } from '../../data/calls.ts'
import { changeItems } from '../../data/optimistic-changes.ts'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { formatUtcDate } from '../../format/dates.ts'
import { formatAmount } from '../../format/money.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { RenameDialog } from '../../shared/forms/rename-dialog.tsx'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { useFirstCurrency } from '../../shared/market/currency.ts'
import { LinkButton, TextLink } from '../../shared/navigation/links.tsx'
import { urgencyLabels } from '../../shared/requests/urgency.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Select, toOptions } from '../../ui/forms/select.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'

export function SavedSearchesScreen() {
  const searches = useRead(listSavedSearches)
  return (
    <Page title="Saved searches" lead="We tell you about new requests that match them." width="column">
      <Loaded query={searches}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState
              drawing="lens"
              title="No saved searches yet"
              action={<LinkButton to={paths.home()}>Browse Requests</LinkButton>}
            >
              Search for what you sell and choose “Save search” above the results.
            </EmptyState>
          ) : (
            <ul aria-label="Saved searches" className="border-line border-b">
              {found.map((search) => (
                <SavedSearchRow key={search.id} search={search} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  )
}

const alertLabels = {
  immediately: 'Immediately',
  daily: 'Once a day',
  off: 'Off',
} as const satisfies Record<AlertTime, string>

function SavedSearchRow({ search }: { search: SavedSearch }) {
  const { id, name, filters, alerts } = search
  const firstCurrency = useFirstCurrency()
  const { optimistic, ...outcome } = changeOf(id)
  const { run } = useAction(changeSavedSearch, { ...outcome, optimistic: ({ body }) => optimistic(body) })
  return (
    <li className="grid gap-4 border-line border-t py-5">
      <div className="grid gap-1">
        <h2 className="font-strong [overflow-wrap:anywhere]">
          <TextLink to={routes.home + buildQueryString(filters)}>{name}</TextLink>
        </h2>
        <p className="text-fine text-ink-soft [overflow-wrap:anywhere]">
          {describeFilters(filters, filters.currency ?? firstCurrency)}
        </p>
      </div>
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
        <Select
          label={
            <>
              Alerts<span className="sr-only"> for {name}</span>
            </>
          }
          className="w-44"
          options={toOptions(alertLabels)}
          value={alerts}
          onChange={({ target }) =>
            void run({ params: { id: String(id) }, body: { alerts: target.value as AlertTime } })
          }
        />
        <div className="flex gap-2">
          <RenameSearch search={search} />
          <DeleteSearch search={search} />
        </div>
      </div>
    </li>
  )
}

/** Shows a change immediately. */
const changeOf = (id: number) => ({
  failure: explainFailure('The saved search was not changed'),
  optimistic: (change: { name?: string; alerts?: AlertTime }) => [
    changeItems(listSavedSearches, (search) => search.id === id, change),
  ],
})

function RenameSearch({ search: { id, name } }: { search: SavedSearch }) {
  const form = useContractForm(changeSavedSearch, {
    schema: SearchName,
    values: { name },
    input: (body) => ({ params: { id: String(id) }, body }),
    ...changeOf(id),
  })
  return <RenameDialog title="Rename saved search" name={name} form={form} />
}

function DeleteSearch({ search: { id, name } }: { search: SavedSearch }) {
  const { run } = useAction(deleteSavedSearch, {
    success: { title: 'Saved search deleted', description: name },
    failure: explainFailure('The saved search was not deleted'),
  })
  return (
    <ConfirmDialog
      title={`Delete “${name}”?`}
      description="You get no more alerts for this search."
      confirmLabel="Delete Saved Search"
      tone="danger"
      onConfirm={() => run({ params: { id: String(id) } })}
      trigger={
        <Button variant="secondary" size="sm" aria-label={`Delete ${name}`}>
          Delete
        </Button>
      }
    />
  )
}

/** The filters in words, such as '“brass lamp” · Music · up to $200'. */
function describeFilters(filters: SearchFilters, currency: Currency): string {
  const { search, category, urgency, location, near, radiusKm = RADIUS_KM_DEFAULT, since, hasImage } = filters
  return [
    search && `“${search}”`,
    category,
    urgency && urgencyLabels[urgency].short,
    describeBudget(filters, currency),
    location && `in ${location}`,
    near && `within ${radiusKm} km of ${near}`,
    since && `posted since ${formatUtcDate(since)}`,
    hasImage !== undefined && (hasImage ? 'with a picture' : 'without a picture'),
  ]
    .filter(Boolean)
    .join(' · ')
}

function describeBudget(
  { minBudget, maxBudget, currency: chosen }: SearchFilters,
  currency: Currency,
): string {
  if (minBudget && maxBudget)
    return `${formatAmount(minBudget, currency)} – ${formatAmount(maxBudget, currency)}`
  if (minBudget) return `from ${formatAmount(minBudget, currency)}`
  if (maxBudget) return `up to ${formatAmount(maxBudget, currency)}`
  return chosen ? `in ${chosen.toUpperCase()}` : ''
}
