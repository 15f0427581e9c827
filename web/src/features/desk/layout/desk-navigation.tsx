import { getDeskCounts } from '@sought/contract/support'
import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../../data/calls.ts'
import { useIsAdmin } from '../../../data/session.ts'
import { classNames } from '../../../ui/base/class-names.ts'
import { CountBadge } from '../../../ui/display/count-badge.tsx'
import { type DeskLink, type DeskRoute, deskPages, findDeskLinks, GROUPS } from './desk-pages.ts'

/** A list of links in groups. On small screens, a button opens it. */
export function DeskNavigation({ current }: { current: DeskRoute }) {
  const { role } = useIsAdmin()
  const [isOpen, setIsOpen] = useState(false)
  const listId = useId()
  const toggle = useRef<HTMLButtonElement>(null)
  const links = findDeskLinks(role)
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    setIsOpen(false)
    toggle.current?.focus()
  }
  return (
    <nav
      aria-label="Admin pages"
      onKeyDown={close}
      className="px-4 pt-6 sm:px-6 lg:py-12 lg:pr-0 print:hidden"
    >
      {links.length > 1 && (
        <button
          ref={toggle}
          type="button"
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-h-11 w-full items-center justify-between gap-3 rounded-control border border-line-strong bg-paper px-3 text-left lg:hidden"
        >
          <span>
            <span className="text-ink-soft">Desk:</span> {deskPages[current].title}
          </span>
          <ChevronDown aria-hidden="true" className={classNames('size-5 shrink-0', isOpen && 'rotate-180')} />
        </button>
      )}
      <div
        id={listId}
        className={classNames(
          'gap-x-6 gap-y-5 max-lg:mt-2 max-lg:rounded-card max-lg:border max-lg:border-line max-lg:bg-paper max-lg:p-4 sm:grid-cols-2 lg:grid lg:grid-cols-1',
          isOpen ? 'grid' : 'max-lg:hidden',
        )}
      >
        {[undefined, ...GROUPS].map((group) => (
          <LinkGroup
            key={group ?? ''}
            title={group}
            links={links.filter((link) => link.group === group)}
            current={current}
            onOpen={() => setIsOpen(false)}
          />
        ))}
      </div>
    </nav>
  )
}

interface LinkGroupProps {
  title: DeskLink['group']
  links: DeskLink[]
  current: DeskRoute
  onOpen: () => void
}

/** Disputes and tickets show the number that waits for an admin. */
function LinkGroup({ title, links, current, onOpen }: LinkGroupProps) {
  const { role } = useIsAdmin()
  const counts = useRead(getDeskCounts, undefined, { enabled: role === 'admin' }).data
  const waiting: Partial<Record<DeskRoute, number | undefined>> = {
    adminDisputes: counts?.disputes,
    adminTickets: counts?.tickets,
  }
  const titleId = useId()
  if (links.length === 0) return null
  return (
    <div>
      {title && (
        <p id={titleId} className="mb-1 text-fine text-ink-soft">
          {title}
        </p>
      )}
      <ul aria-labelledby={title ? titleId : undefined}>
        {links.map(({ name, title, path }) => (
          <li key={name}>
            <Link
              href={path}
              aria-current={name === current ? 'page' : undefined}
              onClick={onOpen}
              className="-ml-3 flex min-h-11 items-center border-transparent border-l-2 pl-2.5 text-ink-soft no-underline hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-strong aria-[current=page]:text-ink lg:min-h-9"
            >
              {title}
              <WaitingCount count={waiting[name] ?? 0} />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

function WaitingCount({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <>
      <CountBadge count={count} className="ml-1.5" />
      <span className="sr-only">, {count} waiting</span>
    </>
  )
}
