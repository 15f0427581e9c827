import { listWantedItems } from '@sought/contract/requests'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'wouter'
import { useRead, useReadPages } from '../../lib/calls.ts'
import { CardSkeletons } from '../../lib/card-skeletons.tsx'
import { useSession } from '../../lib/session.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { FullPageSpinner } from '../../ui/spinner.tsx'
import { CategoryChips } from './category-chips.tsx'
import { Hero } from './hero.tsx'
import { RequestGrid } from './request-grid.tsx'

const URGENT_COUNT = 6
const RECENT_COUNT = 12
const SKELETON_COUNT = 8

const SearchResults = lazy(async () => ({ default: (await import('./search-results.tsx')).SearchResults }))
const NoRequests = lazy(async () => ({ default: (await import('./no-requests.tsx')).NoRequests }))
const OwnCorner = lazy(async () => ({ default: (await import('./own-corner.tsx')).OwnCorner }))

/** Home: the requests of other users. The search and the category are in the address. */
export function HomeScreen() {
  const [query] = useSearchParams()
  const search = query.get('search')
  const category = query.get('category') ?? undefined
  if (!search) return <Board category={category} />
  return (
    <Suspense fallback={<FullPageSpinner />}>
      <SearchResults search={search} category={category} />
    </Suspense>
  )
}

function Board({ category }: { category: string | undefined }) {
  const isSignedIn = useSession().state === 'signed-in'
  const urgent = useRead(listWantedItems, {
    query: { category, urgency: 'high', mine: 'hide', limit: String(URGENT_COUNT) },
  })
  const recent = useReadPages(
    listWantedItems,
    { category, mine: 'hide', limit: String(RECENT_COUNT) },
    { idOf: ({ position }) => position },
  )

  return (
    <>
      <title>Sought · Post what you want</title>
      <Suspense>{isSignedIn && <OwnCorner />}</Suspense>
      <Hero />
      <div className="mx-auto grid max-w-board gap-10 px-4 py-10 sm:px-6">
        <CategoryChips filter={{ category }} />
        {urgent.data && urgent.data.length > 0 && <RequestGrid title="Urgent Requests" items={urgent.data} />}
        {recent.isPending && <CardSkeletons count={SKELETON_COUNT} columns="board" />}
        {recent.isError && (
          <ErrorState
            title="Failed to fetch wanted items"
            reference={recent.error?.requestId}
            onRetry={() => void recent.refetch()}
            busy={recent.isFetching}
          />
        )}
        {recent.data && recent.data.length > 0 && (
          <div>
            <RequestGrid title="Recent Requests" items={recent.data} />
            <LoadMore
              hasMore={recent.hasNextPage}
              busy={recent.isFetchingNextPage}
              onMore={() => void recent.fetchNextPage()}
              endNote={recent.data.length > RECENT_COUNT ? 'There are no more requests.' : undefined}
            />
          </div>
        )}
        <Suspense>{recent.data?.length === 0 && <NoRequests isFiltered={category !== undefined} />}</Suspense>
      </div>
    </>
  )
}
