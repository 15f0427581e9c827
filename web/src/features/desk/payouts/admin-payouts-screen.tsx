import { paths } from '@sought/contract/paths'
import { listManualPayouts, type ManualPayout } from '@sought/contract/payouts'
import { useLocation, useSearchParams } from 'wouter'
import { useReadPages } from '../../../data/calls.ts'
import { PagedList } from '../../../shared/loading/paged-list.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Chip } from '../../../ui/forms/chip.tsx'
import { PayoutCard } from './payout-card.tsx'

const PAGE_SIZE = 20

type Status = ManualPayout['status']

const statuses: Record<Status, string> = { owed: 'Owed', paid: 'Paid', reversed: 'Reversed' }

const isStatus = (text: string | null): text is Status => text !== null && text in statuses

/** Payouts to sellers with bank details but no connected account, and reversed payouts. The URL selects which. */
export function AdminPayoutsScreen() {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const wanted = query.get('status')
  const status = isStatus(wanted) ? wanted : 'owed'
  const showStatus = (chosen: Status) =>
    navigate(paths.adminPayouts(chosen === 'owed' ? {} : { status: chosen }), { replace: true })
  return (
    <>
      <fieldset className="mb-6 flex gap-2">
        <legend className="sr-only">Payout status</legend>
        {Object.entries(statuses).map(([name, label]) => (
          <Chip key={name} pressed={status === name} onClick={() => isStatus(name) && showStatus(name)}>
            {label}
          </Chip>
        ))}
      </fieldset>
      <PayoutList key={status} status={status} />
    </>
  )
}

function PayoutList({ status }: { status: Status }) {
  return (
    <PagedList
      pages={useReadPages(listManualPayouts, { status, limit: String(PAGE_SIZE) })}
      label="Payouts"
      empty={<NoPayouts status={status} />}
    >
      {(payout) => (
        <li key={payout.id}>
          <PayoutCard payout={payout} />
        </li>
      )}
    </PagedList>
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
