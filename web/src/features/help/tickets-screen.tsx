import { paths } from '@sought/contract/paths'
import { listTickets } from '@sought/contract/support'
import { Link } from 'wouter'
import { useReadPages } from '../../data/calls.ts'
import { formatDate } from '../../format/dates.ts'
import { PagedList } from '../../shared/loading/paged-list.tsx'
import { BackTo } from '../../shared/navigation/back-button.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { ticketBadges, topicLabels } from '../../shared/support/ticket-status.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Page } from '../../ui/layout/page.tsx'

const PAGE_SIZE = 20

/** The user's questions to our team. */
export function TicketsScreen() {
  const tickets = useReadPages(listTickets, { limit: String(PAGE_SIZE) })
  return (
    <Page title="Your questions" back={<BackTo href={paths.help()}>Help</BackTo>} width="column">
      <PagedList
        pages={tickets}
        label="Your questions"
        className="border-line border-b"
        empty={
          <EmptyState
            drawing="letters"
            title="No questions yet"
            action={<LinkButton to={`${paths.help()}#contact`}>Ask a Question</LinkButton>}
          >
            What you ask our team appears here, with our answers.
          </EmptyState>
        }
      >
        {({ id, subject, topic, status, updatedAt }) => (
          <li key={id} className="border-line border-t">
            <Link
              href={paths.ticket(id)}
              className="grid gap-1 py-4 text-inherit no-underline hover:text-accent"
            >
              <span className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
                <span className="min-w-0 font-strong [overflow-wrap:anywhere]">{subject}</span>
                <Badge tone={ticketBadges[status].tone}>{ticketBadges[status].label}</Badge>
              </span>
              <span className="text-fine text-ink-soft">
                {topicLabels[topic]} · {formatDate(updatedAt)}
              </span>
            </Link>
          </li>
        )}
      </PagedList>
    </Page>
  )
}
