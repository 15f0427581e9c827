import { PathId } from '@sought/contract/fields'
import { listModerationCases } from '@sought/contract/moderation'
import { paths } from '@sought/contract/paths'
import { REPORT_KINDS, type ReportKind } from '@sought/contract/reports'
import { RotateCw } from 'lucide-react'
import { useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useRead } from '../../../data/calls.ts'
import { classNames } from '../../../ui/base/class-names.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Skeletons } from '../../../ui/feedback/skeleton.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { Checkbox } from '../../../ui/forms/checkbox.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { DeskActions } from '../layout/desk-layout.tsx'
import { BulkDialog, type RefusedCase, RefusedCases } from './bulk-dialog.tsx'
import { CaseList } from './case-list.tsx'
import { BackToQueue, CaseView } from './case-view.tsx'
import { ShortcutHelp, ShortcutLine } from './shortcut-help.tsx'
import { useShortcuts } from './shortcuts.ts'

/** The maximum number of cases in one bulk decision. */
const LIST_LIMIT = 100
const POLL_MS = 30_000

/** The queue and the open case: side by side, or one at a time on phones. The URL selects the open case. */
export function AdminModerationScreen() {
  const openId = useOpenCase()
  const [, navigate] = useLocation()
  const [kind, setKind] = useState<ReportKind>()
  const cases = useRead(
    listModerationCases,
    { query: { kind, limit: String(LIST_LIMIT) } },
    { pollMs: () => POLL_MS },
  )
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [refused, setRefused] = useState<readonly RefusedCase[]>([])
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const [announcement, setAnnouncement] = useState('')
  const list = useRef<HTMLUListElement>(null)

  const shown = cases.data ?? []
  const chosen = shown.filter(({ id }) => selected.has(id))
  const select = (ids: readonly number[]) => {
    setSelected(new Set(ids))
    setAnnouncement(`${ids.length} selected`)
  }
  const toggle = (id: number) => {
    const ids = chosen.map((it) => it.id)
    select(ids.includes(id) ? ids.filter((it) => it !== id) : [...ids, id])
  }
  const close = () => navigate(paths.adminModeration())
  useListKeys({ list, openId, onToggle: toggle, onClose: close, onHelp: () => setIsHelpOpen(true) })

  const onDecided = (id: number) => {
    const left = shown.filter((it) => it.id !== id).length
    setAnnouncement(`Case #${id} decided. ${left} left.`)
    focusAfter(list.current, id)
    close()
  }
  const onBulkDone = (count: number, failed: readonly RefusedCase[]) => {
    select([])
    setRefused(failed)
    setAnnouncement(`${count} decided, ${failed.length} not decided`)
  }
  return (
    <>
      <DeskActions>
        <ShortcutHelp open={isHelpOpen} onOpenChange={setIsHelpOpen} />
      </DeskActions>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <RefusedCases refused={refused} onClose={() => setRefused([])} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-6 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <section
          aria-label="Queue"
          className={classNames('min-w-0', openId !== undefined && 'max-lg:hidden')}
        >
          <div className="mb-4 flex items-end gap-3">
            <KindFilter kind={kind} onChange={setKind} />
            <Button variant="secondary" busy={cases.isRefetching} onClick={() => void cases.refetch()}>
              <RotateCw aria-hidden="true" />
              Refresh
            </Button>
          </div>
          {cases.isPending && <Skeletons label="Loading cases" each="h-24" />}
          {cases.isError && !cases.data && (
            <ErrorState
              reference={cases.error.requestId}
              onRetry={() => void cases.refetch()}
              busy={cases.isFetching}
            />
          )}
          {cases.data?.length === 0 && <NoCases isFiltered={kind !== undefined} />}
          {shown.length > 0 && (
            <>
              <div className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-3 pl-3">
                <Checkbox
                  label={chosen.length > 0 ? `${chosen.length} selected` : 'Select all'}
                  checked={chosen.length === shown.length}
                  onChange={({ target }) => select(target.checked ? shown.map(({ id }) => id) : [])}
                />
                {chosen.length > 0 && <BulkDialog cases={chosen} onDone={onBulkDone} />}
              </div>
              <CaseList cases={shown} openId={openId} selected={selected} onToggle={toggle} listRef={list} />
              {shown.length === LIST_LIMIT && (
                <p className="mt-3 text-fine text-ink-soft">
                  These are the first {LIST_LIMIT} cases. Others follow when these are decided.
                </p>
              )}
              <div className="mt-4">
                <ShortcutLine />
              </div>
            </>
          )}
        </section>
        <div className="min-w-0">
          {openId === undefined ? (
            shown.length > 0 && <ChooseCase />
          ) : (
            <>
              <BackToQueue />
              <CaseView
                key={openId}
                id={openId}
                listed={shown.find(({ id }) => id === openId)}
                onDecided={onDecided}
              />
            </>
          )}
        </div>
      </div>
    </>
  )
}

function useOpenCase(): number | undefined {
  const [query] = useSearchParams()
  const id = PathId.safeParse(query.get('case'))
  return id.success ? Number(id.data) : undefined
}

interface ListKeys {
  list: { current: HTMLUListElement | null }
  openId: number | undefined
  onToggle: (id: number) => void
  onClose: () => void
  onHelp: () => void
}

function useListKeys({ list, openId, onToggle, onClose, onHelp }: ListKeys): void {
  const currentRow = () =>
    rowsOf(list.current).find((it) => it.contains(document.activeElement)) ??
    rowsOf(list.current).find((it) => idOf(it) === openId)
  const move = (step: number) => (event: KeyboardEvent) => {
    event.preventDefault()
    const rows = rowsOf(list.current)
    const current = currentRow()
    const next = current ? rows[rows.indexOf(current) + step] : rows[0]
    next?.querySelector('a')?.focus()
  }
  const closeOpen = () => {
    if (openId === undefined) return
    currentRow()?.querySelector('a')?.focus()
    onClose()
  }
  useShortcuts({
    j: move(1),
    ArrowDown: move(1),
    k: move(-1),
    ArrowUp: move(-1),
    x: () => {
      const row = currentRow()
      if (row) onToggle(idOf(row))
    },
    Escape: closeOpen,
    '?': (event) => {
      event.preventDefault()
      onHelp()
    },
  })
}

const rowsOf = (list: HTMLUListElement | null) => [
  ...(list?.querySelectorAll<HTMLElement>('[data-case]') ?? []),
]
const idOf = (row: HTMLElement) => Number(row.dataset.case)

/** Focuses the case after one that disappears, or the one before it. */
function focusAfter(list: HTMLUListElement | null, id: number): void {
  const rows = rowsOf(list)
  const index = rows.findIndex((it) => idOf(it) === id)
  const next = rows[index + 1] ?? rows[index - 1]
  next?.querySelector('a')?.focus()
}

const ALL = 'all'

const kindOptions = [
  { value: ALL, label: 'All cases' },
  { value: 'request', label: 'Requests' },
  { value: 'message', label: 'Messages' },
  { value: 'profile', label: 'Profiles' },
  { value: 'review', label: 'Reviews' },
  { value: 'picture', label: 'Pictures' },
] as const satisfies readonly { value: ReportKind | typeof ALL; label: string }[]

interface KindFilterProps {
  kind: ReportKind | undefined
  onChange: (kind: ReportKind | undefined) => void
}

function KindFilter({ kind, onChange }: KindFilterProps) {
  return (
    <Select
      label="Kind"
      hideLabel
      className="grow"
      options={kindOptions}
      value={kind ?? ALL}
      onChange={({ target }) => onChange(REPORT_KINDS.find((it) => it === target.value))}
    />
  )
}

function NoCases({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState drawing="lens" title="Nothing found">
      There are no open cases of this kind.
    </EmptyState>
  ) : (
    <EmptyState drawing="letters" title="No open cases">
      Reports, flags and appeals appear here.
    </EmptyState>
  )
}

function ChooseCase() {
  return (
    <EmptyState drawing="lens" title="Choose a case" className="max-lg:hidden">
      Open a case to see it in full. It is then claimed for you, so that nobody else works on it.
    </EmptyState>
  )
}
