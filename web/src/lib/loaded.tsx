import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '../ui/error-state.tsx'
import { FullPageSpinner } from '../ui/spinner.tsx'
import type { CallError } from './client.ts'

interface LoadedProps<Data> {
  of: UseQueryResult<Data, CallError>
  /** In place of the full-page spinner. */
  loading?: ReactNode
  /** In place of the error, when the thing does not exist. */
  missing?: ReactNode
  /** What the error says it could not do, such as 'Failed to fetch item'. */
  failed?: string
  children: (data: Data) => ReactNode
}

/** Shows what was read, and before that its loading, missing or failed state, so that no screen forgets one. */
export function Loaded<Data>({ of, loading, missing, failed, children }: LoadedProps<Data>) {
  if (of.isSuccess) return children(of.data)
  if (of.isPending) return loading ?? <FullPageSpinner />
  if (missing && of.error.status === 404) return missing
  // A later reading that failed takes nothing away from what is already there.
  if (of.isRefetchError) return children(of.data)
  return <ErrorState title={failed} onRetry={() => void of.refetch()} busy={of.isFetching} />
}
