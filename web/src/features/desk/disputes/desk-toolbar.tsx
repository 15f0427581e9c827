import { type DeskDispute, exportDisputes } from '@sought/contract/disputes'
import { paths } from '@sought/contract/paths'
import { ChartNoAxesColumn, Download, RotateCw } from 'lucide-react'
import { getUrl } from '../../../data/client.ts'
import { SearchForm } from '../../../shared/forms/search-form.tsx'
import { LinkButton } from '../../../shared/navigation/links.tsx'
import { ConfirmedDownload } from '../../../shared/sign-in/confirmed-download.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import type { DeskFilter } from './desk-filter.ts'

const SEARCH_DELAY_MS = 300

const ALL = 'all'

const statusOptions = [
  { value: ALL, label: 'All Disputes' },
  { value: 'disputed', label: 'New Disputes' },
  { value: 'under_review', label: 'Under Review' },
  { value: 'resolved_buyer', label: 'Resolved - Buyer' },
  { value: 'resolved_seller', label: 'Resolved - Seller' },
  { value: 'resolved_partial', label: 'Resolved - Partial' },
  { value: 'overdue', label: 'Overdue' },
  { value: 'bank_deadline', label: 'Bank Deadline' },
] as const

const viewOptions = [
  { value: ALL, label: 'All Admins' },
  { value: 'mine', label: 'Mine' },
  { value: 'unassigned', label: 'Unassigned' },
] as const

const sortOptions = [
  { value: 'newest', label: 'Newest First' },
  { value: 'due', label: 'Most Urgent First' },
] as const

interface DeskToolbarProps {
  filter: DeskFilter
  onChange: (change: Partial<DeskFilter>) => void
  refreshing: boolean
  onRefresh: () => void
}

export function DeskToolbar({ filter, onChange, refreshing, onRefresh }: DeskToolbarProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3 md:grid-cols-[repeat(3,minmax(0,1fr))_auto]">
      <SearchForm
        label="Search disputes"
        placeholder="Search by item title, dispute reason, or user ID..."
        value={filter.search}
        maxLength={200}
        onSearch={(search) => onChange({ search })}
        delayMs={SEARCH_DELAY_MS}
        className="col-span-full"
      />
      <Select
        label="Status"
        hideLabel
        className="max-md:col-span-2"
        options={statusOptions}
        value={filter.status ?? ALL}
        onChange={({ target }) => {
          const chosen = statusOptions.find(({ value }) => value === target.value)?.value
          onChange({ status: chosen === ALL ? undefined : chosen })
        }}
      />
      <Select
        label="Sort"
        hideLabel
        className="max-md:col-span-2"
        options={sortOptions}
        value={filter.sort}
        onChange={({ target }) =>
          onChange({ sort: sortOptions.find(({ value }) => value === target.value)?.value ?? 'newest' })
        }
      />
      <Select
        label="Assigned to"
        hideLabel
        options={viewOptions}
        value={filter.show ?? ALL}
        onChange={({ target }) => {
          const chosen = viewOptions.find(({ value }) => value === target.value)?.value
          onChange({ show: chosen === ALL ? undefined : chosen })
        }}
      />
      <Button variant="secondary" busy={refreshing} onClick={onRefresh}>
        <RotateCw aria-hidden="true" />
        Refresh
      </Button>
    </div>
  )
}

interface QuickActionsProps {
  filter: DeskFilter
  /** The disputes that bulk actions apply to. */
  selected: readonly DeskDispute[]
  isBulkOpen: boolean
  onBulkOpenChange: (isOpen: boolean) => void
  onRuled: () => void
}

/** The report contains every dispute that matches the filter, not only the loaded pages. */
export function QuickActions({
  filter: { search, status, show },
  selected,
  isBulkOpen,
  onBulkOpenChange,
  onRuled,
}: QuickActionsProps) {
  return (
    <section aria-label="Quick actions" className="flex flex-wrap gap-2">
      <ConfirmedDownload href={getUrl(exportDisputes, { query: { search, status, show } })} size="sm">
        <Download aria-hidden="true" />
        Export Report
      </ConfirmedDownload>
      <BulkDialog disputes={selected} open={isBulkOpen} onOpenChange={onBulkOpenChange} onDone={onRuled} />
      <LinkButton to={paths.adminAnalytics()} variant="secondary" size="sm">
        <ChartNoAxesColumn aria-hidden="true" />
        View Analytics
      </LinkButton>
    </section>
  )
}
