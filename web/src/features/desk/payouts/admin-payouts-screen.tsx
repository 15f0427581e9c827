import { paths } from '@sought/contract/paths'
import { listManualPayouts, type ManualPayout, UNCLAIMED_AFTER_DAYS } from '@sought/contract/payouts'
import type { ReactNode } from 'react'
import { useReadPages } from '../../../data/calls.ts'
import { PagedList } from '../../../shared/loading/paged-list.tsx'
import { StatusLists, type StatusTexts } from '../shared/status-lists.tsx'
import { PayoutCard } from './payout-card.tsx'

const PAGE_SIZE = 20

type Status = ManualPayout['status']

const statuses: Record<Status, StatusTexts> = {
  owed: {
    label: 'Owed',
    emptyTitle: 'No payouts owed',
    emptyText: 'Every seller with bank details has been paid.',
  },
  paid: {
    label: 'Paid',
    emptyTitle: 'No paid payouts yet',
    emptyText: 'Payouts appear here after you mark them as paid.',
  },
  reversed: {
    label: 'Reversed',
    emptyTitle: 'No reversed payouts',
    emptyText: 'Transfers that somebody reverses in the dashboard of the card provider appear here.',
  },
  unclaimed: {
    label: 'Unclaimed',
    emptyTitle: 'No unclaimed payouts',
    emptyText: `Payouts appear here if their sellers have not set up payouts within ${UNCLAIMED_AFTER_DAYS} days.`,
  },
  failed: {
    label: 'Failed at the bank',
    emptyTitle: 'No failed payouts',
    emptyText: 'Payouts that a seller’s bank returns appear here until they are sent again.',
  },
}

/** Payouts to sellers with bank details but no connected account, and payouts that were reversed, failed or are unclaimed. */
export function AdminPayoutsScreen() {
  return (
    <StatusLists
      legend="Payout status"
      statuses={statuses}
      pathOf={(status) => paths.adminPayouts(status === 'owed' ? {} : { status })}
      drawing="letters"
    >
      {(status, empty) => <PayoutList status={status} empty={empty} />}
    </StatusLists>
  )
}

function PayoutList({ status, empty }: { status: Status; empty: ReactNode }) {
  return (
    <PagedList
      pages={useReadPages(listManualPayouts, { status, limit: String(PAGE_SIZE) })}
      label="Payouts"
      empty={empty}
    >
      {(payout) => (
        <li key={payout.id}>
          <PayoutCard payout={payout} />
        </li>
      )}
    </PagedList>
  )
}
