import { paths, routes } from '@sought/contract/paths'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { SearchForm } from '../../shared/forms/search-form.tsx'
import { useMarket } from '../../shared/market/market.ts'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { AccountBar, type AccountProps, type AccountUser, AvatarFrame } from './account-bar.tsx'
import { Logo } from './logo.tsx'

const AccountBarFull = lazy(async () => ({
  default: (await import('./account-bar-full.tsx')).AccountBarFull,
}))
const MobileMenu = lazy(async () => ({
  default: (await import('./mobile-menu.tsx')).MobileMenu,
}))

interface HeaderProps extends Omit<AccountProps, 'user'> {
  user: AccountUser | null
  searchValue: string
  onSearch: (value: string) => void
}

export function Header({ user, searchValue, onSearch, ...account }: HeaderProps) {
  const search = {
    label: 'Search requests',
    name: 'search',
    action: routes.home,
    value: searchValue,
    onSearch,
  }
  return (
    <header className="relative z-20 border-line border-b bg-ground md:sticky md:top-0 print:hidden">
      <div className="mx-auto flex max-w-board flex-wrap items-center gap-x-4 px-4 sm:px-6 md:min-h-18 md:flex-nowrap lg:gap-x-8">
        <Link
          href={paths.home()}
          aria-label={`${useMarket().name}, home`}
          className="my-2 flex max-w-[calc(100%-8rem)] shrink-0 rounded-control py-1.5 md:my-0 md:max-w-60"
        >
          <Logo />
        </Link>
        <SearchForm
          {...search}
          placeholder="What are you looking for today?"
          className="hidden max-w-[34rem] grow md:block"
        />
        <div className="ml-auto flex shrink-0 items-center">
          {user ? (
            <>
              <Suspense
                fallback={
                  <AccountBar
                    unreadMessageCount={account.unreadMessageCount}
                    onPost={account.onPost}
                    avatar={
                      <span className="ml-1">
                        <AvatarFrame user={user} />
                      </span>
                    }
                  />
                }
              >
                <AccountBarFull user={user} {...account} />
              </Suspense>
              <Suspense fallback={<span className="size-11 md:hidden" />}>
                <MobileMenu user={user} {...account} />
              </Suspense>
            </>
          ) : (
            <LinkButton to={paths.auth()}>Sign In</LinkButton>
          )}
        </div>
        <SearchForm {...search} placeholder="Search for anything..." className="w-full pb-3 md:hidden" />
      </div>
    </header>
  )
}
