import { paths } from '@sought/contract/paths'
import {
  Bell,
  LogOut,
  Menu,
  MessagesSquare,
  Plus,
  ReceiptText,
  Scale,
  Store,
  UserRound,
  X,
} from 'lucide-react'
import { type ComponentType, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Avatar } from '../../ui/avatar.tsx'
import { CountBadge, countText } from '../../ui/count-badge.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { AccountUser } from './account-bar.tsx'

export interface MobileMenuProps {
  user: AccountUser
  unreadCount: number
  newsCount: number
  onPost: () => void
  onLogOut: () => void
}

/** The toggle menu of small screens (spec §2). Admin Disputes is in it for everyone: the server decides who may enter. */
export function MobileMenu({ user, unreadCount, newsCount, onPost, onLogOut }: MobileMenuProps) {
  // An unread message is among the notifications too, and not to be counted twice.
  const waitingCount = Math.max(unreadCount, newsCount)
  const [open, setOpen] = useState(false)
  const [location] = useLocation()
  const panelId = useId()
  const root = useRef<HTMLDivElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: having gone somewhere is what closes it.
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

  const closing = (then: () => void) => () => {
    setOpen(false)
    then()
  }
  const close = () => setOpen(false)

  return (
    <div ref={root} className="md:hidden">
      <IconButton
        ref={toggle}
        label={
          open
            ? 'Close menu'
            : waitingCount > 0
              ? `Open menu, ${countText(waitingCount)} unread`
              : 'Open menu'
        }
        aria-expanded={open}
        aria-controls={panelId}
        onClick={() => setOpen(!open)}
      >
        {open ? <X aria-hidden="true" /> : <Menu aria-hidden="true" />}
        {!open && <CountBadge count={waitingCount} className="absolute top-0.5 right-0" />}
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
            <button type="button" onClick={closing(onPost)} className={entryLook}>
              <Entry Icon={Plus}>Post Wanted Item</Entry>
            </button>
          </li>
          <li>
            <Link href={paths.messages()} onClick={close} className={entryLook}>
              <Entry Icon={MessagesSquare}>
                Messages
                {unreadCount > 0 && <span className="sr-only">, {unreadCount} unread</span>}
                <CountBadge count={unreadCount} className="ml-auto" />
              </Entry>
            </Link>
          </li>
          <li>
            <Link href={paths.notifications()} onClick={close} className={entryLook}>
              <Entry Icon={Bell}>
                Notifications
                {newsCount > 0 && <span className="sr-only">, {newsCount} unread</span>}
                <CountBadge count={newsCount} className="ml-auto" />
              </Entry>
            </Link>
          </li>
          <li>
            <Link href={paths.adminDisputes()} onClick={close} className={entryLook}>
              <Entry Icon={Scale}>Admin Disputes</Entry>
            </Link>
          </li>
          <li>
            <Link href={paths.payments()} onClick={close} className={entryLook}>
              <Entry Icon={ReceiptText}>Payments</Entry>
            </Link>
          </li>
          <li>
            <Link href={paths.sellerSetup()} onClick={close} className={entryLook}>
              <Entry Icon={Store}>Seller Setup</Entry>
            </Link>
          </li>
          <li>
            <Link href={paths.profile()} onClick={close} className={entryLook}>
              <Entry Icon={UserRound}>Profile</Entry>
            </Link>
          </li>
          <li className="mt-2 border-line border-t pt-2">
            <button type="button" onClick={closing(onLogOut)} className={entryLook}>
              <Entry Icon={LogOut}>Log Out</Entry>
            </button>
          </li>
        </ul>
      </nav>
    </div>
  )
}

const entryLook =
  '-mx-3 flex min-h-12 w-[calc(100%+1.5rem)] items-center gap-3 rounded-control px-3 text-left text-ink no-underline hover:bg-sunken'

function Entry({
  Icon,
  children,
}: {
  Icon: ComponentType<{ className: string; 'aria-hidden': 'true' }>
  children: ReactNode
}) {
  return (
    <>
      <Icon aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
      {children}
    </>
  )
}
