import { listGoodwill } from '@sought/contract/goodwill'
import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { useReadPages } from '../../../data/calls.ts'
import { PagedList } from '../../../shared/loading/paged-list.tsx'
import { StatusLists, type StatusTexts } from '../shared/status-lists.tsx'
import { GoodwillCard } from './goodwill-card.tsx'

const PAGE_SIZE = 20

type Status = 'waiting' | 'unpaid' | 'closed'

const statuses: Record<Status, StatusTexts> = {
  waiting: {
    label: 'To approve',
    emptyTitle: 'No goodwill waits for approval',
    emptyText: 'Goodwill payments above the limit appear here until another admin decides.',
  },
  unpaid: {
    label: 'To pay',
    emptyTitle: 'No goodwill to pay',
    emptyText: 'Every goodwill payment has reached its recipient.',
  },
  closed: {
    label: 'Closed',
    emptyTitle: 'No closed goodwill yet',
    emptyText: 'Paid and rejected goodwill payments appear here.',
  },
}

export function AdminGoodwillScreen() {
  return (
    <StatusLists
      legend="Goodwill status"
      statuses={statuses}
      pathOf={(status) => paths.adminGoodwill({ status })}
    >
      {(status, empty) => <GoodwillList status={status} empty={empty} />}
    </StatusLists>
  )
}

function GoodwillList({ status, empty }: { status: Status; empty: ReactNode }) {
  const goodwill = useReadPages(
    listGoodwill,
    { status, limit: String(PAGE_SIZE) },
    { idOf: ({ rank }) => rank },
  )
  return (
    <PagedList pages={goodwill} label="Goodwill payments" empty={empty}>
      {(it) => (
        <li key={it.id}>
          <GoodwillCard goodwill={it} />
        </li>
      )}
    </PagedList>
  )
}
