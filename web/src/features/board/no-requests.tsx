import { paths } from '@sought/contract/paths'
import { listOwnWantedItems } from '@sought/contract/requests'
import { useRead } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { usePostPath } from './use-post-path.ts'

interface NoRequestsProps {
  isFiltered: boolean
  /** The search text, which a new request starts with. */
  search?: string | undefined
  /** Whether there are filters that could be removed. */
  hasFilters?: boolean
}

/** The two empty states: only the user's own requests exist, or none do. */
export function NoRequests({ isFiltered, search, hasFilters = false }: NoRequestsProps) {
  const isSignedIn = useSession().state === 'signed-in'
  const own = useRead(listOwnWantedItems, { query: { limit: '1' } }, { enabled: isSignedIn && !isFiltered })
  const postPath = usePostPath(search)
  if (own.data && own.data.length > 0) {
    return (
      <EmptyState
        drawing="board"
        title="No other requests available"
        action={<LinkButton to={paths.myRequests()}>My Requests</LinkButton>}
      >
        Only your own requests are posted right now. Sellers can see them.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      drawing="lens"
      title="No requests found"
      action={<LinkButton to={postPath}>Post Your Request</LinkButton>}
    >
      {hasFilters && 'Remove a filter, save the search to get alerts about new requests, or post your own.'}
      {!hasFilters &&
        (isFiltered
          ? 'Try other words or another category, or post the first request.'
          : 'Post the first request.')}
    </EmptyState>
  )
}
