import { countUnreadNotifications, listNotifications } from '@sought/contract/notifications'
import { paths } from '@sought/contract/paths'
import { useRead, useReadPages } from '../../data/calls.ts'
import { PagedList } from '../../shared/loading/paged-list.tsx'
import { LinkButton, TextLink } from '../../shared/navigation/links.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { NotificationLine, NotificationSkeletons } from './notification-line.tsx'
import { useMarkRead } from './use-mark-read.ts'

const PAGE_SIZE = 20

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
      <NotificationList />
      <p className="mt-8 text-center text-fine text-ink-soft">
        You can <TextLink to={paths.profile({ tab: 'settings' })}>choose</TextLink> which of these we also
        send by email.
      </p>
    </Page>
  )
}

function NotificationList() {
  const { markOne } = useMarkRead()
  const pages = useReadPages(listNotifications, { limit: String(PAGE_SIZE) })
  return (
    <PagedList
      pages={pages}
      loading={
        <Card padding="none">
          <NotificationSkeletons />
        </Card>
      }
      empty={<NoNotifications />}
      more={{ endNote: 'These are all notifications of the last year.' }}
      layout={(notifications) => (
        <Card asChild padding="none">
          <ul aria-label="Notifications">
            {notifications.map((notification) => (
              <li key={notification.id} className="border-line border-t first:border-t-0">
                <NotificationLine notification={notification} onOpen={() => markOne(notification)} />
              </li>
            ))}
          </ul>
        </Card>
      )}
    />
  )
}

function NoNotifications() {
  return (
    <EmptyState
      drawing="letters"
      title="No notifications yet"
      action={
        <LinkButton to={paths.home()} variant="secondary">
          Browse Requests
        </LinkButton>
      }
    >
      Offers, payments and messages will appear here.
    </EmptyState>
  )
}
