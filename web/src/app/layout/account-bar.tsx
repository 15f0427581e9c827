import { paths } from '@sought/contract/paths'
import { Bell, MessagesSquare, ReceiptText, Scale, Store } from 'lucide-react'
import type { ComponentType, ReactElement, ReactNode } from 'react'
import { Link, useRoute } from 'wouter'
import { Button } from '../../ui/button.tsx'
import { CountBadge, countText } from '../../ui/count-badge.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

export interface AccountUser {
  name: string
  email: string
  profileImageUrl: string | null
}

export interface AccountBarProps {
  isAdmin: boolean
  unreadCount: number
  onPost: () => void
  /** Adds the tooltip to an icon, once its code is there. */
  withTip?: ((text: string, icon: ReactElement) => ReactNode) | undefined
  /** The bell with the latest news behind it, once its code is there; until then it leads to all of them. */
  bell?: ReactNode
  /** The avatar, and once its code is there, the menu behind it. */
  avatar: ReactNode
}

/** What a signed-in person finds at the right of the header, from tablets up. */
export function AccountBar({
  isAdmin,
  unreadCount,
  onPost,
  withTip = (_text, icon) => icon,
  bell = <IconLink label="Notifications" href={paths.notifications()} Icon={Bell} />,
  avatar,
}: AccountBarProps) {
  return (
    <div className="hidden items-center gap-1 md:flex">
      <Button className="mr-2" onClick={onPost}>
        Post
      </Button>
      {withTip(
        'Messages',
        <IconLink
          label={unreadCount > 0 ? `Messages, ${countText(unreadCount)} unread` : 'Messages'}
          href={paths.messages()}
          Icon={MessagesSquare}
        >
          <CountBadge count={unreadCount} className="absolute top-0.5 right-0" />
        </IconLink>,
      )}
      {bell}
      {isAdmin &&
        withTip(
          'Admin Disputes',
          <IconLink label="Admin Disputes" href={paths.adminDisputes()} Icon={Scale} />,
        )}
      {withTip('Payments', <IconLink label="Payments" href={paths.payments()} Icon={ReceiptText} />)}
      {withTip('Seller Setup', <IconLink label="Seller Setup" href={paths.sellerSetup()} Icon={Store} />)}
      {avatar}
    </div>
  )
}

interface IconLinkProps {
  label: string
  href: string
  Icon: ComponentType<{ 'aria-hidden': 'true' }>
  children?: ReactNode
}

/** Takes whatever else a tooltip hangs on it, and hands it to the link. */
function IconLink({ label, href, Icon, children, ...rest }: IconLinkProps) {
  const [here] = useRoute(href)
  return (
    <IconButton asChild label={label} {...rest}>
      <Link href={href} aria-current={here ? 'page' : undefined}>
        <Icon aria-hidden="true" />
        {children}
      </Link>
    </IconButton>
  )
}
