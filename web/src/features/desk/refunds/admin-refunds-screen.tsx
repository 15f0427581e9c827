import { paths } from '@sought/contract/paths'
import { listStuckRefunds } from '@sought/contract/refunds'
import type { ReactNode } from 'react'
import { useReadPages } from '../../../data/calls.ts'
import { PagedList } from '../../../shared/loading/paged-list.tsx'
import { StatusLists, type StatusTexts } from '../shared/status-lists.tsx'
import { RefundCard } from './refund-card.tsx'

const PAGE_SIZE = 20

type Status = 'owed' | 'paid'

const statuses: Record<Status, StatusTexts> = {
  owed: {
    label: 'Owed',
    emptyTitle: 'No refunds to handle',
    emptyText: 'Every refund has reached its buyer or is on its way.',
  },
  paid: {
    label: 'Paid',
    emptyTitle: 'No refunds paid manually yet',
    emptyText: 'Refunds appear here after you mark them as paid.',
  },
}

/** Refunds that did not reach their buyers: those that are owed, and those that admins have paid. */
export function AdminRefundsScreen() {
  return (
    <StatusLists
      legend="Refund status"
      statuses={statuses}
      pathOf={(status) => paths.adminRefunds(status === 'paid' ? { status } : {})}
      drawing="letters"
    >
      {(status, empty) => <RefundList status={status} empty={empty} />}
    </StatusLists>
  )
}

function RefundList({ status, empty }: { status: Status; empty: ReactNode }) {
  const refunds = useReadPages(
    listStuckRefunds,
    { status, limit: String(PAGE_SIZE) },
    { idOf: ({ paymentId }) => paymentId },
  )
  return (
    <PagedList pages={refunds} label="Refunds" empty={empty}>
      {(refund) => (
        <li key={refund.paymentId}>
          <RefundCard refund={refund} />
        </li>
      )}
    </PagedList>
  )
}
