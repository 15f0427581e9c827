import { paths } from '@sought/contract/paths'
import { listUserWantedItems } from '@sought/contract/people'
import { useSearchParams } from 'wouter'
import { useReadPages } from '../../data/calls.ts'
import { PAGE_DATA_FRESH_MS } from '../../data/page-data.ts'
import { ListError } from '../../shared/loading/list-error.tsx'
import { CardSkeletons, cardColumns } from '../../shared/requests/card-skeletons.tsx'
import { RequestCard } from '../../shared/requests/request-card.tsx'
import { LoadMore } from '../../ui/feedback/load-more.tsx'

const PAGE_SIZE = 12
const SKELETON_COUNT = 4

export function OpenRequests({ personId }: { personId: string }) {
  const cursor = useSearchParams()[0].get('requests') ?? undefined
  const requests = useReadPages(
    listUserWantedItems,
    { limit: String(PAGE_SIZE), cursor },
    { staleMs: PAGE_DATA_FRESH_MS, params: { id: personId } },
  )
  return (
    <section aria-label="Open requests">
      <h2 className="mb-5 font-display font-strong text-title">Open requests</h2>
      {requests.isPending && <CardSkeletons count={SKELETON_COUNT} columns="board" />}
      {requests.isError && !requests.data && (
        <ListError query={requests} title="Failed to fetch wanted items" firstPage={paths.user(personId)} />
      )}
      {requests.data?.length === 0 && <p className="text-ink-soft">No open requests right now.</p>}
      {requests.data && requests.data.length > 0 && (
        <div className={cardColumns.board}>
          {requests.data.map((item) => (
            <RequestCard key={item.id} item={item} />
          ))}
        </div>
      )}
      <LoadMore
        hasMore={requests.hasNextPage}
        busy={requests.isFetchingNextPage}
        onMore={() => void requests.fetchNextPage()}
        href={paths.user(personId, { requests: requests.nextCursor })}
        label="Show more requests"
      />
    </section>
  )
}
