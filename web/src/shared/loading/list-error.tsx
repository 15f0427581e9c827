import type { CallError } from '../../data/client.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { LinkButton } from './error-page.tsx'

interface ListErrorProps {
  query: { error: CallError | null; refetch: () => unknown; isFetching: boolean }
  title?: string
  /** The address of the list from its start. */
  firstPage: string
}

/** Says why a list is not shown: it could not be loaded, or the address names a page that does not exist. */
export function ListError({ query, title, firstPage }: ListErrorProps) {
  if (query.error?.status === 422) {
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
      reference={query.error?.requestId}
      onRetry={() => void query.refetch()}
      busy={query.isFetching}
    />
  )
}
