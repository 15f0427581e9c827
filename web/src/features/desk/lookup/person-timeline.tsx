import { listPersonEvents, type PersonDetails, type PersonEvent } from '@sought/contract/lookup'
import type { ModerationAction } from '@sought/contract/moderation'
import { paths } from '@sought/contract/paths'
import type { PaymentStatus } from '@sought/contract/payments'
import { Link } from 'wouter'
import { useReadPages } from '../../../data/calls.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { plural } from '../../../format/plural.ts'
import { nameOfAction } from '../../../shared/audit/audit-actions.ts'
import { getTeamLabel } from '../../../shared/deals/payment-status.ts'
import { PagedList } from '../../../shared/loading/paged-list.tsx'
import { decisionLabels } from '../../../shared/moderation/moderation-decision.ts'

const PAGE_SIZE = 50

const labels: Record<PersonEvent['kind'], string> = {
  request_posted: 'Posted a request',
  bought: 'Bought',
  sold: 'Sold',
  review_written: 'Wrote a review',
  ticket_opened: 'Asked our team',
  case_opened: 'Reported',
  decision: 'Moderation decision',
  goodwill: 'Goodwill payment',
  recorded: 'Audit log',
}

/** The reply about the person contains the first page. */
export function PersonTimeline({ person }: { person: PersonDetails }) {
  const events = useReadPages(
    listPersonEvents,
    { limit: String(PAGE_SIZE) },
    { params: { id: person.id }, idOf: ({ id }) => id },
  )
  return (
    <PagedList
      pages={{ ...events, data: events.data ?? person.timeline }}
      more={{ label: 'Show earlier events' }}
      layout={(shown) => (
        <ol aria-label="Timeline" className="grid grid-cols-[minmax(0,1fr)]">
          {shown.map((event) => (
            <li
              key={event.id}
              className="grid items-baseline gap-x-6 border-line border-t py-3 first:border-t-0 sm:grid-cols-[11rem_minmax(0,1fr)]"
            >
              <time dateTime={event.at} className="text-fine text-ink-soft">
                {formatDateTime(event.at)}
              </time>
              <p className="[overflow-wrap:anywhere]">
                <EventText event={event} />
              </p>
            </li>
          ))}
        </ol>
      )}
    />
  )
}

function EventText({ event }: { event: PersonEvent }) {
  const href = hrefOf(event)
  const label = event.kind === 'recorded' ? nameOfAction(event.detail) : labels[event.kind]
  const detail = event.detail && describeDetail(event.kind, event.detail)
  return (
    <>
      {href ? (
        <Link className="link font-strong" href={href}>
          {label}
        </Link>
      ) : (
        <span className="font-strong">{label}</span>
      )}
      {detail && `: ${detail}`}
    </>
  )
}

function describeDetail(kind: PersonEvent['kind'], detail: string): string | null {
  switch (kind) {
    case 'bought':
    case 'sold':
      return getTeamLabel({ status: detail as PaymentStatus })
    case 'review_written':
      return plural(Number(detail), 'star')
    case 'decision':
      return decisionLabels[detail as ModerationAction]
    case 'recorded':
      return null
    case 'request_posted':
    case 'ticket_opened':
    case 'case_opened':
    case 'goodwill':
      return detail.replaceAll('_', ' ')
  }
}

function hrefOf({ kind, refId }: PersonEvent): string | null {
  const id = Number(refId)
  switch (kind) {
    case 'request_posted':
      return paths.item(id)
    case 'bought':
    case 'sold':
    case 'review_written':
    case 'goodwill':
      return paths.adminDeal(id)
    case 'ticket_opened':
      return paths.adminTicket(id)
    case 'case_opened':
    case 'decision':
    case 'recorded':
      return null
  }
}
