import { paths } from '@sought/contract/paths'
import { getDeskCounts } from '@sought/contract/support'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { CountBadge } from '../ui/count-badge.tsx'
import { Page } from '../ui/page.tsx'
import { FullPageSpinner } from '../ui/spinner.tsx'
import { useRead } from './calls.ts'
import { ErrorPage, LinkButton } from './error-page.tsx'
import { useIsAdmin } from './session.ts'

/** Asks the server whether the user is an admin. The server checks again on every call. */
export function AdminsOnly({ children }: { children: ReactNode }) {
  const { isLoading, isAdmin, needsSecondFactor } = useIsAdmin()
  if (isLoading) return <FullPageSpinner />
  if (needsSecondFactor) return <SecondFactorNeeded />
  return isAdmin ? children : <AccessDenied />
}

function SecondFactorNeeded() {
  return (
    <ErrorPage
      title="You need a second factor"
      action={<LinkButton to={paths.profile({ tab: 'security' })}>Open Security Settings</LinkButton>}
    >
      Admins must protect their account with a passkey or an authenticator app. Add one in your security
      settings, then come back.
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

const pages = {
  disputes: { title: 'Disputes', path: paths.adminDisputes() },
  tickets: { title: 'Tickets', path: paths.adminTickets({ status: 'open' }) },
  payouts: { title: 'Manual payouts', path: paths.adminPayouts() },
  refunds: { title: 'Refunds', path: paths.adminRefunds() },
  reconciliation: { title: 'Reconciliation', path: paths.adminReconciliation() },
  auditLog: { title: 'Audit log', path: paths.adminAuditLog() },
} as const

type PageName = keyof typeof pages

interface AdminPageProps {
  page: PageName
  lead: string
  actions?: ReactNode
  children: ReactNode
}

/** An admin page with links to all admin pages above its title. */
export function AdminPage({ page, lead, actions, children }: AdminPageProps) {
  return (
    <Page title={pages[page].title} lead={lead} actions={actions} back={<AdminLinks current={page} />}>
      {children}
    </Page>
  )
}

/** Disputes and tickets show how many wait for an admin. */
function AdminLinks({ current }: { current: PageName }) {
  const counts = useRead(getDeskCounts, undefined, { staleMs: 0 }).data
  const countOf = (name: string) => (name === 'disputes' || name === 'tickets' ? (counts?.[name] ?? 0) : 0)
  return (
    <nav aria-label="Admin pages" className="mb-5 flex flex-wrap gap-x-6 border-line border-b">
      {Object.entries(pages).map(([name, { title, path }]) => (
        <Link
          key={name}
          href={path}
          aria-current={name === current ? 'page' : undefined}
          className="-mb-px inline-flex min-h-11 items-center border-transparent border-b-2 text-ink-soft no-underline hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-strong aria-[current=page]:text-ink"
        >
          {title}
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
