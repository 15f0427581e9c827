import { listOwnAuditLog, type OwnAuditEntry } from '@sought/contract/audit'
import { useReadPages } from '../../../data/calls.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { auditActions } from '../../../shared/audit/audit-actions.ts'
import { useMarket } from '../../../shared/market/market.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { LoadMore } from '../../../ui/feedback/load-more.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'

const PAGE_SIZE = 10

/** The history of the account, so that owners notice actions that were not theirs. */
export function AccountLog() {
  const { name } = useMarket()
  const entries = useReadPages(listOwnAuditLog, { limit: String(PAGE_SIZE) }, { staleMs: 0 })
  if (entries.isPending) return <Skeleton className="h-40" />
  if (entries.isError && !entries.data)
    return (
      <ErrorState
        reference={entries.error.requestId}
        onRetry={() => void entries.refetch()}
        busy={entries.isFetching}
      />
    )
  if (entries.data.length === 0) return <p className="text-ink-soft">Nothing has been recorded yet.</p>
  return (
    <>
      <ul aria-label="Account activity" className="w-full border-line border-b">
        {entries.data.map((entry) => (
          <li key={entry.id} className="grid gap-0.5 border-line border-t py-3">
            <p className="font-strong">{auditActions[entry.action]}</p>
            <p className="text-fine text-ink-soft">{describe(entry, name)}</p>
          </li>
        ))}
      </ul>
      <LoadMore
        hasMore={entries.hasNextPage}
        busy={entries.isFetchingNextPage}
        onMore={() => void entries.fetchNextPage()}
        label="Show more activity"
      />
    </>
  )
}

function describe({ by, device, ip, createdAt }: OwnAuditEntry, marketName: string): string {
  const who = by === 'team' ? `By the ${marketName} team` : null
  return [who, device, ip, formatDateTime(createdAt)].filter(Boolean).join(' · ')
}
