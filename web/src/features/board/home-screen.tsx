import { findCategory } from '@sought/contract/categories'
import { type BoardFilters, paths } from '@sought/contract/paths'
import { listWantedItems } from '@sought/contract/requests'
import { lazy, Suspense } from 'react'
import { useParams, useSearchParams } from 'wouter'
import { useRead, useReadPages } from '../../data/calls.ts'
import { sellsSomething, useSession } from '../../data/session.ts'
import { ErrorPage } from '../../shared/loading/error-page.tsx'
import { PagedList } from '../../shared/loading/paged-list.tsx'
import { useMarket } from '../../shared/market/market.ts'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { CardSkeletons } from '../../shared/requests/card-skeletons.tsx'
import { RequestGrid } from '../../shared/requests/request-grid.tsx'
import { readViewed } from '../../shared/requests/viewed-requests.ts'
import { useIsHydrated } from '../../ui/base/hydration.ts'
import { Title } from '../../ui/base/title.tsx'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'
import { readFilters } from './board-filters.ts'
import { CategoryChips } from './category-chips.tsx'
import { Hero } from './hero.tsx'

const MATCH_COUNT = 6
const URGENT_COUNT = 6
const RECENT_COUNT = 12
const SKELETON_COUNT = 8
/** The heading of later pages. */
const ALL = 'All requests'

const SearchResults = lazy(async () => ({ default: (await import('./search-results.tsx')).SearchResults }))
const NoRequests = lazy(async () => ({ default: (await import('./no-requests.tsx')).NoRequests }))
const Matches = lazy(async () => ({ default: (await import('./matches.tsx')).Matches }))
const RecentlyViewed = lazy(async () => ({ default: (await import('./recently-viewed.tsx')).RecentlyViewed }))
const OwnCorner = lazy(async () => ({ default: (await import('./own-corner.tsx')).OwnCorner }))

/** Home: the requests of other users. The search and the filters are in the address. */
export function HomeScreen() {
  const { categories } = useMarket()
  const filters = readFilters(useSearchParams()[0], categories)
  const { category } = filters
  return category && !categories.includes(category) ? <CategoryNotFound /> : <Requests filters={filters} />
}

function Requests({ filters: { category, ...others } }: { filters: BoardFilters }) {
  if (Object.keys(others).length === 0) return <Board category={category} />
  return (
    <Suspense fallback={<FullPageSpinner />}>
      <SearchResults filters={{ ...others, category }} />
    </Suspense>
  )
}

/** The requests of one category. */
export function CategoryScreen() {
  const { slug } = useParams<{ slug: string }>()
  const { categories } = useMarket()
  const filters = readFilters(useSearchParams()[0], categories)
  const category = findCategory(categories, slug)
  return category ? <Requests filters={{ ...filters, category }} /> : <CategoryNotFound />
}

function CategoryNotFound() {
  return (
    <ErrorPage
      title="Category not found"
      action={<LinkButton to={paths.home()}>Back to Marketplace</LinkButton>}
    >
      All categories are on the home page.
    </ErrorPage>
  )
}

function Board({ category }: { category: string | undefined }) {
  const session = useSession()
  const user = session.state === 'signed-in' ? session.user : null
  const cursor = useSearchParams()[0].get('cursor') ?? undefined
  const isHome = !category && !cursor
  const { name } = useMarket()
  return (
    <>
      <Title>
        {isHome ? `${name} · Post what you want` : `${category ? `${category} wanted` : ALL} · ${name}`}
      </Title>
      <Suspense>{user && <OwnCorner />}</Suspense>
      {isHome ? <Hero /> : <BoardHeading>{category ?? ALL}</BoardHeading>}
      <div className="mx-auto grid max-w-board gap-10 px-4 py-10 sm:px-6">
        {isHome && user && sellsSomething(user) && (
          <Suspense fallback={<CardSkeletons count={MATCH_COUNT} columns="board" />}>
            <Matches />
          </Suspense>
        )}
        <div className="grid gap-4">
          <CategoryChips filter={{ category }} />
          {/* The form is on the results page, so that it is not part of the first load. */}
          <LinkButton
            to={paths.home({ category, sort: 'newest' })}
            variant="secondary"
            size="sm"
            className="justify-self-start"
          >
            Filters and sorting
          </LinkButton>
        </div>
        {!cursor && <Urgent category={category} />}
        <Recent category={category} cursor={cursor} />
        {isHome && <Viewed userId={user?.id ?? null} />}
      </div>
    </>
  )
}

function BoardHeading({ children }: { children: string }) {
  return (
    <header className="mx-auto max-w-board px-4 pt-10 sm:px-6">
      <h1 className="font-display font-strong text-heading tracking-[-0.012em] [overflow-wrap:anywhere]">
        {children}
      </h1>
      <p className="mt-2 max-w-column text-ink-soft text-lead">
        What buyers are looking for right now. Make them an offer.
      </p>
    </header>
  )
}

/** The server does not know which requests were viewed in this browser. */
function Viewed({ userId }: { userId: string | null }) {
  const isHydrated = useIsHydrated()
  return (
    <Suspense>{isHydrated && readViewed(userId).length > 0 && <RecentlyViewed userId={userId} />}</Suspense>
  )
}

function Urgent({ category }: { category: string | undefined }) {
  const urgent = useRead(listWantedItems, {
    query: { category, urgency: 'high', mine: 'hide', limit: String(URGENT_COUNT) },
  })
  if (!urgent.data || urgent.data.length === 0) return null
  return <RequestGrid title="Urgent Requests" items={urgent.data} />
}

function Recent({ category, cursor }: { category: string | undefined; cursor: string | undefined }) {
  const recent = useReadPages(
    listWantedItems,
    { category, mine: 'hide', limit: String(RECENT_COUNT), cursor },
    { idOf: ({ position }) => position },
  )
  return (
    <div>
      <PagedList
        pages={recent}
        loading={<CardSkeletons count={SKELETON_COUNT} columns="board" />}
        errorTitle="Failed to fetch wanted items"
        firstPage={paths.home({ category })}
        empty={
          <Suspense>
            <NoRequests isFiltered={category !== undefined} />
          </Suspense>
        }
        more={{
          href: paths.home({ category, cursor: recent.nextCursor }),
          endNote: 'There are no more requests.',
        }}
        layout={(items) => <RequestGrid title="Recent Requests" items={items} />}
      />
    </div>
  )
}
