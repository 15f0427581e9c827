import { listOwnRequests } from '@sought/contract/own-requests'
import { paths } from '@sought/contract/paths'
import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useReadPages } from '../../data/calls.ts'
import { WaitingList } from '../../shared/loading/waiting-list.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { FirstSteps } from '../../shared/onboarding/first-steps.tsx'
import { useRenewRequest } from '../../shared/requests/request-actions.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { OwnRequestCard } from './own-request-card.tsx'

const PAGE_SIZE = 20

export function MyRequestsScreen() {
  const requests = useReadPages(listOwnRequests, { limit: String(PAGE_SIZE) }, { idOf: ({ rank }) => rank })
  useRenewFromLink()
  const hasRequests = (requests.data ?? []).length > 0
  return (
    <Page
      title="My Requests"
      lead="What you want, and what to do next."
      actions={hasRequests && <LinkButton to={paths.post()}>Post a Request</LinkButton>}
    >
      <div className="mb-8 empty:hidden">
        <FirstSteps lists={['buyer']} />
      </div>
      <WaitingList pages={requests} othersTitle="Other requests" empty={<NoRequests />}>
        {(request) => <OwnRequestCard request={request} />}
      </WaitingList>
    </Page>
  )
}

/** Renews a request from the link in the expiry notification. */
function useRenewFromLink(): void {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const { run } = useRenewRequest()
  const id = query.get('renew')
  useEffect(() => {
    if (id === null) return
    // A reload must not renew it again.
    navigate(paths.myRequests(), { replace: true })
    void run({ params: { id } })
  }, [id, run, navigate])
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
