import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CallError } from '../../data/client.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'

interface LoadedProps<Data> {
  query: UseQueryResult<Data, CallError>
  /** Replaces the full-page spinner. */
  loading?: ReactNode
  /** Replaces the error if the server replies with 404, 410 for removed content, or 422 for an invalid id. */
  notFound?: ReactNode
  /** The title of the error, such as 'Failed to fetch item'. */
  errorTitle?: string
  /** A link to another page, for screens that are not reached from the header. */
  back?: ReactNode
  children: (data: Data) => ReactNode
}

/** Shows the data of a query, or its loading, not-found or error state, so that no screen forgets one. */
export function Loaded<Data>({ query, loading, notFound, errorTitle, back, children }: LoadedProps<Data>) {
  if (query.isSuccess) return children(query.data)
  if (query.isPending) return loading ?? <FullPageSpinner />
  if (notFound && [404, 410, 422].includes(query.error.status)) return notFound
  // When a refetch fails, the existing data stays on screen.
  if (query.isRefetchError) return children(query.data)
  return (
    <ErrorState
      title={errorTitle}
      reference={query.error.requestId}
      onRetry={() => void query.refetch()}
      busy={query.isFetching}
      back={back}
    />
  )
}
