import type { StaffRole } from '@sought/contract/call'
import { paths } from '@sought/contract/paths'
import { getDeskCounts } from '@sought/contract/support'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { CountBadge } from '../ui/count-badge.tsx'
import { Page, type PageProps } from '../ui/page.tsx'
import { FullPageSpinner } from '../ui/spinner.tsx'
import { useRead } from './calls.ts'
import { ErrorPage, LinkButton } from './error-page.tsx'
import { useIsAdmin } from './session.ts'

/** The pages of the desk and the roles that reach them. */
const pages = {
  disputes: { title: 'Disputes', path: paths.adminDisputes(), roles: ['admin'] },
  moderation: { title: 'Moderation', path: paths.adminModeration(), roles: ['admin', 'moderator'] },
  tickets: { title: 'Tickets', path: paths.adminTickets({ status: 'open' }), roles: ['admin'] },
  payouts: { title: 'Manual payouts', path: paths.adminPayouts(), roles: ['admin', 'finance'] },
  refunds: { title: 'Refunds', path: paths.adminRefunds(), roles: ['admin', 'finance'] },
  reconciliation: { title: 'Reconciliation', path: paths.adminReconciliation(), roles: ['admin'] },
  auditLog: { title: 'Audit log', path: paths.adminAuditLog(), roles: ['admin'] },
} as const satisfies Record<string, { title: string; path: string; roles: readonly StaffRole[] }>

type PageName = keyof typeof pages

const mayOpen = (role: StaffRole | null, page: PageName) =>
  pages[page].roles.some((allowed) => allowed === role)

/** Asks the server for the user's role in the team. The server checks again on every call. */
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
  /** The default is that of most pages. */
  width?: PageProps['width']
  children: ReactNode
}

/** An admin page with links to the pages of the user's role above its title. */
export function AdminPage({ page, children, ...rest }: AdminPageProps) {
  return (
    <Page title={pages[page].title} back={<AdminLinks current={page} />} {...rest}>
      {children}
    </Page>
  )
}

const pageNames = Object.keys(pages) as PageName[]

/** Disputes and tickets show how many wait for an admin. */
function AdminLinks({ current }: { current: PageName }) {
  const { role } = useIsAdmin()
  const counts = useRead(getDeskCounts, undefined, { staleMs: 0, enabled: role === 'admin' }).data
  const countOf = (name: string) => (name === 'disputes' || name === 'tickets' ? (counts?.[name] ?? 0) : 0)
  return (
    <nav aria-label="Admin pages" className="mb-5 flex flex-wrap gap-x-6 border-line border-b">
      {pageNames
        .filter((name) => mayOpen(role, name))
        .map((name) => (
          <Link
            key={name}
            href={pages[name].path}
            aria-current={name === current ? 'page' : undefined}
            className="-mb-px inline-flex min-h-11 items-center border-transparent border-b-2 text-ink-soft no-underline hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-strong aria-[current=page]:text-ink"
          >
            {pages[name].title}
            <WaitingCount count={countOf(name)} />
          </Link>
        ))}
    </nav>
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
