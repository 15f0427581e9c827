import { listOwnAuditLog, type OwnAuditEntry } from '@sought/contract/audit'
import { useReadPages } from '../../../data/calls.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { auditActions } from '../../../shared/audit/audit-actions.ts'
import { PagedList } from '../../../shared/loading/paged-list.tsx'
import { useMarket } from '../../../shared/market/market.ts'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'

const PAGE_SIZE = 10

/** The history of the account, so that owners notice actions that were not theirs. */
export function AccountLog() {
  const { name } = useMarket()
  return (
    <PagedList
      pages={useReadPages(listOwnAuditLog, { limit: String(PAGE_SIZE) })}
      loading={<Skeleton className="h-40" />}
      empty={<p className="text-ink-soft">Nothing has been recorded yet.</p>}
      more={{ label: 'Show more activity' }}
      label="Account activity"
      className="w-full border-line border-b"
    >
      {(entry) => (
        <li key={entry.id} className="grid gap-0.5 border-line border-t py-3">
          <p className="font-strong">{auditActions[entry.action]}</p>
          <p className="text-fine text-ink-soft">{describe(entry, name)}</p>
        </li>
      )}
    </PagedList>
  )
}

function describe({ by, device, ip, createdAt }: OwnAuditEntry, marketName: string): string {
  const who = by === 'team' ? `By the ${marketName} team` : null
  return [who, device, ip, formatDateTime(createdAt)].filter(Boolean).join(' · ')
}
