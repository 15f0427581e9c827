import { listGoodwill } from '@sought/contract/goodwill'
import { paths } from '@sought/contract/paths'
import { useLocation, useSearchParams } from 'wouter'
import { useReadPages } from '../../../data/calls.ts'
import { PagedList } from '../../../shared/loading/paged-list.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Chip } from '../../../ui/forms/chip.tsx'
import { GoodwillCard } from './goodwill-card.tsx'

const PAGE_SIZE = 20

const STATUSES = ['waiting', 'unpaid', 'closed'] as const
type Status = (typeof STATUSES)[number]

const labels: Record<Status, string> = { waiting: 'To approve', unpaid: 'To pay', closed: 'Closed' }

export function AdminGoodwillScreen() {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const status = STATUSES.find((it) => it === query.get('status')) ?? 'waiting'
  return (
    <>
      <fieldset className="mb-6 flex flex-wrap gap-2">
        <legend className="sr-only">Goodwill status</legend>
        {STATUSES.map((it) => (
          <Chip
            key={it}
            pressed={status === it}
            onClick={() => navigate(paths.adminGoodwill({ status: it }), { replace: true })}
          >
            {labels[it]}
          </Chip>
        ))}
      </fieldset>
      <GoodwillList key={status} status={status} />
    </>
  )
}

function GoodwillList({ status }: { status: Status }) {
  const goodwill = useReadPages(
    listGoodwill,
    { status, limit: String(PAGE_SIZE) },
    { idOf: ({ rank }) => rank },
  )
  return (
    <PagedList pages={goodwill} label="Goodwill payments" empty={<NoGoodwill status={status} />}>
      {(it) => (
        <li key={it.id}>
          <GoodwillCard goodwill={it} />
        </li>
      )}
    </PagedList>
  )
}

const empty: Record<Status, { title: string; text: string }> = {
  waiting: {
    title: 'No goodwill waits for approval',
    text: 'Goodwill payments above the limit appear here until another admin decides.',
  },
  unpaid: { title: 'No goodwill to pay', text: 'Every goodwill payment has reached its recipient.' },
  closed: { title: 'No closed goodwill yet', text: 'Paid and rejected goodwill payments appear here.' },
}

function NoGoodwill({ status }: { status: Status }) {
  const { title, text } = empty[status]
  return <EmptyState title={title}>{text}</EmptyState>
}
