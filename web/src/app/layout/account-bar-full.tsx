import type { StaffRole } from '@sought/contract/call'
import { paths } from '@sought/contract/paths'
import { Bookmark, ClipboardList, HandCoins, LifeBuoy, LogOut, UserRound } from 'lucide-react'
import type { ReactElement } from 'react'
import { Link } from 'wouter'
import { Bell } from '../../features/notifications/bell.tsx'
import { useReadiness } from '../../ui/base/hydration.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/overlays/menu.tsx'
import { Tooltip, TooltipProvider } from '../../ui/overlays/tooltip.tsx'
import { AccountBar, type AccountUser, IconLink } from './account-bar.tsx'
import { AvatarFrame } from './avatar-frame.tsx'
import { deskLinks } from './desk-links.ts'

export interface AccountBarFullProps {
  user: AccountUser
  role: StaffRole | null
  unreadMessageCount: number
  unreadNotificationCount: number
  onPost: () => void
  onLogOut: () => void
}

/** The account bar with tooltips and menus. Loaded only for signed-in users. */
export function AccountBarFull({
  user,
  role,
  unreadNotificationCount,
  onLogOut,
  ...bar
}: AccountBarFullProps) {
  return (
    <TooltipProvider>
      <AccountBar
        {...bar}
        withTooltip={withTooltip}
        bell={<Bell unreadCount={unreadNotificationCount} withTooltip={withTooltip} />}
        deskLink={role && withTooltip(deskLinks[role].label, <IconLink {...deskLinks[role]} />)}
        avatar={<AccountMenu user={user} onLogOut={onLogOut} />}
      />
    </TooltipProvider>
  )
}

const withTooltip = (text: string, icon: ReactElement) => <Tooltip text={text}>{icon}</Tooltip>

function AccountMenu({ user, onLogOut }: { user: AccountUser; onLogOut: () => void }) {
  const readiness = useReadiness()
  return (
    <Menu
      trigger={
        <button type="button" aria-label="Account menu" className="ml-1 rounded-round" {...readiness}>
          <AvatarFrame user={user} />
        </button>
      }
    >
      <MenuLabel>
        <span className="flex items-center gap-3">
          <Avatar name={user.name} imageUrl={user.profileImageUrl} />
          <span className="grid min-w-0">
            <span className="truncate font-strong">{user.name}</span>
            <span className="truncate text-fine text-ink-soft">{user.email}</span>
          </span>
        </span>
      </MenuLabel>
      <MenuSeparator />
      <MenuItem asChild>
        <Link href={paths.myRequests()}>
          <ClipboardList aria-hidden="true" />
          My Requests
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link href={paths.myOffers()}>
          <HandCoins aria-hidden="true" />
          My Offers
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link href={paths.savedSearches()}>
          <Bookmark aria-hidden="true" />
          Saved Searches
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link href={paths.profile()}>
          <UserRound aria-hidden="true" />
          Profile
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link href={paths.help()}>
          <LifeBuoy aria-hidden="true" />
          Help
        </Link>
      </MenuItem>
      <MenuItem onSelect={onLogOut}>
        <LogOut aria-hidden="true" />
        Log out
      </MenuItem>
    </Menu>
  )
}
