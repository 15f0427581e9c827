import { paths } from '@sought/contract/paths'
import { listStuckRefunds } from '@sought/contract/refunds'
import { useLocation, useSearchParams } from 'wouter'
import { useReadPages } from '../../../data/calls.ts'
import { PagedList } from '../../../shared/loading/paged-list.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Chip } from '../../../ui/forms/chip.tsx'
import { RefundCard } from './refund-card.tsx'

const PAGE_SIZE = 20

type Status = 'owed' | 'paid'

/** Refunds that did not reach their buyers. The URL selects those that are owed, or that admins have paid. */
export function AdminRefundsScreen() {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const status: Status = query.get('status') === 'paid' ? 'paid' : 'owed'
  const showStatus = (chosen: Status) =>
    navigate(paths.adminRefunds(chosen === 'paid' ? { status: 'paid' } : {}), { replace: true })
  return (
    <>
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
    </>
  )
}

function RefundList({ status }: { status: Status }) {
  const refunds = useReadPages(
    listStuckRefunds,
    { status, limit: String(PAGE_SIZE) },
    { idOf: ({ paymentId }) => paymentId },
  )
  return (
    <PagedList pages={refunds} label="Refunds" empty={<NoRefunds status={status} />}>
      {(refund) => (
        <li key={refund.paymentId}>
          <RefundCard refund={refund} />
        </li>
      )}
    </PagedList>
  )
}

function NoRefunds({ status }: { status: Status }) {
  return status === 'owed' ? (
    <EmptyState drawing="letters" title="No refunds to handle">
      Every refund has reached its buyer or is on its way.
    </EmptyState>
  ) : (
    <EmptyState drawing="letters" title="No refunds paid manually yet">
      Refunds appear here after you mark them as paid.
    </EmptyState>
  )
}
