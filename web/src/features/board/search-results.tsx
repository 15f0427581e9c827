import type { InputOf } from '@sought/contract/call'
import { type BoardFilters, paths } from '@sought/contract/paths'
import { cursorAfter, SORTS } from '@sought/contract/request-filters'
import { countWantedItems, listWantedItems } from '@sought/contract/requests'
import { Link, useSearchParams } from 'wouter'
import { useRead, useReadPages } from '../../data/calls.ts'
import type { FieldIssue } from '../../data/client.ts'
import { PagedList } from '../../shared/loading/paged-list.tsx'
import { useCurrencies } from '../../shared/market/currency.ts'
import { useMarket } from '../../shared/market/market.ts'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { CardSkeletons, cardColumns } from '../../shared/requests/card-skeletons.tsx'
import { RequestCard } from '../../shared/requests/request-card.tsx'
import { Title } from '../../ui/base/title.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { ActiveFilters, activeFilters, currencyOf } from './active-filters.tsx'
import { CategoryChips } from './category-chips.tsx'
import { FilterForm } from './filter-form.tsx'
import { NoRequests } from './no-requests.tsx'
import { SaveSearchButton } from './save-search-button.tsx'

const PAGE_SIZE = 12
const SKELETON_COUNT = 8

/** Home after a search or with filters: the results, under a heading that names the search and counts them. */
export function SearchResults({ filters }: { filters: BoardFilters }) {
  const { search, category } = filters
  const filter = { ...filters, mine: 'hide' as const }
  const cursor = useSearchParams()[0].get('cursor') ?? undefined
  const results = useReadPages(
    listWantedItems,
    { ...filter, limit: String(PAGE_SIZE), cursor },
    { idOf: (item) => cursorAfter(item, asSort(filters.sort)) },
  )
  const found = useRead(countWantedItems, { query: filter as InputOf<typeof countWantedItems>['query'] })
  const count = found.data && `${found.data.count}${found.data.isMore ? '+' : ''}`
  const heading = [countResults(count), search && `for “${search}”`, category && `in ${category}`]
    .filter(Boolean)
    .join(' ')
  const issues = (results.error?.issues ?? []).filter(({ path }) => path !== 'cursor')
  const currency = currencyOf(filters, useCurrencies())
  return (
    <div className="mx-auto grid max-w-board grid-cols-[minmax(0,1fr)] gap-6 px-4 py-8 sm:px-6">
      <Title>{`${search ?? category ?? 'Filtered requests'} · ${useMarket().name}`}</Title>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h1
          aria-live="polite"
          className="font-display font-strong text-heading tracking-[-0.012em] [overflow-wrap:anywhere]"
        >
          {heading}
        </h1>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {issues.length === 0 && <SaveSearchButton filters={filters} />}
          <LinkButton to={paths.home()} variant="quiet" size="sm" className="-mx-3">
            {search ? 'Clear Search' : 'All Requests'}
          </LinkButton>
        </div>
      </div>
      <CategoryChips filter={filters} />
      <FilterForm filters={filters} issues={issues} />
      <ActiveFilters filters={filters} />
      {issues.filter(hasNoField).map(({ path, message }) => (
        <Notice key={path} tone="danger">
          The {path} is not valid. {message}.
        </Notice>
      ))}
      {issues.some((issue) => !hasNoField(issue)) && <NotApplied filters={filters} issues={issues} />}
      {issues.length === 0 && (
        <div>
          <PagedList
            pages={results}
            loading={<CardSkeletons count={SKELETON_COUNT} columns="board" />}
            errorTitle="Failed to fetch wanted items"
            firstPage={paths.home(filters)}
            empty={
              <NoRequests
                isFiltered
                search={search}
                hasFilters={activeFilters(filters, currency).length > 0}
              />
            }
            more={{
              href: paths.home({ ...filters, cursor: results.nextCursor }),
              endNote: 'There are no more requests.',
            }}
            layout={(items) => (
              <section aria-label="Search results" className={cardColumns.board}>
                {items.map((item) => (
                  <RequestCard key={item.id} item={item} headingLevel="h2" />
                ))}
              </section>
            )}
          />
        </div>
      )}
    </div>
  )
}

/** Explains filters that the server refused. An unknown place may be part of a location. */
function NotApplied({ filters, issues }: { filters: BoardFilters; issues: readonly FieldIssue[] }) {
  const { near, radiusKm, ...others } = filters
  return (
    <Notice tone="danger" title="These filters cannot be applied" live>
      Please correct the marked fields.{' '}
      {near && issues.some(({ path }) => path === 'near') && (
        <Link href={paths.home({ ...others, location: near })} className="link [overflow-wrap:anywhere]">
          Show requests whose location contains “{near}”
        </Link>
      )}
    </Notice>
  )
}

/** '12 results', or 'Results' while they are counted. */
function countResults(count: string | undefined): string {
  if (count === undefined) return 'Results'
  return count === '1' ? '1 result' : `${count} results`
}

/** The form has no fields for these issues. */
const hasNoField = ({ path }: FieldIssue) => path === 'search' || path === 'location'

/** The server refuses an unknown order. */
const asSort = (sort: string | undefined) => SORTS.find((known) => known === sort)
