import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CallError } from '../../data/client.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { LoadMore, type LoadMoreProps } from '../../ui/feedback/load-more.tsx'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'
import { LinkButton } from '../navigation/links.tsx'

/** The result of `useReadPages`. The caller may have filtered the data. */
type Pages<Item> = Pick<
  UseInfiniteQueryResult<unknown, CallError>,
  'error' | 'isPending' | 'isFetching' | 'isFetchNextPageError' | 'isFetchingNextPage' | 'hasNextPage'
> & {
  data: readonly Item[] | undefined
  isLong?: boolean
  fetchNextPage: () => unknown
  refetch: () => unknown
}

type PagedListProps<Item> = {
  pages: Pages<Item>
  /** Replaces the full-page spinner. */
  loading?: ReactNode
  empty?: ReactNode
  errorTitle?: string
  /** The address of the first page, if each page of the list has its own address. */
  firstPage?: string
  more?: Partial<LoadMoreProps>
} & (
  | {
      label?: string
      className?: string
      /** The `<li>` of an item. */
      children: (item: Item) => ReactNode
    }
  /** Renders the items if they are not a single plain list. */
  | { layout: (items: readonly Item[]) => ReactNode }
)

/** A list that is loaded page by page, with its loading, error and empty states. */
export function PagedList<Item>({
  pages,
  loading = <FullPageSpinner />,
  empty,
  errorTitle,
  firstPage,
  more,
  ...content
}: PagedListProps<Item>) {
  const { data } = pages
  const hasItems = data !== undefined && data.length > 0
  return (
    <>
      {pages.isPending && !data && loading}
      {pages.error && (!data || pages.isFetchNextPageError) && (
        <ListError pages={pages} title={errorTitle} firstPage={firstPage} />
      )}
      {data?.length === 0 && empty}
      {hasItems &&
        ('layout' in content ? (
          content.layout(data)
        ) : (
          <ul
            aria-label={content.label}
            className={content.className ?? 'grid grid-cols-[minmax(0,1fr)] gap-5'}
          >
            {data.map(content.children)}
          </ul>
        ))}
      <LoadMore
        hasMore={pages.hasNextPage}
        busy={pages.isFetchingNextPage}
        onMore={() => void pages.fetchNextPage()}
        {...more}
        endNote={hasItems && pages.isLong ? more?.endNote : undefined}
      />
    </>
  )
}

interface ListErrorProps {
  pages: Pages<unknown>
  title: string | undefined
  firstPage: string | undefined
}

/** Explains why a list is not shown: it failed to load, or the page in the address does not exist. */
function ListError({ pages, title, firstPage }: ListErrorProps) {
  if (firstPage && pages.error?.status === 422) {
    return (
      <EmptyState
        drawing="lens"
        title="There is no such page"
        action={<LinkButton to={firstPage}>Go to First Page</LinkButton>}
      >
        The link may be incomplete.
      </EmptyState>
    )
  }
  return (
    <ErrorState
      title={title}
      reference={pages.error?.requestId}
      onRetry={() => void pages.refetch()}
      busy={pages.isFetching}
    />
  )
}
