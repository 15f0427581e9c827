import type { StaffRole } from '@sought/contract/call'
import { paths } from '@sought/contract/paths'
import { Bell, MessagesSquare, ReceiptText, Store } from 'lucide-react'
import type { ComponentType, ReactElement, ReactNode } from 'react'
import { Link, useRoute } from 'wouter'
import { Avatar } from '../../ui/display/avatar.tsx'
import { CountBadge, formatCount } from '../../ui/display/count-badge.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { IconButton } from '../../ui/forms/icon-button.tsx'

export interface AccountUser {
  name: string
  email: string
  profileImageUrl: string | null
}

/** What the header shows to a signed-in user. */
export interface AccountProps {
  user: AccountUser
  role: StaffRole | null
  unreadMessageCount: number
  unreadNotificationCount: number
  onPost: () => void
  onLogOut: () => void
}

interface AccountBarProps extends Pick<AccountProps, 'unreadMessageCount' | 'onPost'> {
  /** Adds a tooltip to an icon, once the code for tooltips has loaded. */
  withTooltip?: ((text: string, icon: ReactElement) => ReactNode) | undefined
  /** The bell with its popover, once its code has loaded. Until then it is a link to the notifications. */
  bell?: ReactNode
  /** The desk link for members of the team, once its code has loaded. */
  deskLink?: ReactNode
  /** The avatar, with its menu once the code for it has loaded. */
  avatar: ReactNode
}

/** The right side of the header for signed-in users, from tablet width up. */
export function AccountBar({
  unreadMessageCount,
  onPost,
  withTooltip = (_text, icon) => icon,
  bell = <IconLink label="Notifications" href={paths.notifications()} Icon={Bell} />,
  deskLink,
  avatar,
}: AccountBarProps) {
  return (
    <div className="hidden items-center gap-1 md:flex">
      <Button className="mr-2" onClick={onPost}>
        Post
      </Button>
      {withTooltip(
        'Messages',
        <IconLink
          label={unreadMessageCount > 0 ? `Messages, ${formatCount(unreadMessageCount)} unread` : 'Messages'}
          href={paths.messages()}
          Icon={MessagesSquare}
        >
          <CountBadge count={unreadMessageCount} className="absolute top-0.5 right-0" />
        </IconLink>,
      )}
      {bell}
      {deskLink}
      {withTooltip('Payments', <IconLink label="Payments" href={paths.payments()} Icon={ReceiptText} />)}
      {withTooltip('Seller Setup', <IconLink label="Seller Setup" href={paths.sellerSetup()} Icon={Store} />)}
      {avatar}
    </div>
  )
}

/** The avatar in the header. It has the same size before and after the code of its menu has loaded. */
export function AvatarFrame({ user }: { user: AccountUser }) {
  return (
    <span className="grid size-11 place-items-center">
      <Avatar name={user.name} imageUrl={user.profileImageUrl} size="md" />
    </span>
  )
}

interface IconLinkProps {
  label: string
  href: string
  Icon: ComponentType<{ 'aria-hidden': 'true' }>
  children?: ReactNode
}

/** Passes on the props that a tooltip adds to its trigger. */
export function IconLink({ label, href, Icon, children, ...rest }: IconLinkProps) {
  const [isCurrent] = useRoute(href)
  return (
    <IconButton asChild label={label} {...rest}>
      <Link href={href} aria-current={isCurrent ? 'page' : undefined}>
        <Icon aria-hidden="true" />
        {children}
      </Link>
    </IconButton>
  )
}
