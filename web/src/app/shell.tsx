import { signOut } from '@sought/contract/accounts'
import { paths, routes } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useIsAdmin, useSession } from '../lib/session.ts'
import { FullPageSpinner } from '../ui/spinner.tsx'
import { AppFrame } from './layout/app-frame.tsx'
import { Footer } from './layout/footer.tsx'
import { Header } from './layout/header.tsx'

/** Header and footer around every screen, once it is known who is here. */
export function Shell({ children }: { children: ReactNode }) {
  const session = useSession()
  const { isAdmin } = useIsAdmin()
  const [location, navigate] = useLocation()
  const [search] = useSearchParams()
  if (session.state === 'loading') return <FullPageSpinner />

  return (
    <AppFrame
      header={
        <Header
          user={session.state === 'signed-in' ? session.user : null}
          isAdmin={isAdmin}
          unreadCount={0}
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
