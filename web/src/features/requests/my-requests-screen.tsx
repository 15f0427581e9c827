import { listOwnRequests, type OwnRequest } from '@sought/contract/own-requests'
import { paths } from '@sought/contract/paths'
import { useReadPages } from '../../lib/calls.ts'
import { LinkButton } from '../../lib/error-page.tsx'
import { FirstSteps } from '../../lib/first-steps.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { OwnRequestCard } from './own-request-card.tsx'

const PAGE_SIZE = 20

export function MyRequestsScreen() {
  const requests = useReadPages(
    listOwnRequests,
    { limit: String(PAGE_SIZE) },
    { staleMs: 0, idOf: ({ rank }) => rank },
  )
  const all = requests.data ?? []
  return (
    <Page
      title="My Requests"
      lead="What you want, and what to do next."
      actions={all.length > 0 && <LinkButton to={paths.post()}>Post a Request</LinkButton>}
    >
      <div className="mb-8 empty:hidden">
        <FirstSteps lists={['buyer']} />
      </div>
      {requests.isPending && <Skeletons />}
      {requests.isError && all.length === 0 && (
        <ErrorState
          reference={requests.error?.requestId}
          onRetry={() => void requests.refetch()}
          busy={requests.isFetching}
        />
      )}
      {requests.isSuccess && all.length === 0 && <NoRequests />}
      <Group title="Waiting for you" requests={all.filter(({ isWaiting }) => isWaiting)} />
      <Group title="Other requests" requests={all.filter(({ isWaiting }) => !isWaiting)} />
      <LoadMore
        hasMore={requests.hasNextPage}
        busy={requests.isFetchingNextPage}
        onMore={() => void requests.fetchNextPage()}
      />
    </Page>
  )
}

function Group({ title, requests }: { title: string; requests: readonly OwnRequest[] }) {
  if (requests.length === 0) return null
  return (
    <section aria-label={title} className="mt-10 first-of-type:mt-0">
      <h2 className="mb-4 font-display font-strong text-title">{title}</h2>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {requests.map((request) => (
          <li key={request.id}>
            <OwnRequestCard request={request} />
          </li>
        ))}
      </ul>
    </section>
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

function NoRequests() {
  return (
    <EmptyState
      drawing="board"
      title="You have no requests yet"
      action={
        <>
          <LinkButton to={paths.post()}>Post a Request</LinkButton>
          <LinkButton to={paths.home()} variant="secondary">
            Browse Requests
          </LinkButton>
        </>
      }
    >
      Say what you want, and sellers who have it will come to you with offers.
    </EmptyState>
  )
}
