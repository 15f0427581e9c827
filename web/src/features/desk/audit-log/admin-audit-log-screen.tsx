import { type AdminAuditEntry, AUDIT_ACTIONS, type AuditAction, listAuditLog } from '@sought/contract/audit'
import { paths } from '@sought/contract/paths'
import { useLocation, useSearchParams } from 'wouter'
import { useReadPages } from '../../../data/calls.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { auditActions, nameOfAction } from '../../../shared/audit/audit-actions.ts'
import { PagedList } from '../../../shared/loading/paged-list.tsx'
import { LinkButton } from '../../../shared/navigation/links.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Select, toOptions } from '../../../ui/forms/select.tsx'
import { DealLink, DeskPersonLink } from '../shared/desk-links.tsx'

const PAGE_SIZE = 50
const ALL = 'all'
const actionOptions = [{ value: ALL, label: 'All actions' }, ...toOptions(auditActions)]

interface Filter {
  action?: AuditAction
  userId?: string
}

/** The URL selects an action, and a person who acted or was affected. Their page of the desk links to it. */
export function AdminAuditLogScreen() {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const action = AUDIT_ACTIONS.find((name) => name === query.get('action'))
  const userId = query.get('userId') ?? undefined
  const filter: Filter = { ...(action && { action }), ...(userId && { userId }) }
  const choose = (chosen: AuditAction | undefined) =>
    navigate(paths.adminAuditLog({ ...filter, action: chosen }), { replace: true })
  return (
    <>
      <div className="mb-6 flex flex-wrap items-end gap-3">
        <Select
          label="Action"
          className="w-full sm:w-72"
          options={actionOptions}
          value={action ?? ALL}
          onChange={({ target }) => choose(AUDIT_ACTIONS.find((name) => name === target.value))}
        />
        {userId && (
          <LinkButton to={paths.adminAuditLog({ action })} variant="secondary">
            Show everyone
          </LinkButton>
        )}
      </div>
      <Entries key={`${action} ${userId}`} filter={filter} />
    </>
  )
}

function Entries({ filter }: { filter: Filter }) {
  return (
    <PagedList
      pages={useReadPages(listAuditLog, { ...filter, limit: String(PAGE_SIZE) })}
      label="Audit log"
      className="border-line border-b"
      empty={
        <EmptyState drawing="letters" title="No entries">
          Nothing matches this filter.
        </EmptyState>
      }
    >
      {(entry) => <Entry key={entry.id} entry={entry} />}
    </PagedList>
  )
}

function Entry({ entry }: { entry: AdminAuditEntry }) {
  const { action, actor, subject, device, ip, details, createdAt } = entry
  const { paymentId, ...rest } = details
  const isAboutAnother = subject !== null && subject.id !== actor?.id
  return (
    <li className="grid gap-0.5 border-line border-t py-3">
      <p className="wrap-anywhere">
        <span className="font-strong">{nameOfAction(action)}</span>
        {actor && (
          <>
            {' '}
            by <DeskPersonLink person={actor} />
          </>
        )}
        {isAboutAnother && (
          <>
            {' '}
            · account of <DeskPersonLink person={subject} />
          </>
        )}
      </p>
      <p className="wrap-anywhere text-fine text-ink-soft">
        {[formatDateTime(createdAt), device, ip, ...describeDetails(rest)].filter(Boolean).join(' · ')}
        {typeof paymentId === 'number' && (
          <>
            {' · '}
            <DealLink paymentId={paymentId}>{`payment ${paymentId}`}</DealLink>
          </>
        )}
      </p>
    </li>
  )
}

const detailNames: Record<string, string> = {
  payoutId: 'payout',
  evidenceId: 'file',
  action: 'decision',
}

const describeDetails = (details: AdminAuditEntry['details']) =>
  Object.entries(details).map(([name, value]) => `${detailNames[name] ?? name} ${value}`)
