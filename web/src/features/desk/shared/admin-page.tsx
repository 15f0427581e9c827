import type { StaffRole } from '@sought/contract/call'
import { paths } from '@sought/contract/paths'
import { getDeskCounts } from '@sought/contract/support'
import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../../data/calls.ts'
import { useIsAdmin } from '../../../data/session.ts'
import { ErrorPage, LinkButton } from '../../../shared/loading/error-page.tsx'
import { classNames } from '../../../ui/base/class-names.ts'
import { CountBadge } from '../../../ui/display/count-badge.tsx'
import { FullPageSpinner } from '../../../ui/feedback/spinner.tsx'
import { Page, type PageProps } from '../../../ui/layout/page.tsx'

interface DeskPage {
  title: string
  path: string
  roles: readonly StaffRole[]
  group: DeskGroup | null
}

const GROUPS = ['Casework', 'Money', 'Market'] as const

type DeskGroup = (typeof GROUPS)[number]

/** The pages of the desk in the order of its navigation, and the roles with access to them. */
const pages = {
  overview: { title: 'Overview', path: paths.admin(), roles: ['admin'], group: null },
  disputes: { title: 'Disputes', path: paths.adminDisputes(), roles: ['admin'], group: 'Casework' },
  appeals: { title: 'Appeals', path: paths.adminAppeals(), roles: ['admin'], group: 'Casework' },
  moderation: {
    title: 'Moderation',
    path: paths.adminModeration(),
    roles: ['admin', 'moderator'],
    group: 'Casework',
  },
  tickets: {
    title: 'Tickets',
    path: paths.adminTickets({ status: 'open' }),
    roles: ['admin'],
    group: 'Casework',
  },
  replies: { title: 'Saved replies', path: paths.adminReplies(), roles: ['admin'], group: 'Casework' },
  lookup: { title: 'Lookup', path: paths.adminLookup(), roles: ['admin'], group: 'Casework' },
  payouts: {
    title: 'Manual payouts',
    path: paths.adminPayouts(),
    roles: ['admin', 'finance'],
    group: 'Money',
  },
  refunds: { title: 'Refunds', path: paths.adminRefunds(), roles: ['admin', 'finance'], group: 'Money' },
  goodwill: { title: 'Goodwill', path: paths.adminGoodwill(), roles: ['admin', 'finance'], group: 'Money' },
  reconciliation: {
    title: 'Reconciliation',
    path: paths.adminReconciliation(),
    roles: ['admin'],
    group: 'Money',
  },
  analytics: { title: 'Analytics', path: paths.adminAnalytics(), roles: ['admin'], group: 'Market' },
  exports: { title: 'Exports', path: paths.adminExports(), roles: ['admin'], group: 'Money' },
  settings: { title: 'Settings', path: paths.adminSettings(), roles: ['admin'], group: 'Market' },
  auditLog: { title: 'Audit log', path: paths.adminAuditLog(), roles: ['admin'], group: 'Market' },
} as const satisfies Record<string, DeskPage>

type PageName = keyof typeof pages

export const mayOpen = (role: StaffRole | null, page: PageName) =>
  pages[page].roles.some((allowed) => allowed === role)

/** Asks the server for the user's role in the team. The server checks it again on every call. */
export function AdminsOnly({ page, children }: { page: PageName; children: ReactNode }) {
  const { isLoading, role, needsSecondFactor } = useIsAdmin()
  if (isLoading) return <FullPageSpinner />
  if (needsSecondFactor) return <SecondFactorNeeded />
  return mayOpen(role, page) ? children : <AccessDenied />
}

function SecondFactorNeeded() {
  return (
    <ErrorPage
      title="You need a second factor"
      action={<LinkButton to={paths.profile({ tab: 'security' })}>Open Security Settings</LinkButton>}
    >
      Members of our team must protect their account with a passkey or an authenticator app. Add one in your
      security settings, then come back.
    </ErrorPage>
  )
}

function AccessDenied() {
  return (
    <ErrorPage title="Access Denied" action={<LinkButton to={paths.home()}>Back to Home</LinkButton>}>
      You don't have permission to access the admin dashboard.
    </ErrorPage>
  )
}

interface AdminPageProps {
  page: PageName
  lead: string
  actions?: ReactNode
  /** By default, that of most pages. */
  width?: PageProps['width']
  children: ReactNode
}

/** A page of the desk with the navigation beside it, or above it on small screens. */
export function AdminPage({ page, children, ...rest }: AdminPageProps) {
  return (
    <div className="mx-auto w-full max-w-board lg:grid lg:grid-cols-[12.5rem_minmax(0,1fr)]">
      <DeskNavigation current={page} />
      <Page title={pages[page].title} {...rest}>
        {children}
      </Page>
    </div>
  )
}

const pageNames = Object.keys(pages) as PageName[]

/** A list of links in groups. On small screens, a button opens it. */
function DeskNavigation({ current }: { current: PageName }) {
  const { role } = useIsAdmin()
  const [isOpen, setIsOpen] = useState(false)
  const listId = useId()
  const toggle = useRef<HTMLButtonElement>(null)
  const reached = pageNames.filter((name) => mayOpen(role, name))
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    setIsOpen(false)
    toggle.current?.focus()
  }
  return (
    <nav
      aria-label="Admin pages"
      onKeyDown={close}
      className="px-4 pt-6 sm:px-6 lg:py-12 lg:pr-0 print:hidden"
    >
      {reached.length > 1 && (
        <button
          ref={toggle}
          type="button"
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-h-11 w-full items-center justify-between gap-3 rounded-control border border-line-strong bg-paper px-3 text-left lg:hidden"
        >
          <span>
            <span className="text-ink-soft">Desk:</span> {pages[current].title}
          </span>
          <ChevronDown aria-hidden="true" className={classNames('size-5 shrink-0', isOpen && 'rotate-180')} />
        </button>
      )}
      <div
        id={listId}
        className={classNames(
          'gap-x-6 gap-y-5 max-lg:mt-2 max-lg:rounded-card max-lg:border max-lg:border-line max-lg:bg-paper max-lg:p-4 sm:grid-cols-2 lg:grid lg:grid-cols-1',
          isOpen ? 'grid' : 'max-lg:hidden',
        )}
      >
        {[null, ...GROUPS].map((group) => (
          <PageGroup
            key={group}
            title={group}
            names={reached.filter((name) => pages[name].group === group)}
            current={current}
            onOpen={() => setIsOpen(false)}
          />
        ))}
      </div>
    </nav>
  )
}

interface PageGroupProps {
  title: DeskGroup | null
  names: PageName[]
  current: PageName
  onOpen: () => void
}

/** Disputes and tickets show the number that waits for an admin. */
function PageGroup({ title, names, current, onOpen }: PageGroupProps) {
  const { role } = useIsAdmin()
  const counts = useRead(getDeskCounts, undefined, { staleMs: 0, enabled: role === 'admin' }).data
  const countOf = (name: string) => (name === 'disputes' || name === 'tickets' ? (counts?.[name] ?? 0) : 0)
  const titleId = useId()
  if (names.length === 0) return null
  return (
    <div>
      {title && (
        <p id={titleId} className="mb-1 text-fine text-ink-soft">
          {title}
        </p>
      )}
      <ul aria-labelledby={title ? titleId : undefined}>
        {names.map((name) => (
          <li key={name}>
            <Link
              href={pages[name].path}
              aria-current={name === current ? 'page' : undefined}
              onClick={onOpen}
              className="-ml-3 flex min-h-11 items-center border-transparent border-l-2 pl-2.5 text-ink-soft no-underline hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-strong aria-[current=page]:text-ink lg:min-h-9"
            >
              {pages[name].title}
              <WaitingCount count={countOf(name)} />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

function WaitingCount({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <>
      <CountBadge count={count} className="ml-1.5" />
      <span className="sr-only">, {count} waiting</span>
    </>
  )
}
