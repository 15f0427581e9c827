import type { ModerationCase } from '@sought/contract/moderation'
import { paths } from '@sought/contract/paths'
import type { RefObject } from 'react'
import { Link } from 'wouter'
import { formatRelativeTime } from '../../../format/relative-time.ts'
import { reportKindLabels } from '../../../shared/reports/report-reasons.ts'
import { classNames } from '../../../ui/base/class-names.ts'
import { Badge } from '../../../ui/display/badge.tsx'
import { severityOf, summarizeReports, titleOf } from './case-words.ts'

interface CaseListProps {
  cases: readonly ModerationCase[]
  openId: number | undefined
  selected: ReadonlySet<number>
  onToggle: (id: number) => void
  /** For moving the focus by keyboard. */
  listRef: RefObject<HTMLUListElement | null>
}

export function CaseList({ cases, openId, selected, onToggle, listRef }: CaseListProps) {
  return (
    <ul ref={listRef} aria-label="Cases" className="border-line border-b">
      {cases.map((it) => (
        <li
          key={it.id}
          data-case={it.id}
          className={classNames(
            'relative flex gap-3 border-line border-t py-3 pr-2 pl-3 hover:bg-sunken has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent has-[a:focus-visible]:-outline-offset-2',
            it.id === openId && 'bg-accent-wash hover:bg-accent-wash',
          )}
        >
          {/* The label is above the link that covers the row. Its clickable area is larger than the checkbox. */}
          <label className="relative z-10 -m-2.5 self-start p-2.5">
            <span className="sr-only">{`Select case #${it.id}`}</span>
            <input
              type="checkbox"
              className="tick-box mt-0.5 rounded-card"
              checked={selected.has(it.id)}
              onChange={() => onToggle(it.id)}
            />
          </label>
          <CaseSummary case={it} isOpen={it.id === openId} />
        </li>
      ))}
    </ul>
  )
}

function CaseSummary({ case: it, isOpen }: { case: ModerationCase; isOpen: boolean }) {
  const { label, tone } = severityOf(it)
  const { claim } = it
  return (
    <div className="grid min-w-0 grow grid-cols-[minmax(0,1fr)] gap-1">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-fine text-ink-soft">
        <Badge tone={tone}>{label}</Badge>
        <span>{reportKindLabels[it.kind]}</span>
        <time dateTime={it.createdAt} className="ml-auto">
          {formatRelativeTime(new Date(it.createdAt), new Date())}
        </time>
      </p>
      <Link
        href={paths.adminModeration({ case: it.id })}
        aria-current={isOpen || undefined}
        className="line-clamp-2 font-strong text-inherit no-underline outline-none [overflow-wrap:anywhere] after:absolute after:inset-0"
      >
        {titleOf(it)}
      </Link>
      <p className="text-fine text-ink-soft [overflow-wrap:anywhere]">
        {[it.person?.user.name, summarizeReports(it)].filter(Boolean).join(' · ')}
      </p>
      {claim && (
        <p className={classNames('text-fine', claim.isMine ? 'text-accent-deep' : 'text-signal-text')}>
          {claim.isMine ? 'Claimed by you' : `Claimed by ${claim.by.name}`}
        </p>
      )}
    </div>
  )
}
