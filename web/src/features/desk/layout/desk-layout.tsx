import { paths } from '@sought/contract/paths'
import { createContext, type ReactNode, use, useState } from 'react'
import { createPortal } from 'react-dom'
import { useIsAdmin } from '../../../data/session.ts'
import { ErrorPage } from '../../../shared/loading/error-page.tsx'
import { LinkButton } from '../../../shared/navigation/links.tsx'
import { FullPageSpinner } from '../../../ui/feedback/spinner.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { DeskNavigation } from './desk-navigation.tsx'
import { type DeskRoute, deskPages, mayOpen } from './desk-pages.ts'

interface DeskLayoutProps {
  name: DeskRoute
  children: ReactNode
}

/**
 * A page of the desk for those who may open it, with the navigation beside it, or above it on small screens. The
 * server checks the role again on every call.
 */
export function DeskLayout({ name, children }: DeskLayoutProps) {
  const { isLoading, role, needsSecondFactor } = useIsAdmin()
  if (isLoading) return <FullPageSpinner />
  if (needsSecondFactor) return <SecondFactorNeeded />
  if (!mayOpen(role, name)) return <AccessDenied />
  return deskPages[name].title ? <TitledPage name={name}>{children}</TitledPage> : children
}

const ActionsSlot = createContext<HTMLElement | null>(null)

/** Shows actions to the right of the heading of a page that `hasActions`. */
export function DeskActions({ children }: { children: ReactNode }) {
  const slot = use(ActionsSlot)
  return slot && createPortal(children, slot)
}

function TitledPage({ name, children }: DeskLayoutProps) {
  const { title = '', lead, width, hasActions } = deskPages[name]
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  return (
    <div className="mx-auto w-full max-w-board lg:grid lg:grid-cols-[12.5rem_minmax(0,1fr)]">
      <DeskNavigation current={name} />
      <Page
        title={title}
        lead={lead}
        width={width}
        actions={hasActions && <div ref={setSlot} className="contents" />}
      >
        <ActionsSlot value={slot}>{children}</ActionsSlot>
      </Page>
    </div>
  )
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
