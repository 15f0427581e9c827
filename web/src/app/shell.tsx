import { signOut } from '@sought/contract/accounts'
import { MESSAGES_STALE_MS } from '@sought/contract/constants'
import { listConversations } from '@sought/contract/messages'
import { countUnreadNotifications } from '@sought/contract/notifications'
import { paths, routes } from '@sought/contract/paths'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useRead } from '../lib/calls.ts'
import { useIsAdmin, useSession } from '../lib/session.ts'
import { FullPageSpinner } from '../ui/spinner.tsx'
import { AppFrame } from './layout/app-frame.tsx'
import { Footer } from './layout/footer.tsx'
import { Header } from './layout/header.tsx'

/** Header and footer around every screen, once it is known who is here. */
export function Shell({ children }: { children: ReactNode }) {
  const session = useSession()
  const user = session.state === 'signed-in' ? session.user : null
  const { isAdmin } = useIsAdmin()
  const unreadCount = useUnreadCount(user !== null)
  const newsCount = useNewsCount(user !== null)
  useLive(user?.id)
  const [location, navigate] = useLocation()
  const [search] = useSearchParams()
  if (session.state === 'loading') return <FullPageSpinner />

  return (
    <AppFrame
      header={
        <Header
          user={user}
          isAdmin={isAdmin}
          unreadCount={unreadCount}
          newsCount={newsCount}
          searchValue={location === routes.home ? (search.get('search') ?? '') : ''}
          onSearch={(value) => navigate(paths.home({ search: value }))}
          onPost={() => navigate(paths.post())}
          onLogOut={() => window.location.assign(signOut.path)}
        />
      }
      footer={<Footer />}
    >
      {children}
    </AppFrame>
  )
}

/** Messages that wait to be read, over all conversations. */
function useUnreadCount(signedIn: boolean): number {
  const { data } = useRead(listConversations, undefined, { enabled: signedIn, staleMs: MESSAGES_STALE_MS })
  return (data ?? []).reduce((sum, { unreadCount }) => sum + unreadCount, 0)
}

/** Notifications that wait to be read. */
function useNewsCount(signedIn: boolean): number {
  return useRead(countUnreadNotifications, undefined, { enabled: signedIn }).data?.unread ?? 0
}

/** Keeps the screens of whoever is signed in up to date, as things happen elsewhere. */
function useLive(userId: string | undefined): void {
  const cache = useQueryClient()
  useEffect(() => {
    if (!userId) return
    let left = false
    let stop = () => {}
    void import('../lib/live.ts').then(({ listen }) => {
      if (!left) stop = listen(cache)
    })
    return () => {
      left = true
      stop()
    }
  }, [userId, cache])
}
