import { paths } from '@sought/contract/paths'
import { listStuckRefunds } from '@sought/contract/refunds'
import { useLocation, useSearchParams } from 'wouter'
import { useReadPages } from '../../../data/calls.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { LoadMore } from '../../../ui/feedback/load-more.tsx'
import { FullPageSpinner } from '../../../ui/feedback/spinner.tsx'
import { Chip } from '../../../ui/forms/chip.tsx'
import { AdminPage, AdminsOnly } from '../shared/admin-page.tsx'
import { RefundCard } from './refund-card.tsx'

const PAGE_SIZE = 20

type Status = 'owed' | 'paid'

export function AdminRefundsScreen() {
  return (
    <AdminsOnly page="refunds">
      <StuckRefunds />
    </AdminsOnly>
  )
}

/** Refunds that did not reach their buyers. The URL selects those that are owed, or that admins have paid. */
function StuckRefunds() {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const status: Status = query.get('status') === 'paid' ? 'paid' : 'owed'
  const showStatus = (chosen: Status) =>
    navigate(paths.adminRefunds(chosen === 'paid' ? { status: 'paid' } : {}), { replace: true })
  return (
    <AdminPage
      page="refunds"
      lead="Refunds that failed or that the card provider refuses. Try again, or pay the buyer another way."
    >
      <fieldset className="mb-6 flex gap-2">
        <legend className="sr-only">Refund status</legend>
        <Chip pressed={status === 'owed'} onClick={() => showStatus('owed')}>
          Owed
        </Chip>
        <Chip pressed={status === 'paid'} onClick={() => showStatus('paid')}>
          Paid
        </Chip>
      </fieldset>
      <RefundList key={status} status={status} />
    </AdminPage>
  )
}

function RefundList({ status }: { status: Status }) {
  const refunds = useReadPages(
    listStuckRefunds,
    { status, limit: String(PAGE_SIZE) },
    { staleMs: 0, idOf: ({ paymentId }) => paymentId },
  )
  if (refunds.isPending) return <FullPageSpinner />
  if (refunds.isError && !refunds.data) {
    return (
      <ErrorState
        reference={refunds.error?.requestId}
        onRetry={() => void refunds.refetch()}
        busy={refunds.isFetching}
      />
    )
  }
  if (refunds.data.length === 0) return <NoRefunds status={status} />
  return (
    <>
      <ul aria-label="Refunds" className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {refunds.data.map((refund) => (
          <li key={refund.paymentId}>
            <RefundCard refund={refund} />
          </li>
        ))}
      </ul>
      <LoadMore
        hasMore={refunds.hasNextPage}
        busy={refunds.isFetchingNextPage}
        onMore={() => void refunds.fetchNextPage()}
      />
    </>
  )
}

function NoRefunds({ status }: { status: Status }) {
  return status === 'owed' ? (
    <EmptyState drawing="letters" title="No refunds need you">
      Every refund has reached its buyer or is on its way.
    </EmptyState>
  ) : (
    <EmptyState drawing="letters" title="No refunds paid manually yet">
      Refunds appear here after you mark them as paid.
    </EmptyState>
  )
}
