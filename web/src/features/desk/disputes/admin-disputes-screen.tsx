import { disputeCursor, listDisputes } from '@sought/contract/disputes'
import { useEffect, useRef, useState } from 'react'
import { useReadPages } from '../../../data/calls.ts'
import { PagedList } from '../../../shared/loading/paged-list.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Checkbox } from '../../../ui/forms/checkbox.tsx'
import { DeskActions } from '../layout/desk-layout.tsx'
import { canRule } from './bulk-dialog.tsx'
import { type DeskFilter, useDeskFilter } from './desk-filter.ts'
import { DeskToolbar, QuickActions } from './desk-toolbar.tsx'
import { DisputeCard } from './dispute-card.tsx'
import { SelectionBar } from './selection-bar.tsx'

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
