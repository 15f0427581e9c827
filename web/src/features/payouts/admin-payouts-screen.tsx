import { paths } from '@sought/contract/paths'
import { listManualPayouts, type ManualPayout } from '@sought/contract/payouts'
import { useLocation, useSearchParams } from 'wouter'
import { AdminPage, AdminsOnly } from '../../lib/admin-page.tsx'
import { useReadPages } from '../../lib/calls.ts'
import { Chip } from '../../ui/chip.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { FullPageSpinner } from '../../ui/spinner.tsx'
import { PayoutCard } from './payout-card.tsx'

const PAGE_SIZE = 20

type Status = ManualPayout['status']

export function AdminPayoutsScreen() {
  return (
    <AdminsOnly>
      <ManualPayouts />
    </AdminsOnly>
  )
}

/** Payouts to sellers who have bank details but no connected account. The URL selects owed or paid. */
function ManualPayouts() {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const status: Status = query.get('status') === 'paid' ? 'paid' : 'owed'
  const showStatus = (chosen: Status) =>
    navigate(paths.adminPayouts(chosen === 'paid' ? { status: 'paid' } : {}), { replace: true })
  return (
    <AdminPage
      page="payouts"
      lead="Payouts to sellers who gave bank details. Transfer the money, then mark the payout as paid."
    >
      <fieldset className="mb-6 flex gap-2">
        <legend className="sr-only">Payout status</legend>
        <Chip pressed={status === 'owed'} onClick={() => showStatus('owed')}>
          Owed
        </Chip>
        <Chip pressed={status === 'paid'} onClick={() => showStatus('paid')}>
          Paid
        </Chip>
      </fieldset>
      <PayoutList key={status} status={status} />
    </AdminPage>
  )
}

function PayoutList({ status }: { status: Status }) {
  const payouts = useReadPages(listManualPayouts, { status, limit: String(PAGE_SIZE) }, { staleMs: 0 })
  if (payouts.isPending) return <FullPageSpinner />
  if (payouts.isError && !payouts.data) {
    return <ErrorState onRetry={() => void payouts.refetch()} busy={payouts.isFetching} />
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

function NoPayouts({ status }: { status: Status }) {
  return status === 'owed' ? (
    <EmptyState drawing="letters" title="No payouts owed">
      Every seller with bank details has been paid.
    </EmptyState>
  ) : (
    <EmptyState drawing="letters" title="No paid payouts yet">
      Payouts appear here after you mark them as paid.
    </EmptyState>
  )
}
