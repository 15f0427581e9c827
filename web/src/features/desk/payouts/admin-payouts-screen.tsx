import { paths } from '@sought/contract/paths'
import { listManualPayouts, type ManualPayout } from '@sought/contract/payouts'
import { useLocation, useSearchParams } from 'wouter'
import { useReadPages } from '../../../data/calls.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { LoadMore } from '../../../ui/feedback/load-more.tsx'
import { FullPageSpinner } from '../../../ui/feedback/spinner.tsx'
import { Chip } from '../../../ui/forms/chip.tsx'
import { AdminPage, AdminsOnly } from '../shared/admin-page.tsx'
import { PayoutCard } from './payout-card.tsx'

const PAGE_SIZE = 20

type Status = ManualPayout['status']

export function AdminPayoutsScreen() {
  return (
    <AdminsOnly page="payouts">
      <ManualPayouts />
    </AdminsOnly>
  )
}

const statuses: Record<Status, string> = { owed: 'Owed', paid: 'Paid', reversed: 'Reversed' }

const isStatus = (text: string | null): text is Status => text !== null && text in statuses

/** Payouts to sellers with bank details but no connected account, and reversed payouts. The URL selects which. */
function ManualPayouts() {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const wanted = query.get('status')
  const status = isStatus(wanted) ? wanted : 'owed'
  const showStatus = (chosen: Status) =>
    navigate(paths.adminPayouts(chosen === 'owed' ? {} : { status: chosen }), { replace: true })
  return (
    <AdminPage
      page="payouts"
      lead="Payouts to sellers who gave bank details. Transfer the money, then mark the payout as paid."
    >
      <fieldset className="mb-6 flex gap-2">
        <legend className="sr-only">Payout status</legend>
        {Object.entries(statuses).map(([name, label]) => (
          <Chip key={name} pressed={status === name} onClick={() => isStatus(name) && showStatus(name)}>
            {label}
          </Chip>
        ))}
      </fieldset>
      <PayoutList key={status} status={status} />
    </AdminPage>
  )
}

function PayoutList({ status }: { status: Status }) {
  const payouts = useReadPages(listManualPayouts, { status, limit: String(PAGE_SIZE) }, { staleMs: 0 })
  if (payouts.isPending) return <FullPageSpinner />
  if (payouts.isError && !payouts.data) {
    return (
      <ErrorState
        reference={payouts.error?.requestId}
        onRetry={() => void payouts.refetch()}
        busy={payouts.isFetching}
      />
    )
  }
  if (payouts.data.length === 0) return <NoPayouts status={status} />
  return (
    <>
      <ul aria-label="Payouts" className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {payouts.data.map((payout) => (
          <li key={payout.id}>
            <PayoutCard payout={payout} />
          </li>
        ))}
      </ul>
      <LoadMore
        hasMore={payouts.hasNextPage}
        busy={payouts.isFetchingNextPage}
        onMore={() => void payouts.fetchNextPage()}
      />
    </>
  )
}

const emptyTexts: Record<Status, { title: string; text: string }> = {
  owed: { title: 'No payouts owed', text: 'Every seller with bank details has been paid.' },
  paid: { title: 'No paid payouts yet', text: 'Payouts appear here after you mark them as paid.' },
  reversed: {
    title: 'No reversed payouts',
    text: 'Transfers that somebody reverses in the dashboard of the card provider appear here.',
  },
}

function NoPayouts({ status }: { status: Status }) {
  const { title, text } = emptyTexts[status]
  return (
    <EmptyState drawing="letters" title={title}>
      {text}
    </EmptyState>
  )
}
