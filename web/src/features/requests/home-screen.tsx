import { paths, routes } from '@sought/contract/paths'
import { listOwnWantedItems, listWantedItems, type WantedItem } from '@sought/contract/requests'
import { Link, useSearchParams } from 'wouter'
import { useRead, useReadPages } from '../../lib/calls.ts'
import { CardSkeletons, cardColumns } from '../../lib/card-skeletons.tsx'
import { RequestCard } from '../../lib/request-card.tsx'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { CategoryChips } from './category-chips.tsx'
import { Hero } from './hero.tsx'

const URGENT_COUNT = 6
const RECENT_COUNT = 12
const SKELETON_COUNT = 8

/** Home: the requests of other users. The search and the category are in the address. */
export function HomeScreen() {
  const [query] = useSearchParams()
  const filter = { search: query.get('search') ?? undefined, category: query.get('category') ?? undefined }
  const isSignedIn = useSession().state === 'signed-in'
  const urgent = useRead(listWantedItems, {
    query: { ...filter, urgency: 'high', mine: 'hide', limit: String(URGENT_COUNT) },
  })
  const recent = useReadPages(listWantedItems, { ...filter, mine: 'hide', limit: String(RECENT_COUNT) })

  return (
    <>
      <title>Sought · Post what you want</title>
      <Hero />
      <div className="mx-auto grid max-w-board gap-10 px-4 py-10 sm:px-6">
        <CategoryChips filter={filter} />
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
        {recent.data?.length === 0 && (
          <NoRequests isSignedIn={isSignedIn} isFiltered={Boolean(filter.search || filter.category)} />
        )}
      </div>
    </>
  )
}

function RequestGrid({ title, items }: { title: string; items: readonly WantedItem[] }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-5 font-display font-strong text-heading">{title}</h2>
      <div className={cardColumns.board}>
        {items.map((item) => (
          <RequestCard key={item.id} item={item} />
        ))}
      </div>
    </section>
  )
}

/** The two empty states of spec §2: only the user's own requests exist, or none do. */
function NoRequests({ isSignedIn, isFiltered }: { isSignedIn: boolean; isFiltered: boolean }) {
  const own = useRead(listOwnWantedItems, { query: { limit: '1' } }, { enabled: isSignedIn && !isFiltered })
  if (own.data && own.data.length > 0) {
    return (
      <EmptyState drawing="board" title="No other requests available">
        Only your own requests are posted right now. Sellers can see them.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      drawing="lens"
      title="No requests found"
      action={
        <Button asChild>
          <Link href={isSignedIn ? paths.post() : routes.login}>Post Your Request</Link>
        </Button>
      }
    >
      {isFiltered
        ? 'Try other words or another category, or post the first request.'
        : 'Post the first request.'}
    </EmptyState>
  )
}
