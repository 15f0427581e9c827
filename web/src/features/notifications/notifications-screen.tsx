import { countUnreadNotifications, listNotifications } from '@sought/contract/notifications'
import { paths } from '@sought/contract/paths'
import { Link } from 'wouter'
import { useRead, useReadPages } from '../../lib/calls.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Page } from '../../ui/page.tsx'
import { NotificationLine, NotificationSkeletons } from './notification-line.tsx'
import { useMarkRead } from './use-mark-read.ts'

const PAGE_SIZE = 20

/** Everything that the person was told, the latest first. */
export function NotificationsScreen() {
  const unread = useRead(countUnreadNotifications).data?.unread ?? 0
  const { markAll, isPending } = useMarkRead()
  return (
    <Page
      title="Notifications"
      lead="What happened with your requests, offers and payments."
      width="column"
      actions={
        unread > 0 && (
          <Button variant="secondary" busy={isPending} onClick={markAll}>
            Mark all read
          </Button>
        )
      }
    >
      <List />
      <p className="mt-8 text-center text-fine text-ink-soft">
        Which of these we also send by mail is yours to{' '}
        <Link href={paths.profile({ tab: 'settings' })} className="link">
          choose
        </Link>
        .
      </p>
    </Page>
  )
}

function List() {
  const { markOne } = useMarkRead()
  const pages = useReadPages(listNotifications, { limit: String(PAGE_SIZE) }, { staleMs: 0 })
  if (pages.isPending) {
    return (
      <Card padding="none">
        <NotificationSkeletons />
      </Card>
    )
  }
  if (pages.isError && !pages.data) {
    return <ErrorState onRetry={() => void pages.refetch()} busy={pages.isFetching} />
  }
  if (pages.data.length === 0) return <Nothing />
  return (
    <>
      <Card asChild padding="none">
        <ul aria-label="Notifications">
          {pages.data.map((notification) => (
            <li key={notification.id} className="border-line border-t first:border-t-0">
              <NotificationLine notification={notification} onFollow={() => markOne(notification)} />
            </li>
          ))}
        </ul>
      </Card>
      <LoadMore
        hasMore={pages.hasNextPage}
        busy={pages.isFetchingNextPage}
        onMore={() => void pages.fetchNextPage()}
        endNote={pages.data.length > PAGE_SIZE ? 'That is everything of the last year.' : undefined}
      />
    </>
  )
}

function Nothing() {
  return (
    <EmptyState
      drawing="letters"
      title="Nothing yet"
      action={
        <Button asChild variant="secondary">
          <Link href={paths.home()}>See What Is Wanted</Link>
        </Button>
      }
    >
      Offers, payments and messages are announced here.
    </EmptyState>
  )
}
