import { paths } from '@sought/contract/paths'
import { listMatches } from '@sought/contract/selling'
import { useReadPages } from '../../data/calls.ts'
import { sellsSomething, useSession } from '../../data/session.ts'
import { PagedList } from '../../shared/loading/paged-list.tsx'
import { BackButton } from '../../shared/navigation/back-button.tsx'
import { LinkButton, TextLink } from '../../shared/navigation/links.tsx'
import { CardSkeletons, cardColumns } from '../../shared/requests/card-skeletons.tsx'
import { RequestCard } from '../../shared/requests/request-card.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Page } from '../../ui/layout/page.tsx'

const PAGE_SIZE = 12
const SKELETON_COUNT = 8

/** All open requests that match the user's keywords and categories as a seller. */
export function MatchesScreen() {
  const matches = useReadPages(
    listMatches,
    { limit: String(PAGE_SIZE) },
    { idOf: ({ position }) => position },
  )
  return (
    <Page
      title="Matches what you sell"
      lead={
        <>
          Open requests with your keywords or in your categories, the newest first.{' '}
          <TextLink to={paths.selling()}>Edit what you sell</TextLink>
        </>
      }
      back={<BackButton />}
      width="board"
    >
      <PagedList
        pages={matches}
        loading={<CardSkeletons count={SKELETON_COUNT} columns="board" />}
        errorTitle="Failed to fetch wanted items"
        empty={<NoMatches />}
        layout={(items) => (
          <div className={cardColumns.board}>
            {items.map((item) => (
              <RequestCard key={item.id} item={item} headingLevel="h2" />
            ))}
          </div>
        )}
      />
    </Page>
  )
}

function NoMatches() {
  const session = useSession()
  if (session.state === 'signed-in' && !sellsSomething(session.user)) {
    return (
      <EmptyState
        drawing="board"
        title="Say what you sell"
        action={<LinkButton to={paths.selling()}>Add Keywords and Categories</LinkButton>}
      >
        Requests that match will appear here and on your home page.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      drawing="lens"
      title="No matches right now"
      action={<LinkButton to={paths.home()}>Browse Requests</LinkButton>}
    >
      New requests that match what you sell appear here and on your home page.
    </EmptyState>
  )
}
