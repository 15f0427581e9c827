import { listAdminDebts } from '@sought/contract/debts'
import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useReadPages } from '../../../data/calls.ts'
import { SearchForm } from '../../../shared/forms/search-form.tsx'
import { PagedList } from '../../../shared/loading/paged-list.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { StatusLists, type StatusTexts } from '../shared/status-lists.tsx'
import { DebtCard } from './debt-card.tsx'

const PAGE_SIZE = 20

type Status = 'open' | 'settled'

const statuses: Record<Status, StatusTexts> = {
  open: {
    label: 'Open',
    emptyTitle: 'Nobody owes anything',
    emptyText: 'Debts of sellers appear here, and are taken from their next payouts.',
  },
  settled: {
    label: 'Settled',
    emptyTitle: 'No settled debts yet',
    emptyText: 'Debts appear here after they were taken from payouts, waived or written off.',
  },
}

/** What users owe the market, and what they owed. */
export function AdminDebtsScreen() {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const search = query.get('search') ?? ''
  const pathOf = (status: string, words: string) =>
    paths.adminDebts({ ...(status === 'settled' && { status }), ...(words && { search: words }) })
  return (
    <>
      <SearchForm
        label="Search debts"
        placeholder="Search by name or email…"
        value={search}
        onSearch={(words) => navigate(pathOf(query.get('status') ?? 'open', words), { replace: true })}
        className="mb-3"
      />
      <StatusLists
        legend="Debt status"
        statuses={statuses}
        pathOf={(status) => pathOf(status, search)}
        drawing="letters"
      >
        {(status, empty) => (
          <DebtList key={search} status={status} search={search} empty={search ? <NothingFound /> : empty} />
        )}
      </StatusLists>
    </>
  )
}

function NothingFound() {
  return (
    <EmptyState drawing="lens" title="Nothing found">
      No debts match your search.
    </EmptyState>
  )
}

function DebtList({ status, search, empty }: { status: Status; search: string; empty: ReactNode }) {
  const debts = useReadPages(listAdminDebts, {
    status,
    search: search || undefined,
    limit: String(PAGE_SIZE),
  })
  return (
    <PagedList pages={debts} label="Debts" empty={empty}>
      {(debt) => (
        <li key={debt.id}>
          <DebtCard debt={debt} />
        </li>
      )}
    </PagedList>
  )
}
