import { signOut } from '@sought/contract/accounts'
import { countUnreadNotifications } from '@sought/contract/notifications'
import { paths, routes } from '@sought/contract/paths'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useRead } from '../data/calls.ts'
import { useIsAdmin, useSession } from '../data/session.ts'
import { useMarket } from '../shared/market/market.ts'
import { useConversations } from '../shared/messages/conversations.ts'
import { forgetViewed } from '../shared/requests/viewed-requests.ts'
import { SiteName } from '../ui/base/title.tsx'
import { FullPageSpinner } from '../ui/feedback/spinner.tsx'
import { AppFrame } from './layout/app-frame.tsx'
import { Footer } from './layout/footer.tsx'
import { Header } from './layout/header.tsx'

/** Only for users whom moderators have suspended or restricted. */
const AccountNotice = lazy(() => import('./account-notice.tsx'))
/** Only for a market that is not open. */
const MarketNotice = lazy(() => import('./market-notice.tsx'))
/** Only for signed-in users of a market with its own policies. */
const PolicyNotice = lazy(() => import('./policy-notice.tsx'))
/** Only for signed-in users. */
const WaitingDialogs = lazy(() => import('./waiting-dialogs.tsx'))

/** The header and footer around every screen. Shows a spinner until the current user is loaded. */
export function Shell({ children }: { children: ReactNode }) {
  const session = useSession()
  const user = session.state === 'signed-in' ? session.user : null
  const { role } = useIsAdmin()
  const unreadMessageCount = useUnreadMessageCount(user !== null)
  const unreadNotificationCount = useUnreadNotificationCount(user !== null)
  useLiveUpdates(user?.id)
  const [location, navigate] = useLocation()
  const [search] = useSearchParams()
  const { name, mode, policies } = useMarket()
  if (session.state === 'loading') return <FullPageSpinner />

  return (
    <AppFrame
      header={
        <>
          <Header
            user={user}
            role={role}
            unreadMessageCount={unreadMessageCount}
            unreadNotificationCount={unreadNotificationCount}
            searchValue={location === routes.home ? (search.get('search') ?? '') : ''}
            onSearch={(value) => {
              navigate(paths.home({ search: value }))
              window.scrollTo(0, 0)
            }}
            onPost={() => navigate(paths.post())}
            onLogOut={() => {
              forgetViewed()
              window.location.assign(signOut.path)
            }}
          />
          <Suspense>{mode !== 'open' && <MarketNotice mode={mode} />}</Suspense>
          <Suspense>
            {(user?.suspendedUntil || user?.restrictedUntil) && <AccountNotice user={user} />}
          </Suspense>
          {/* A read-only market stores no consent. */}
          <Suspense>{user && policies.length > 0 && mode !== 'read_only' && <PolicyNotice />}</Suspense>
        </>
      }
      footer={<Footer />}
    >
      <SiteName value={name}>{children}</SiteName>
      <Suspense>{user && <WaitingDialogs />}</Suspense>
    </AppFrame>
  )
}

function useUnreadMessageCount(isSignedIn: boolean): number {
  const { data } = useConversations({ enabled: isSignedIn })
  return (data ?? []).reduce((sum, { unreadCount }) => sum + unreadCount, 0)
}

function useUnreadNotificationCount(isSignedIn: boolean): number {
  return useRead(countUnreadNotifications, undefined, { enabled: isSignedIn }).data?.unread ?? 0
}

/** Keeps the data of a signed-in user up to date. */
function useLiveUpdates(userId: string | undefined): void {
  const cache = useQueryClient()
  useEffect(() => {
    if (!userId) return
    let isStopped = false
    let stop = () => {}
    void import('../data/live-updates.ts').then(({ listenForUpdates }) => {
      if (!isStopped) stop = listenForUpdates(cache)
    })
    return () => {
      isStopped = true
      stop()
    }
  }, [userId, cache])
}
