import { paths } from '@sought/contract/paths'
import { Bell, LogOut, Menu, MessagesSquare, Plus, ReceiptText, Store, X } from 'lucide-react'
import { type ComponentType, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Avatar } from '../../ui/display/avatar.tsx'
import { CountBadge, formatCount } from '../../ui/display/count-badge.tsx'
import { IconButton } from '../../ui/forms/icon-button.tsx'
import type { AccountProps } from './account-bar.tsx'
import { accountLinks, activityLinks, deskLinks } from './account-links.ts'

/** The toggle menu of small screens. It shows Admin Disputes to everyone: the server decides who has access. */
export function MobileMenu({
  user,
  role,
  unreadMessageCount,
  unreadNotificationCount,
  onPost,
  onLogOut,
}: AccountProps) {
  // Unread messages also have a notification, so adding the two would count them twice.
  const totalUnreadCount = Math.max(unreadMessageCount, unreadNotificationCount)
  const [open, setOpen] = useState(false)
  const [location] = useLocation()
  const panelId = useId()
  const root = useRef<HTMLDivElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: closes the menu after navigation.
  useEffect(() => setOpen(false), [location])

  useEffect(() => {
    if (!open) return
    const onPointer = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      toggle.current?.focus()
    }
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('keydown', onKey)
    }
  }, [open])

  const closeAnd = (action: () => void) => () => {
    setOpen(false)
    action()
  }
  const links: MenuLink[] = [
    ...activityLinks,
    { label: 'Messages', href: paths.messages(), Icon: MessagesSquare, unreadCount: unreadMessageCount },
    { label: 'Notifications', href: paths.notifications(), Icon: Bell, unreadCount: unreadNotificationCount },
    deskLinks[role ?? 'admin'],
    { label: 'Payments', href: paths.payments(), Icon: ReceiptText },
    { label: 'Seller Setup', href: paths.sellerSetup(), Icon: Store },
    ...accountLinks,
  ]

  return (
    <div ref={root} className="md:hidden">
      <IconButton
        ref={toggle}
        label={
          open
            ? 'Close menu'
            : totalUnreadCount > 0
              ? `Open menu, ${formatCount(totalUnreadCount)} unread`
              : 'Open menu'
        }
        aria-expanded={open}
        aria-controls={panelId}
        onClick={() => setOpen(!open)}
      >
        {open ? <X aria-hidden="true" /> : <Menu aria-hidden="true" />}
        {!open && <CountBadge count={totalUnreadCount} className="absolute top-0.5 right-0" />}
      </IconButton>
      <nav
        id={panelId}
        hidden={!open}
        aria-label="Menu"
        className="absolute inset-x-0 top-full z-30 animate-appear border-line border-y bg-paper px-4 pt-4 pb-3 shadow-lift sm:px-6"
      >
        <div className="flex items-center gap-3 pb-3">
          <Avatar name={user.name} imageUrl={user.profileImageUrl} />
          <div className="grid min-w-0">
            <span className="truncate font-strong">{user.name}</span>
            <span className="truncate text-fine text-ink-soft">{user.email}</span>
          </div>
        </div>
        <ul className="border-line border-t pt-2">
          <li>
            <button type="button" onClick={closeAnd(onPost)} className={entryClass}>
              <Entry Icon={Plus}>Post Wanted Item</Entry>
            </button>
          </li>
          {links.map(({ label, href, Icon, unreadCount = 0 }) => (
            <li key={href}>
              <Link href={href} onClick={() => setOpen(false)} className={entryClass}>
                <Entry Icon={Icon}>
                  {label}
                  {unreadCount > 0 && <span className="sr-only">, {unreadCount} unread</span>}
                  <CountBadge count={unreadCount} className="ml-auto" />
                </Entry>
              </Link>
            </li>
          ))}
          <li className="mt-2 border-line border-t pt-2">
            <button type="button" onClick={closeAnd(onLogOut)} className={entryClass}>
              <Entry Icon={LogOut}>Log Out</Entry>
            </button>
          </li>
        </ul>
      </nav>
    </div>
  )
}

const entryClass =
  '-mx-3 flex min-h-12 w-[calc(100%+1.5rem)] items-center gap-3 rounded-control px-3 text-left text-ink no-underline hover:bg-sunken'

type EntryIcon = ComponentType<{ className: string; 'aria-hidden': 'true' }>

interface MenuLink {
  label: string
  href: string
  Icon: EntryIcon
  unreadCount?: number
}

function Entry({ Icon, children }: { Icon: EntryIcon; children: ReactNode }) {
  return (
    <>
      <Icon aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
      {children}
    </>
  )
}
