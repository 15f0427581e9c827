import { listGoodwill } from '@sought/contract/goodwill'
import { paths } from '@sought/contract/paths'
import { useLocation, useSearchParams } from 'wouter'
import { useReadPages } from '../../../data/calls.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { LoadMore } from '../../../ui/feedback/load-more.tsx'
import { FullPageSpinner } from '../../../ui/feedback/spinner.tsx'
import { Chip } from '../../../ui/forms/chip.tsx'
import { AdminPage, AdminsOnly } from '../shared/admin-page.tsx'
import { GoodwillCard } from './goodwill-card.tsx'

const PAGE_SIZE = 20

const STATUSES = ['waiting', 'unpaid', 'closed'] as const
type Status = (typeof STATUSES)[number]

const labels: Record<Status, string> = { waiting: 'To approve', unpaid: 'To pay', closed: 'Closed' }

export function AdminGoodwillScreen() {
  return (
    <AdminsOnly page="goodwill">
      <Goodwill />
    </AdminsOnly>
  )
}

function Goodwill() {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const status = STATUSES.find((it) => it === query.get('status')) ?? 'waiting'
  return (
    <AdminPage
      page="goodwill"
      lead="Money that the platform gives to a party of a deal. Give it on the page of the deal."
    >
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
    </AdminPage>
  )
}

function GoodwillList({ status }: { status: Status }) {
  const goodwill = useReadPages(
    listGoodwill,
    { status, limit: String(PAGE_SIZE) },
    { staleMs: 0, idOf: ({ rank }) => rank },
  )
  if (goodwill.isPending) return <FullPageSpinner />
  if (goodwill.isError && !goodwill.data) {
    return (
      <ErrorState
        reference={goodwill.error?.requestId}
        onRetry={() => void goodwill.refetch()}
        busy={goodwill.isFetching}
      />
    )
  }
  if (goodwill.data.length === 0) return <NoGoodwill status={status} />
  return (
    <>
      <ul aria-label="Goodwill payments" className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {goodwill.data.map((it) => (
          <li key={it.id}>
            <GoodwillCard goodwill={it} />
          </li>
        ))}
      </ul>
      <LoadMore
        hasMore={goodwill.hasNextPage}
        busy={goodwill.isFetchingNextPage}
        onMore={() => void goodwill.fetchNextPage()}
      />
    </>
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
