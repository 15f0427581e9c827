import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CallError } from '../../data/client.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { LoadMore } from '../../ui/feedback/load-more.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'

interface WaitingItem {
  id: number
  /** Whether the item waits for the user. */
  isWaiting: boolean
}

interface WaitingListProps<Item> {
  pages: UseInfiniteQueryResult<Item[], CallError>
  /** The heading of the items that do not wait. */
  othersTitle: string
  empty: ReactNode
  children: (item: Item) => ReactNode
}

/** A user's own items, page by page. Those that wait for the user come first. */
export function WaitingList<Item extends WaitingItem>({
  pages,
  othersTitle,
  empty,
  children,
}: WaitingListProps<Item>) {
  const all = pages.data ?? []
  const groups = [
    { title: 'Waiting for you', items: all.filter(({ isWaiting }) => isWaiting) },
    { title: othersTitle, items: all.filter(({ isWaiting }) => !isWaiting) },
  ]
  return (
    <>
      {pages.isPending && <Skeletons />}
      {pages.isError && all.length === 0 && (
        <ErrorState
          reference={pages.error.requestId}
          onRetry={() => void pages.refetch()}
          busy={pages.isFetching}
        />
      )}
      {pages.isSuccess && all.length === 0 && empty}
      {groups
        .filter(({ items }) => items.length > 0)
        .map(({ title, items }) => (
          <section key={title} aria-label={title} className="mt-10 first-of-type:mt-0">
            <h2 className="mb-4 font-display font-strong text-title">{title}</h2>
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-4">
              {items.map((item) => (
                <li key={item.id}>{children(item)}</li>
              ))}
            </ul>
          </section>
        ))}
      <LoadMore
        hasMore={pages.hasNextPage}
        busy={pages.isFetchingNextPage}
        onMore={() => void pages.fetchNextPage()}
      />
    </>
  )
}

function Skeletons() {
  return (
    <div role="status" aria-label="Loading..." className="grid gap-4">
      {['first', 'second', 'third'].map((key) => (
        <Skeleton key={key} className="h-40 sm:h-32" />
      ))}
    </div>
  )
}
