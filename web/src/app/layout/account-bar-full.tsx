import { LogOut } from 'lucide-react'
import type { ReactElement } from 'react'
import { Link } from 'wouter'
import { Bell } from '../../features/notifications/bell.tsx'
import { useReadiness } from '../../ui/base/hydration.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/overlays/menu.tsx'
import { Tooltip, TooltipProvider } from '../../ui/overlays/tooltip.tsx'
import { AccountBar, type AccountProps, AvatarFrame, IconLink } from './account-bar.tsx'
import { accountLinks, activityLinks, deskLinks } from './account-links.ts'

/** The account bar with tooltips and menus. Loaded only for signed-in users. */
export function AccountBarFull({ user, role, unreadNotificationCount, onLogOut, ...bar }: AccountProps) {
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

function AccountMenu({ user, onLogOut }: Pick<AccountProps, 'user' | 'onLogOut'>) {
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
      {[...activityLinks, ...accountLinks].map(({ label, href, Icon }) => (
        <MenuItem key={href} asChild>
          <Link href={href}>
            <Icon aria-hidden="true" />
            {label}
          </Link>
        </MenuItem>
      ))}
      <MenuItem onSelect={onLogOut}>
        <LogOut aria-hidden="true" />
        Log out
      </MenuItem>
    </Menu>
  )
}
