import { paths } from '@sought/contract/paths'
import { listUserWantedItems } from '@sought/contract/people'
import { useSearchParams } from 'wouter'
import { useReadPages } from '../../data/calls.ts'
import { PagedList } from '../../shared/loading/paged-list.tsx'
import { CardSkeletons, cardColumns } from '../../shared/requests/card-skeletons.tsx'
import { RequestCard } from '../../shared/requests/request-card.tsx'

const PAGE_SIZE = 12
const SKELETON_COUNT = 4

export function OpenRequests({ personId }: { personId: string }) {
  const cursor = useSearchParams()[0].get('requests') ?? undefined
  const requests = useReadPages(
    listUserWantedItems,
    { limit: String(PAGE_SIZE), cursor },
    { params: { id: personId } },
  )
  return (
    <section aria-label="Open requests">
      <h2 className="mb-5 font-display font-strong text-title">Open requests</h2>
      <PagedList
        pages={requests}
        loading={<CardSkeletons count={SKELETON_COUNT} columns="board" />}
        empty={<p className="text-ink-soft">No open requests right now.</p>}
        errorTitle="Failed to fetch wanted items"
        firstPage={paths.user(personId)}
        more={{
          href: paths.user(personId, { requests: requests.nextCursor }),
          label: 'Show more requests',
        }}
        layout={(items) => (
          <div className={cardColumns.board}>
            {items.map((item) => (
              <RequestCard key={item.id} item={item} />
            ))}
          </div>
        )}
      />
    </section>
  )
}
