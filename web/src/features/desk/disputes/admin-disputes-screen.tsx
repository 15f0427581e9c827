import { disputeCursor, listDisputes } from '@sought/contract/disputes'
import { Layers } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useReadPages } from '../../../data/calls.ts'
import { PagedList } from '../../../shared/loading/paged-list.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { Checkbox } from '../../../ui/forms/checkbox.tsx'
import { DeskActions } from '../layout/desk-layout.tsx'
import { canRule } from './bulk-dialog.tsx'
import { type DeskFilter, useDeskFilter } from './desk-filter.ts'
import { DeskToolbar, QuickActions } from './desk-toolbar.tsx'
import { DisputeCard } from './dispute-card.tsx'

const PAGE_SIZE = 20

export function AdminDisputesScreen() {
  const [filter, changeFilter] = useDeskFilter()
  const disputes = useDisputes(filter)
  const isFiltered = filter.search !== '' || filter.status !== undefined || filter.show !== undefined
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<number>>(new Set())
  const selectable = disputes.data?.filter(canRule) ?? []
  const selected = selectable.filter(({ id }) => selectedIds.has(id))
  const [isBulkOpen, setIsBulkOpen] = useState(false)
  const selectAll = useRef<HTMLInputElement>(null)
  const toggle = (id: number, isSelected: boolean) => {
    const others = selected.map((it) => it.id).filter((it) => it !== id)
    setSelectedIds(new Set(isSelected ? [...others, id] : others))
  }
  return (
    <>
      <DeskActions>
        <QuickActions
          filter={filter}
          selected={selected}
          isBulkOpen={isBulkOpen}
          onBulkOpenChange={setIsBulkOpen}
          onRuled={() => setSelectedIds(new Set())}
        />
      </DeskActions>
      <DeskToolbar
        filter={filter}
        onChange={changeFilter}
        refreshing={disputes.isRefetching}
        onRefresh={() => void disputes.refetch()}
      />
      <div className="mt-8">
        {selectable.length > 0 && (
          <Checkbox
            ref={selectAll}
            className="mb-4"
            label="Select all on this page"
            checked={selected.length === selectable.length}
            onChange={({ target }) =>
              setSelectedIds(new Set(target.checked ? selectable.map(({ id }) => id) : []))
            }
          />
        )}
        <PagedList
          pages={disputes}
          label="Disputes"
          empty={<NoDisputes isFiltered={isFiltered} />}
          more={{ onMore: () => changeFilter({ ...filter, page: filter.page + 1 }) }}
        >
          {(dispute) => (
            <li key={dispute.id}>
              <DisputeCard
                dispute={dispute}
                isSelected={selectedIds.has(dispute.id)}
                onSelect={(isSelected) => toggle(dispute.id, isSelected)}
              />
            </li>
          )}
        </PagedList>
        {selected.length > 0 && (
          <SelectionBar
            count={selected.length}
            onBulk={() => setIsBulkOpen(true)}
            onClear={() => {
              setSelectedIds(new Set())
              selectAll.current?.focus()
            }}
          />
        )}
      </div>
    </>
  )
}

/** Loads pages one after the other, until the number in the URL is shown. */
function useDisputes({ search, status, show, sort, page }: DeskFilter) {
  const disputes = useReadPages(
    listDisputes,
    {
      search: search || undefined,
      status,
      show,
      sort: sort === 'newest' ? undefined : sort,
      limit: String(PAGE_SIZE),
    },
    { idOf: (dispute) => disputeCursor(dispute, sort) },
  )
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = disputes
  const loadedCount = Math.ceil((data?.length ?? 0) / PAGE_SIZE)
  const needsMore = hasNextPage && loadedCount < page && !isFetching && !isError
  useEffect(() => {
    if (needsMore) void fetchNextPage()
  }, [needsMore, fetchNextPage])
  return disputes
}

function NoDisputes({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState drawing="lens" title="Nothing found">
      No disputes match your current filters.
    </EmptyState>
  ) : (
    <EmptyState drawing="letters" title="No disputes">
      No disputes have been submitted yet.
    </EmptyState>
  )
}

interface SelectionBarProps {
  count: number
  onBulk: () => void
  onClear: () => void
}

/** A bar at the bottom of the window. When the end of the list is on screen, the bar is below the list. */
function SelectionBar({ count, onBulk, onClear }: SelectionBarProps) {
  return (
    <section
      aria-label="Selection"
      data-bottom-bar
      className="sticky bottom-0 z-10 mt-5 flex items-center gap-2 border-line-strong border-t bg-paper pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] shadow-lift max-sm:-mx-4 max-sm:px-4 sm:bottom-4 sm:rounded-card sm:border sm:px-5"
    >
      <p className="mr-auto font-strong tabular-nums">{count} selected</p>
      <Button variant="quiet" size="sm" onClick={onClear}>
        Clear
      </Button>
      <Button size="sm" onClick={onBulk}>
        <Layers aria-hidden="true" />
        Bulk Actions
      </Button>
    </section>
  )
}
