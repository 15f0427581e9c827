import { paths } from '@sought/contract/paths'
import {
  type AdminTicket,
  listAdminTickets,
  TICKET_STATUSES,
  type TicketStatus,
} from '@sought/contract/support'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useReadPages } from '../../../data/calls.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { SearchForm } from '../../../shared/forms/search-form.tsx'
import { PagedList } from '../../../shared/loading/paged-list.tsx'
import { ticketBadges, topicLabels } from '../../../shared/support/ticket-status.ts'
import { Badge } from '../../../ui/display/badge.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Chip } from '../../../ui/forms/chip.tsx'
import { Card, CardLink } from '../../../ui/layout/card.tsx'
import { nameOfAsker } from './ticket-person.ts'

const PAGE_SIZE = 20

interface Filter {
  status: TicketStatus | undefined
  search: string
}

/** Support tickets. The filter is in the URL, so that a link or a reload shows the same list. */
export function AdminTicketsScreen() {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const filter: Filter = {
    status: TICKET_STATUSES.find((name) => name === query.get('status')),
    search: query.get('search') ?? '',
  }
  const change = (changed: Partial<Filter>) =>
    navigate(paths.adminTickets({ ...filter, ...changed }), { replace: true })
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center gap-3">
        <SearchForm
          label="Search tickets"
          placeholder="Search by name, email, words or number..."
          value={filter.search}
          maxLength={200}
          onSearch={(search) => change({ search })}
          className="min-w-0 grow basis-72"
        />
        <fieldset className="flex flex-wrap gap-2">
          <legend className="sr-only">Ticket status</legend>
          <Chip pressed={!filter.status} onClick={() => change({ status: undefined })}>
            All
          </Chip>
          {TICKET_STATUSES.map((status) => (
            <Chip key={status} pressed={filter.status === status} onClick={() => change({ status })}>
              {ticketBadges[status].deskLabel}
            </Chip>
          ))}
        </fieldset>
      </div>
      <TicketList key={`${filter.status} ${filter.search}`} filter={filter} />
    </>
  )
}

function TicketList({ filter: { status, search } }: { filter: Filter }) {
  const tickets = useReadPages(listAdminTickets, {
    status,
    search: search || undefined,
    limit: String(PAGE_SIZE),
  })
  return (
    <PagedList
      pages={tickets}
      label="Tickets"
      className="grid grid-cols-[minmax(0,1fr)] gap-4"
      empty={<NoTickets isFiltered={status !== undefined || search !== ''} />}
    >
      {(ticket) => (
        <li key={ticket.id}>
          <TicketCard ticket={ticket} />
        </li>
      )}
    </PagedList>
  )
}

function NoTickets({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState drawing="lens" title="Nothing found">
      No tickets match your filter.
    </EmptyState>
  ) : (
    <EmptyState drawing="letters" title="No tickets yet">
      Questions from the help page appear here.
    </EmptyState>
  )
}

function TicketCard({ ticket }: { ticket: AdminTicket }) {
  const { id, subject, topic, status, excerpt, updatedAt } = ticket
  const { deskLabel, tone } = ticketBadges[status]
  return (
    <Card interactive className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p className="flex flex-wrap items-center gap-2">
        <span className="mr-1 font-strong text-fine tabular-nums">Ticket #{id}</span>
        <Badge tone={tone}>{deskLabel}</Badge>
        <Badge>{topicLabels[topic]}</Badge>
      </p>
      <h2 className="font-display font-strong text-lead [overflow-wrap:anywhere]">
        <CardLink asChild>
          <Link href={paths.adminTicket(id)}>{subject}</Link>
        </CardLink>
      </h2>
      <p className="line-clamp-2 text-ink-soft [overflow-wrap:anywhere]">{excerpt}</p>
      <p className="text-fine text-ink-soft [overflow-wrap:anywhere]">
        {nameOfAsker(ticket)} · {formatDateTime(updatedAt)}
      </p>
    </Card>
  )
}
