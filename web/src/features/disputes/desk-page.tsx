import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Page } from '../../ui/page.tsx'

const desks = {
  disputes: { title: 'Disputes', path: paths.adminDisputes() },
  payouts: { title: 'Payouts by hand', path: paths.adminPayouts() },
} as const

interface DeskPageProps {
  desk: keyof typeof desks
  lead: string
  actions?: ReactNode
  children: ReactNode
}

/** A page of the admin's desk, with the way to the other one. */
export function DeskPage({ desk, lead, actions, children }: DeskPageProps) {
  return (
    <Page title={desks[desk].title} lead={lead} actions={actions} back={<DeskLinks current={desk} />}>
      {children}
    </Page>
  )
}

function DeskLinks({ current }: { current: keyof typeof desks }) {
  return (
    <nav aria-label="Admin desk" className="mb-5 flex gap-6 border-line border-b">
      {Object.entries(desks).map(([name, { title, path }]) => (
        <Link
          key={name}
          href={path}
          aria-current={name === current ? 'page' : undefined}
          className="-mb-px inline-flex min-h-11 items-center border-transparent border-b-2 text-ink-soft no-underline hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-strong aria-[current=page]:text-ink"
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}
